import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import type { Action } from "@marketday/client/forms/use-action.ts";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { Subscription } from "@marketday/contracts/subscriptions";
import { CART_QUANTITY_MAX } from "@marketday/domain/limits";
import { Button } from "@marketday/ui/button.tsx";
import { Controls } from "@marketday/ui/controls.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Picture } from "@marketday/ui/picture.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { Stepper } from "@marketday/ui/stepper.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";

import { orCartFull } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { OverlayLink } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useMarketToday } from "../hubs/use-market-today.ts";
import { nameOf } from "../products/format.ts";
import { pause, subscribe, unsubscribe, type Wanted } from "./api.ts";
import { formatDay } from "./format.ts";
import { IntervalSelect } from "./interval-select.tsx";

import s from "./subscribed.module.css";

const PauseForm = lazyWithRetry(() => import("./pause-form.tsx"));
void PauseForm.load();

/** Long enough to take a removal back. */
const UNDO_MS = 5000;

interface SubscribedProductsProps {
  list: Subscription[];
  saving: Action;
}

/** Subscribed products: how many, how often, when next, and a rest until a date (spec §2.4 My Subscriptions). */
export const SubscribedProducts = ({ list, saving }: SubscribedProductsProps) => (
  <section className={s.section} aria-labelledby="subscribed-products">
    <h3 id="subscribed-products">Subscribed items</h3>
    <Controls label="Subscribed items" saving={saving.running !== null}>
      <ul className={s.list}>
        {list.map((one) => (
          <li key={one.product.variant.id}>
            <Row one={one} saving={saving} />
          </li>
        ))}
      </ul>
    </Controls>
  </section>
);

function Row({ one, saving }: { one: Subscription; saving: Action }) {
  const client = useQueryClient();
  const [isPausing, setPausing] = useState(false);
  const today = useMarketToday();
  const { product, vendor, quantity, subscription_interval: weeks, pausedUntil } = one;
  const { variant } = product;
  const { size } = variant;
  const name = nameOf(product.title, variant);
  const key = (what: string) => `${what} ${variant.id}`;
  const wanted: Wanted = { productId: product.id, variantId: variant.id, qty: quantity, subscription_interval: weeks };
  const change = (what: "qty" | "subscription_interval", value: number) =>
    void saving.attempt(
      key(what),
      () => subscribe(client, { ...wanted, [what]: value }),
      orCartFull(messages.subscriptionPreferences),
      value,
    );
  const remove = async () => {
    const run = () => unsubscribe(client, product.id, variant.id);
    const removed = await saving.attempt(key("qty"), run, orCartFull(messages.subscriptionPreferences), quantity);
    if (removed === null) return;
    const undo = () =>
      void subscribe(client, wanted).catch(() => toast({ text: messages.productSubscribe, tone: "error" }));
    toast({ text: `No longer subscribed to ${name}`, duration: UNDO_MS, action: { label: "Undo", run: undo } });
  };
  const rest = async (until: string | null) => {
    const run = () => pause(client, variant.id, until);
    const paused = await saving.attempt(key("pause"), run, orCartFull(messages.subscriptionPreferences), until);
    if (paused !== null) setPausing(false);
  };
  return (
    <div className={s.row}>
      <div className={s.picture}>
        <Picture picture={product.images[0]} sizes="56px" alt="" />
      </div>
      <div className={s.words}>
        <OverlayLink to={paths.product(product.slug)} className={s.title}>
          {product.title}
        </OverlayLink>
        <span className={s.meta}>
          {size && `${size} · `}
          {vendor.name} · <Money amount={variant.salePrice ?? variant.price} />
        </span>
        <span className={pausedUntil ? s.paused : s.next}>
          {pausedUntil
            ? `Paused until ${formatDay(pausedUntil, today)}`
            : one.nextDate
              ? `Next on ${formatDay(one.nextDate, today)}`
              : "No delivery is planned yet"}
        </span>
      </div>
      <IconButton icon="bin" label={`Remove ${name}`} onClick={() => void remove()} />
      <div className={s.controls}>
        <Stepper
          look="line"
          name={name}
          min={1}
          quantity={saving.shown(key("qty"), quantity)}
          max={CART_QUANTITY_MAX}
          onChange={(next) => change("qty", next)}
        />
        <IntervalSelect
          name={name}
          weeks={saving.shown(key("subscription_interval"), weeks)}
          onChange={(next) => change("subscription_interval", next)}
        />
        {pausedUntil ? (
          <Button kind="link" aria-label={`Resume ${name}`} onClick={() => void rest(null)}>
            Resume
          </Button>
        ) : (
          <Button
            kind="link"
            aria-expanded={isPausing}
            aria-label={`Pause ${name}`}
            onClick={() => setPausing(!isPausing)}
          >
            Pause
          </Button>
        )}
      </div>
      {isPausing && !pausedUntil && (
        <AsyncBoundary failed={messages.network}>
          <PauseForm name={name} today={today} onPause={(until) => void rest(until)} />
        </AsyncBoundary>
      )}
    </div>
  );
}
