import type { NextBox } from "@marketday/contracts/subscriptions";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { useId } from "react";

import { config } from "../../lib/boot.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { formatCard, formatPlace, formatPlaceNote } from "../account/fulfillment.ts";

import s from "./next-box-card.module.css";

/** Where a box goes and which card pays for it; or what is missing, with the way to choose it. */
export function BoxPlace({ box: { fulfillment, card, state } }: { box: NextBox }) {
  const { open } = useNavigation();
  const id = useId();
  const problem = fulfillment ? fulfillment.problem?.message : "Choose home delivery or a pickup point first.";
  const isPlanned = state === "planned";
  return (
    <>
      {fulfillment && (
        <p className={s.place}>
          <strong>{formatPlace(fulfillment)}</strong>
          <small>{formatPlaceNote(fulfillment)}</small>
          {isPlanned && config.payments !== "offline" && (
            <small>{card ? `Charged to ${formatCard(card)}` : "You have no saved card yet"}</small>
          )}
        </p>
      )}
      {isPlanned && problem && <Banner tone="warning">{problem}</Banner>}
      {isPlanned && (
        <Button id={id} kind="link" onClick={() => open(paths.subscription, id)}>
          Change where it goes
        </Button>
      )}
    </>
  );
}
