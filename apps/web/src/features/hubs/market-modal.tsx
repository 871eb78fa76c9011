import { calendarDate, formatLong } from "@marketday/domain/calendar-date";
import { useState } from "react";

import { useMarketNow } from "../../lib/clock.ts";
import { messages } from "../../lib/messages.ts";
import { paths } from "../../navigation/paths.ts";
import { useOverlays } from "../../navigation/use-overlays.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { CalendarLeaf } from "../../ui/calendar-leaf.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "../../ui/dialog.tsx";
import { RadioRows } from "../../ui/radio-rows.tsx";
import { toast } from "../../ui/toast-store.ts";
import { useShopper } from "../session/api.ts";
import { useHub, useSwitchHub } from "./api.ts";
import { SpecialHub } from "./hub-facts.tsx";
import { HubWeek } from "./hub-week.tsx";

import s from "./market-modal.module.css";

/** Market Selection (spec §2.4): which market this is, and which delivery day where several markets come. */
export default function MarketModal() {
  const { profile, hubId } = useShopper();
  const hub = useHub();
  const now = useMarketNow();
  const { close, open, replaceWithModal } = useOverlays();
  const switchHub = useSwitchHub();
  const [chosen, setChosen] = useState(hubId);
  const [state, setState] = useState<"idle" | "busy" | "failed">("idle");
  const hubs = profile?.hubs ?? [];

  const done = async () => {
    if (state === "busy") return;
    if (chosen === null || chosen === hubId) return close();
    setState("busy");
    const name = hubs.find(({ id }) => id === chosen)?.name;
    if (name) toast({ text: messages.changingMarket(name) });
    try {
      await switchHub(chosen);
      close();
    } catch {
      setState("failed");
    }
  };

  return (
    <>
      <DialogBody>
        <div className={s.market}>
          <DialogTitle>{hub?.name ?? "Your market"}</DialogTitle>
          {hub && <HubWeek hub={hub} now={now} />}
          {hub && <SpecialHub hub={hub} />}
          {hubs.length > 1 && (
            <RadioRows
              legend="Delivery day"
              value={chosen}
              onChange={setChosen}
              rows={hubs.map(({ id, name, deliveryDay, nextDeliveryDate }) => ({
                value: id,
                label: deliveryDay,
                note: nextDeliveryDate ? `${name}, next ${formatLong(calendarDate(nextDeliveryDate))}` : name,
                end: nextDeliveryDate ? <CalendarLeaf date={nextDeliveryDate} /> : undefined,
              }))}
            />
          )}
          {state === "failed" && (
            <Banner tone="error" role="alert">
              {messages.hubSwitch}
            </Banner>
          )}
          <div className={s.links}>
            {hub && (
              <Button kind="link" onClick={() => open(paths.hub(hub.id))}>
                Where it delivers
              </Button>
            )}
            <Button kind="link" onClick={() => open(paths.hubs)}>
              Select a Different Location
            </Button>
            {profile?.isGuest && (
              <Button kind="link" onClick={() => replaceWithModal({ kind: "welcome" })}>
                Enter another zip code
              </Button>
            )}
          </div>
        </div>
      </DialogBody>
      <DialogFoot>
        <Button wide size="lg" busy={state === "busy" && "Changing market…"} onClick={() => void done()}>
          Done
        </Button>
      </DialogFoot>
    </>
  );
}
