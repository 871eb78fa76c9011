import type { Hub } from "@marketday/contracts/hubs";
import { hubFacts } from "@marketday/domain/hub-facts";
import { Banner } from "@marketday/ui/banner.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { formatMoney } from "@marketday/ui/money.ts";

import { config } from "../../lib/boot.ts";

import s from "./hub-facts.module.css";

/** Which day, until when, for how much: what one compares markets by (spec §2.1 /hubs/{id}). */
export function HubFacts({ hub, explained }: { hub: Pick<Hub, "deliveryDay" | "deliveryFee">; explained?: boolean }) {
  const { delivers, orderBy, fee } = hubFacts(hub.deliveryDay, formatMoney(hub.deliveryFee));
  return (
    <dl className={cx(s.facts, explained && s.wide)}>
      <div>
        <dt>Delivers</dt>
        <dd>{delivers}</dd>
      </div>
      {orderBy && (
        <div>
          <dt>Order by</dt>
          <dd>
            {orderBy}
            {explained && <small>the day before</small>}
          </dd>
        </div>
      )}
      <div>
        <dt>Delivery fee</dt>
        <dd>{fee}</dd>
      </div>
    </dl>
  );
}

/** The extra block of the one special market, where there is something to say (spec §2.4). */
export const SpecialHub = ({ hub }: { hub: Pick<Hub, "id"> }) =>
  hub.id === config.specialHubId && config.specialHubText ? (
    <Banner tone="information">{config.specialHubText}</Banner>
  ) : null;
