import type { TotalRow } from "@marketday/domain/fee-rows";
import { Money } from "@marketday/ui/price.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

/** The amount of a line of a total; what is free says so. */
export const RowAmount = ({ row: { amount, isFree } }: { row: TotalRow }) =>
  isFree ? (
    <>
      Free<VisuallyHidden>, $0.00</VisuallyHidden>
    </>
  ) : (
    <Money amount={amount} />
  );
