import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";

import { AccountGate } from "../shell/account-gate.tsx";
import { FramePage } from "../shell/frame-page.tsx";
import { useAccount } from "../shell/use-account.ts";
import { Cards } from "./cards.tsx";

/** `/embed/payment`: the cards that are kept, and which of them is taken by default (spec §2.4 default payment). */
export default function PaymentFrame() {
  const account = useAccount();
  return (
    <FramePage title="Payment methods">
      {account.customer === undefined ? (
        <Skeleton label="your cards">
          <SkeletonPart kind="row" />
        </Skeleton>
      ) : account.customer ? (
        <Cards key={account.customer.id} />
      ) : (
        <AccountGate account={account} why="Cards are kept with your account." />
      )}
    </FramePage>
  );
}
