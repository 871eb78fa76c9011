import { useMarketNow } from "@marketday/client/clock.ts";
import { useAction } from "@marketday/client/forms/use-action.ts";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { CalendarLeaf } from "@marketday/ui/calendar-leaf.tsx";
import { DialogBody, DialogFoot, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { RadioRows } from "@marketday/ui/radio-rows.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useState } from "react";

import { messages } from "../../lib/messages.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { paths } from "../../navigation/paths.ts";
import { useShopper } from "../session/api.ts";
import { useHub } from "./api.ts";
import { SpecialHub } from "./hub-facts.tsx";
import { HubWeek } from "./hub-week.tsx";
import { useSwitchHub } from "./switch-hub.ts";

/** Market Selection (spec §2.4): which market this is, and which delivery day where several markets come. */
export default function MarketModal() {
  const { profile, hubId } = useShopper();
  const hub = useHub();
  const now = useMarketNow();
  const { close, open, replaceWithModal } = useNavigation();
  const switchHub = useSwitchHub();
  const [chosen, setChosen] = useState(hubId);
  const { running, error, attempt } = useAction();
  const hubs = profile?.hubs ?? [];

  const done = async () => {
    if (running) return;
    if (chosen === null || chosen === hubId) return close();
    const name = hubs.find(({ id }) => id === chosen)?.name;
    if (name) toast({ text: messages.changingMarket(name) });
    await attempt(
      "switch",
      async () => {
        await switchHub(chosen);
        close();
      },
      () => messages.hubSwitch,
    );
  };

  return (
    <>
      <DialogBody>
        <Stack gap={4}>
          <DialogTitle>{hub?.name ?? "Your market"}</DialogTitle>
          {hub && <HubWeek hub={hub} now={now} />}
          {hub && <SpecialHub hub={hub} />}
          {profile?.homeDelivery && (
            <Banner tone={profile.homeDelivery.isPossible ? "other" : "information"}>
              {profile.homeDelivery.note}
            </Banner>
          )}
          {hubs.length > 1 && (
            <RadioRows
              legend="Delivery day"
              value={chosen}
              onChange={setChosen}
              rows={hubs.map(({ id, name, deliveryDay, nextDeliveryDate }) => ({
                value: id,
                label: deliveryDay,
                note: nextDeliveryDate
                  ? `${name}, next ${formatLong(calendarDate(nextDeliveryDate), dateInZone(now, hub?.timeZone ?? "UTC"))}`
                  : name,
                end: nextDeliveryDate ? <CalendarLeaf date={nextDeliveryDate} /> : undefined,
              }))}
            />
          )}
          {error && (
            <Banner tone="error" role="alert">
              {error}
            </Banner>
          )}
          <Stack gap={0} align="start">
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
          </Stack>
        </Stack>
      </DialogBody>
      <DialogFoot>
        <Button wide size="lg" busy={running !== null && "Changing market…"} onClick={() => void done()}>
          Done
        </Button>
      </DialogFoot>
    </>
  );
}
