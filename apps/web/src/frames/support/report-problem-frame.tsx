import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";

import { ReportForm } from "../../features/support/report-form.tsx";
import { AccountGate } from "../shell/account-gate.tsx";
import { FramePage } from "../shell/frame-page.tsx";
import { useAccount } from "../shell/use-account.ts";

/** `/embed/report-problem?order=`: says what went wrong with an order. Guests log in first. */
export default function ReportProblemFrame() {
  const account = useAccount();
  const order = Number(new URLSearchParams(location.search).get("order"));
  const { customer } = account;
  return (
    <FramePage title={order > 0 ? `Problem with order ${order}` : "Report a problem"} changed={false}>
      {customer === undefined ? (
        <Skeleton label="the form">
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      ) : !customer ? (
        <AccountGate account={account} why="Log in with the account that placed the order." />
      ) : order > 0 ? (
        <ReportForm orderId={order} />
      ) : (
        <EmptyState icon="wagon" title="No order was picked" action={<a href="/support">Pick an order</a>} />
      )}
    </FramePage>
  );
}
