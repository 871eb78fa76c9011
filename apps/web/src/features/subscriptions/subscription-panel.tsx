import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";

import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { useShopper } from "../session/api.ts";
import { listQuery, statusQuery, subscribedBundlesQuery, tipQuery } from "./api.ts";
import { AutoProblem } from "./auto-problem.tsx";
import { NextBoxRow } from "./next-box-row.tsx";
import { Recommendations } from "./recommendations.tsx";
import { SubscribedBundles } from "./subscribed-bundles.tsx";
import { SubscribedProducts } from "./subscribed-products.tsx";

import s from "./subscription-panel.module.css";

const OrderSettings = lazyWithRetry(() => import("./order-settings.tsx"));
void OrderSettings.load();

/** My Subscriptions (spec §2.4), over the page it was opened from. */
export default function SubscriptionPanel() {
  useTitle("My subscriptions");
  const { isRegistered, isPending } = useShopper();
  return (
    <DialogBody>
      <div className={s.panel}>
        <DialogTitle>My subscriptions</DialogTitle>
        {isRegistered ? <Mine /> : !isPending && <ForMembers />}
      </div>
    </DialogBody>
  );
}

function ForMembers() {
  const { openModal } = useNavigation();
  return (
    <EmptyState
      icon="again"
      title="Create a free account to subscribe"
      action={
        <div className={s.buttons}>
          <Button id="subscription-register" onClick={() => openModal({ kind: "register" }, "subscription-register")}>
            Registration
          </Button>
          <Button
            kind="outline"
            id="subscription-login"
            onClick={() => openModal({ kind: "login" }, "subscription-login")}
          >
            Login
          </Button>
        </div>
      }
    >
      Eggs every week, honey every fourth: your subscriptions are added to your cart automatically.
    </EmptyState>
  );
}

function Mine() {
  // An item removed from the cart comes later: always refetched.
  const list = useQuery({ ...listQuery, staleTime: 0 });
  const status = useQuery(statusQuery);
  const bundles = useQuery(subscribedBundlesQuery);
  const tip = useQuery(tipQuery);
  const saving = useAction();
  const queries = [list, status, bundles, tip];
  const failed = queries.find((query) => query.data === undefined && query.error);

  if (failed)
    return (
      <ErrorState
        message={failed.error?.message ?? messages.subscriptionPreferences}
        onRetry={() => queries.forEach((query) => void query.refetch())}
      />
    );
  if (!list.data || !status.data || !bundles.data || !tip.data)
    return (
      <Skeleton label="your subscriptions">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
        <SkeletonPart kind="title" width="half" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  const nothing = list.data.length === 0 && bundles.data.length === 0;
  return (
    <>
      <p className="sr" role="status">
        {saving.running !== null ? "Saving…" : ""}
      </p>
      <AutoProblem />
      {saving.error && <AlertBox key={saving.error}>{saving.error}</AlertBox>}
      <AsyncBoundary waiting={<SkeletonPart kind="row" />} failed={messages.network}>
        <OrderSettings status={status.data} tip={tip.data.percentage} saving={saving} />
      </AsyncBoundary>
      <NextBoxRow />
      {nothing ? (
        <section aria-label="Subscribed items">
          <EmptyState icon="again" title="Nothing on repeat yet">
            Press Subscribe next to Add to Cart on anything you'd like to get regularly.
          </EmptyState>
        </section>
      ) : (
        <>
          {list.data.length > 0 && <SubscribedProducts list={list.data} saving={saving} />}
          {bundles.data.length > 0 && <SubscribedBundles bundles={bundles.data} saving={saving} />}
        </>
      )}
      <Recommendations saving={saving} />
    </>
  );
}
