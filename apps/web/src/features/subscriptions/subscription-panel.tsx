import { TIP_CHOICES, type TipPercentage } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { Controls } from "@marketday/ui/controls.tsx";
import { DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { RadioChips } from "@marketday/ui/radio-chips.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { type Action, useAction } from "../../lib/use-action.ts";
import { useTitle } from "../../lib/use-title.tsx";
import { useNavigation } from "../../navigation/use-navigation.tsx";
import { AlertBox } from "../auth/alert-box.tsx";
import { useShopper } from "../session/api.ts";
import { listQuery, setTip, statusQuery, subscribedBundlesQuery, tipQuery } from "./api.ts";
import { AutoCheckoutChoice } from "./auto-checkout-choice.tsx";
import { AutoProblem } from "./auto-problem.tsx";
import { NextBoxRow } from "./next-box-row.tsx";
import { Recommendations } from "./recommendations.tsx";
import { SubscribedBundles } from "./subscribed-bundles.tsx";
import { SubscribedProducts } from "./subscribed-products.tsx";

import s from "./subscription-panel.module.css";

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
      <AutoCheckoutChoice status={status.data} saving={saving} />
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
      <DefaultTip percentage={tip.data.percentage} saving={saving} />
      <Recommendations saving={saving} />
    </>
  );
}

const chips = TIP_CHOICES.map((value) => ({ value, label: value === 0 ? "No tip" : `${value}%` }));

/** What auto-checkout gives the driver (spec §2.4, §9 Money). */
function DefaultTip({ percentage, saving }: { percentage: TipPercentage; saving: Action }) {
  const client = useQueryClient();
  return (
    <section className={s.section} aria-labelledby="default-tip">
      <h3 id="default-tip">Default driver tip</h3>
      <p className={s.quiet}>Added to automatic orders. Drivers keep all of it.</p>
      <Controls label="Default driver tip" saving={saving.running !== null}>
        <RadioChips
          legend="Default driver tip"
          legendHidden
          chips={chips}
          value={saving.shown("tip", percentage)}
          onChange={(value) =>
            void saving.attempt("tip", () => setTip(client, value), orCartFull(messages.subscriptionPreferences), value)
          }
        />
      </Controls>
    </section>
  );
}
