import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { Customer } from "@marketday/contracts/account";
import * as calls from "@marketday/contracts/calls";
import type { Address } from "@marketday/contracts/common";
import type { PickupPoint } from "@marketday/contracts/hubs";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Form, type FormProblem } from "@marketday/ui/form.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useLayoutEffect, useRef, useState } from "react";

import { addressControl, addressProblems } from "../../features/account/address.ts";
import { MethodRows, PointRows } from "../../features/account/fulfillment-rows.tsx";
import { addressLine } from "../../features/account/fulfillment.ts";
import { call } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";
import { deliveryProblems, type Draft, pickupControl } from "./draft.ts";

import s from "./delivery-step.module.css";

/** For who has no address yet or types another one; on its way before. */
const AddressFields = lazyWithRetry(() => import("../../features/account/address-fields.tsx"));
void AddressFields.load();

const DoorNotice = lazyWithRetry(() => import("../../features/hubs/door-notice.tsx"));

interface DeliveryStepProps {
  draft: Draft;
  put: (change: Partial<Draft>) => void;
  hub: { id: number; name: string; deliveryFee: number } | null;
  /** A wagon pass pays the fee. */
  isFree: boolean;
  pickupPoints: PickupPoint[];
  /** The account's default address. */
  saved: Address | null;
  /** Why the account's own place cannot be used. */
  problem: NonNullable<Customer["fulfillment"]>["problem"] | undefined;
  /** What the server refused: this step opens with it. */
  refused: FormProblem[];
  onNext: () => void;
}

/** Where the wagon shall go: to the door, or to a pickup point. */
export function DeliveryStep({
  draft,
  put,
  hub,
  isFree,
  pickupPoints,
  saved,
  problem,
  refused,
  onNext,
}: DeliveryStepProps) {
  const [found, setFound] = useState(refused);
  const [asking, setAsking] = useState(false);
  /** The place that was submitted, and what ends its check: another one is not checked yet. */
  const checking = useRef<{ place: string; ending: AbortController }>(null);
  const place = JSON.stringify([draft.type, draft.address, draft.pickupPointId]);
  useLayoutEffect(
    () => () => {
      if (checking.current?.place === place) checking.current.ending.abort();
    },
    [place],
  );
  // Filled in by the ZIP code since.
  const problems = found.filter(
    ({ field }) => !(["city", "state"] as const).some((key) => field === addressControl(key) && draft.address[key]),
  );
  const usesSaved =
    saved !== null && addressLine(saved) === addressLine(draft.address) && addressProblems(draft.address).length === 0;
  const [typing, setTyping] = useState(!usesSaved || refused.length > 0);

  const submit = async () => {
    const next = deliveryProblems(draft);
    if (next.length === 0 && draft.type === "delivery" && hub) {
      setAsking(true);
      // Without an answer the server checks it when the order is placed.
      const { zipCode } = draft.address;
      const ending = new AbortController();
      const { signal } = ending;
      checking.current = { place, ending };
      const door = await call(calls.homeDeliveryAt, { querystring: { zipCode } }, { signal }).catch(() => null);
      setAsking(false);
      if (signal.aborted) return;
      if (door?.isPossible === false) {
        const instead =
          pickupPoints.length > 0 ? "Choose a pickup point or another address." : "Choose another address.";
        const message = `${hub.name} does not deliver to ${zipCode}. ${instead}`;
        next.push({ field: addressControl("zipCode"), message });
      }
    }
    setFound(next);
    if (next.length > 0) setTyping(true);
    else onNext();
  };

  const choose = (type: Draft["type"]) => {
    setFound([]);
    put({ type });
  };
  return (
    <Form onSubmit={() => !asking && void submit()} problems={problems}>
      {/* An address that is not served has its notice below. */}
      {problem && problem.code !== "not_served" && <Banner tone="warning">{problem.message}</Banner>}
      {(pickupPoints.length > 0 || draft.type === "pickup") && (
        <MethodRows
          value={draft.type}
          onChange={choose}
          points={pickupPoints}
          fee={isFree ? "Free" : hub && formatMoney(hub.deliveryFee)}
        />
      )}
      {draft.type === "pickup" ? (
        <div id={pickupControl} tabIndex={-1}>
          <PointRows
            value={draft.pickupPointId}
            onChange={(pickupPointId) => put({ pickupPointId })}
            points={pickupPoints}
          />
        </div>
      ) : typing ? (
        <AsyncBoundary waiting={<SkeletonPart kind="row" />} failed={messages.network}>
          <AddressFields
            value={draft.address}
            problems={problems}
            onChange={(change) => {
              put({ address: { ...draft.address, ...change } });
              const touched = new Set(Object.keys(change).map((field) => addressControl(field as keyof Address)));
              if (found.length > 0) setFound(found.filter(({ field }) => !touched.has(field)));
            }}
          />
        </AsyncBoundary>
      ) : (
        <div className={s.saved}>
          <p>
            {addressLine(draft.address)}
            {draft.address.instructions && <small className={s.note}>{draft.address.instructions}</small>}
          </p>
          <Button kind="link" onClick={() => setTyping(true)}>
            Change address
          </Button>
        </div>
      )}
      {draft.type === "delivery" && (
        <AsyncBoundary>
          <DoorNotice
            zipCode={draft.address.zipCode}
            onPickup={pickupPoints.length > 0 ? () => choose("pickup") : undefined}
          />
        </AsyncBoundary>
      )}
      <Button type="submit" size="lg" busy={asking && "Checking the address…"}>
        Continue
      </Button>
    </Form>
  );
}
