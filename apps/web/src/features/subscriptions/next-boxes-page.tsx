import { useMarketNow } from "@marketday/client/clock.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { AUTO_CHECKOUT } from "@marketday/domain/subscription";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button, ButtonLink } from "@marketday/ui/button.tsx";
import { EmptyState } from "@marketday/ui/empty-state.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart, Skeleton } from "@marketday/ui/skeleton.tsx";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { useTitle } from "../../lib/use-title.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { AlertBox } from "../auth/alert-box.tsx";
import { useCartTools } from "../cart/cart-provider.tsx";
import { useCart } from "../cart/use-cart.ts";
import { useShopper } from "../session/api.ts";
import { boxesQuery, listQuery, skip, statusQuery, subscriptionKeys } from "./api.ts";
import { AutoProblem } from "./auto-problem.tsx";
import { NextBoxCard } from "./next-box-card.tsx";

import s from "./next-boxes-page.module.css";

/** "Your next boxes": for three deliveries, exactly what automatic checkout will order, for how much, and why. */
export default function NextBoxesPage() {
  useTitle("Your next boxes");
  const { isRegistered, isPending } = useShopper();
  const { openModal } = useNavigation();
  return (
    <div className={s.page}>
      <h1>Your next boxes</h1>
      {isRegistered ? (
        <Boxes />
      ) : (
        !isPending && (
          <EmptyState
            icon="again"
            title="Create a free account to see your boxes"
            action={
              <Button id="boxes-login" onClick={() => openModal({ kind: "login" }, "boxes-login")}>
                Login
              </Button>
            }
          >
            Subscribe to what you like, and see here what's coming and when.
          </EmptyState>
        )
      )}
    </div>
  );
}

function Boxes() {
  const client = useQueryClient();
  const { open } = useNavigation();
  const now = useMarketNow();
  const boxes = useQuery(boxesQuery);
  const status = useQuery(statusQuery);
  const list = useQuery(listQuery);
  const saving = useAction();
  const { data: cart, dataUpdatedAt } = useCart();
  const { queue } = useCartTools();
  // The first box is the cart: once the server has its changes, the box is refetched.
  useEffect(() => {
    if (dataUpdatedAt > 0 && queue.isIdle) void client.invalidateQueries({ queryKey: subscriptionKeys.boxes });
  }, [dataUpdatedAt, queue, client]);

  if (!boxes.data || !status.data || !list.data) {
    const error = boxes.error ?? status.error ?? list.error;
    if (error)
      return (
        <ErrorState
          message={error.message}
          onRetry={() => [boxes, status, list].forEach((query) => void query.refetch())}
        />
      );
    return (
      <Skeleton label="your next boxes">
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
        <SkeletonPart kind="row" />
      </Skeleton>
    );
  }
  const isOff = status.data.status === AUTO_CHECKOUT.off;
  if (boxes.data.length === 0)
    return (
      <EmptyState icon="leaf" title="No delivery is planned yet">
        Your subscriptions stay on your list.
      </EmptyState>
    );
  const nothing = boxes.data.every(({ lines, state }) => lines.length === 0 && state === "planned");
  return (
    <>
      <p className="sr" role="status">
        {saving.running !== null ? "Saving…" : ""}
      </p>
      <AutoProblem />
      {saving.error && <AlertBox key={saving.error}>{saving.error}</AlertBox>}
      {isOff && (
        <Banner
          tone="information"
          title="Automatic checkout is off"
          action={
            <Button id="boxes-settings" kind="link" onClick={() => open(paths.subscription, "boxes-settings")}>
              Turn it on
            </Button>
          }
        >
          Nothing here is ordered automatically. What's scheduled goes into your cart, and you check out.
        </Banner>
      )}
      {nothing && (
        <EmptyState
          icon="crate"
          title="Nothing on repeat yet"
          action={<ButtonLink to={paths.shop}>See this week’s market</ButtonLink>}
        >
          Press Subscribe next to Add to Cart on anything you'd like to get regularly.
        </EmptyState>
      )}
      {!nothing &&
        boxes.data.map((box, place) => (
          <NextBoxCard
            key={box.deliveryDate}
            box={box}
            isFirst={place === 0}
            isOff={isOff}
            now={now}
            cart={cart}
            list={list.data ?? []}
            saving={saving}
            isRecalculating={boxes.isFetching}
            onSkip={(on) =>
              void saving.attempt(
                `skip ${box.deliveryDate}`,
                () => skip(client, box.deliveryDate, on),
                orCartFull(messages.subscriptionPreferences),
                on,
              )
            }
          />
        ))}
      <p className={s.note}>
        Prices and stock are today’s. If something sells out before then, we'll deliver the rest and let you know.
      </p>
      <Button id="boxes-change" kind="outline" onClick={() => open(paths.subscription, "boxes-change")}>
        My subscriptions
      </Button>
    </>
  );
}
