import { cacheAnswer } from "@marketday/client/query-client.ts";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import type { WagonPass } from "@marketday/contracts/wagon-pass";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";

import { call } from "../../lib/api.ts";
import { AccountGate } from "../shell/account-gate.tsx";
import { FramePage } from "../shell/frame-page.tsx";
import { useAccount, useCustomerId } from "../shell/use-account.ts";
import { ActivePass } from "./active-pass.tsx";
import { BuyPass } from "./buy-pass.tsx";
import { PassOffer } from "./pass-offer.tsx";

/** Of one customer: after a session ends, another one may log in on the same page. */
const passQuery = (customerId: Customer["customerId"] | null) =>
  queryOptions({
    queryKey: ["wagon-pass", customerId],
    queryFn: ({ signal }) => call(calls.getWagonPass, undefined, { signal }),
  });

/** `/embed/wagon-pass`: what it is, and, with an account, to have it, keep it or let it run out (docs/product.md §7). */
export default function WagonPassFrame() {
  const account = useAccount();
  const { customer } = account;
  return (
    <FramePage title="Wagon pass">
      {customer ? (
        <Pass key={customer.id} />
      ) : (
        <>
          <PassOffer />
          {customer === null && <AccountGate account={account} why="The wagon pass belongs to an account." />}
        </>
      )}
    </FramePage>
  );
}

function Pass() {
  const client = useQueryClient();
  const query = passQuery(useCustomerId());
  const { data: pass, error, refetch } = useQuery(query);
  const adopt = (next: WagonPass) => cacheAnswer(client, query.queryKey, next);
  if (!pass)
    return error ? (
      <ErrorState message={error.message} onRetry={() => void refetch()} />
    ) : (
      <Skeleton label="your wagon pass">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  return (
    <>
      {pass.status === "active" && <ActivePass pass={pass} onChanged={adopt} />}
      {(pass.status !== "active" || pass.isOverdue) && <BuyPass pass={pass} onChanged={adopt} />}
    </>
  );
}
