import { ApiError } from "@marketday/client/transport.ts";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { queryOptions, useQuery } from "@tanstack/react-query";

import { ReportForm } from "../../features/support/report-form.tsx";
import { formatReported } from "../../features/support/rows.ts";
import { call } from "../../lib/api.ts";
import { marketToday } from "../../lib/today.ts";
import { AccountGate } from "../shell/account-gate.tsx";
import { FramePage } from "../shell/frame-page.tsx";
import { useAccount } from "../shell/use-account.ts";

/** Of one customer: after a session ends, another one may log in on the same page. */
const orderQuery = (customerId: Customer["customerId"] | undefined, id: number) =>
  queryOptions({
    queryKey: ["reported-order", customerId, id],
    queryFn: ({ signal }) => call(calls.getOrder, { params: { id } }, { signal }),
    enabled: customerId !== undefined && id > 0,
  });

/** `/embed/report-problem?order=`: says what went wrong with an order. Guests log in first. */
export default function ReportProblemFrame() {
  const account = useAccount();
  const orderId = Number(new URLSearchParams(location.search).get("order"));
  const { customer } = account;
  const { data: order, error, refetch } = useQuery(orderQuery(customer?.customerId, orderId));
  const isUnknown = !(orderId > 0) || (error instanceof ApiError && error.status === 404);
  return (
    <FramePage title="Report a problem" about={order && formatReported(order, marketToday())}>
      {customer === null ? (
        <AccountGate account={account} why="Log in with the account that placed the order." />
      ) : customer && isUnknown ? (
        <EmptyState
          icon="wagon"
          title={orderId > 0 ? "We can't find this order" : "No order was picked"}
          action={
            <a href="/support" target="_top">
              Pick an order
            </a>
          }
        />
      ) : customer && order ? (
        <ReportForm key={customer.id} order={order} customerId={customer.customerId} />
      ) : error ? (
        <ErrorState message={error.message} onRetry={() => void refetch()} />
      ) : (
        <Skeleton label="the form">
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
    </FramePage>
  );
}
