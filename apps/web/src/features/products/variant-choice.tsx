import type { Variant } from "@marketday/contracts/products";
import { Field } from "@marketday/ui/field.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Price } from "@marketday/ui/price.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { Select } from "@marketday/ui/text-input.tsx";

import { isSoldOut, formatStock, joinParts } from "./format.ts";

import s from "./variant-choice.module.css";

/** Up to this many sizes are rows with their prices; more are the platform's select. */
const ROWS = 6;

interface VariantChoiceProps {
  variants: Variant[];
  chosen: number;
  onChoose: (id: number) => void;
}

/** Which size. A single one is shown with its price and nothing to choose. */
export function VariantChoice({ variants, chosen, onChoose }: VariantChoiceProps) {
  const [first] = variants;
  if (variants.length === 1 && first)
    return (
      <p className={s.single}>
        <Price price={first.price} salePrice={first.salePrice} size="detail" />
        <span className={s.unit}>
          {joinParts(first.size, first.unitPrice, !isSoldOut(first) && formatStock(first))}
        </span>
      </p>
    );
  if (variants.length <= ROWS)
    return (
      <RadioRows
        legend="Size"
        legendHidden
        value={chosen}
        onChange={onChoose}
        rows={variants.map((variant) => ({
          value: variant.id,
          label: sizeOf(variant),
          note: [variant.unitPrice, formatStock(variant)].filter(Boolean).join(" · ") || undefined,
          end: <Price price={variant.price} salePrice={variant.salePrice} size="row" />,
        }))}
      />
    );
  return (
    <Field label="Size">
      <Select value={chosen} onChange={(event) => onChoose(Number(event.target.value))}>
        {variants.map((variant) => (
          <option key={variant.id} value={variant.id}>
            {[sizeOf(variant), formatMoney(variant.salePrice ?? variant.price), variant.unitPrice, formatStock(variant)]
              .filter(Boolean)
              .join(" · ")}
          </option>
        ))}
      </Select>
    </Field>
  );
}

/** A size to choose; its title, where the product's title says it already. */
const sizeOf = ({ size, title }: Variant) => size || title;
