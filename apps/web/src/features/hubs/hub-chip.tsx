import { useMarketNow } from "@marketday/client/clock.ts";
import { weekOf } from "@marketday/domain/hub-week";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { useHub } from "./api.ts";

import s from "./hub-chip.module.css";

/** In the header: the market, its next delivery day as a torn leaf, and until when to order. */
export function HubChip() {
  const { hubId, isPending } = useShopper();
  const hub = useHub();
  const now = useMarketNow();
  const { openModal } = useNavigation();
  const week = hub && weekOf(hub, now);

  if (hubId === null)
    return (
      <button
        type="button"
        id="hub-chip"
        className={s.chip}
        hidden={isPending}
        onClick={() => openModal({ kind: "welcome" }, "hub-chip")}
      >
        <span className={s.pin}>
          <Icon name="pin" />
        </span>
        <span className={s.words}>
          <strong>Choose a market</strong>
          <small>Enter your zip code</small>
        </span>
      </button>
    );
  return (
    <button type="button" id="hub-chip" className={s.chip} onClick={() => openModal({ kind: "market" }, "hub-chip")}>
      {week ? <CalendarLeaf date={week.deliveryDate} /> : <span className={s.pin}>{hub && <Icon name="leaf" />}</span>}
      <span className={s.words}>
        <strong>
          <VisuallyHidden>Your market: </VisuallyHidden>
          {hub?.name ?? " "}
        </strong>
        <small>{week ? `${week.isOpen ? "Order by" : "Closed"} ${week.orderByShort}` : " "}</small>
      </span>
    </button>
  );
}
