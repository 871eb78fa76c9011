import type { Hub } from "@marketday/contracts/hubs";
import { Banner } from "@marketday/ui/banner.tsx";
import { cx } from "@marketday/ui/cx.ts";
import { formatMoney } from "@marketday/ui/money.ts";

import { config } from "../../lib/boot.ts";
import { orderByRule } from "./format.ts";

import s from "./hub-facts.module.css";

/** Which day, until when, for how much: what one compares markets by (spec §2.1 /hubs/{id}). */
export function HubFacts({ hub, explained }: { hub: Pick<Hub, "deliveryDay" | "deliveryFee">; explained?: boolean }) {
  const orderBy = orderByRule(hub.deliveryDay);
  return (
    <dl className={cx(s.facts, explained && s.wide)}>
      <div>
        <dt>Delivers</dt>
        <dd>{hub.deliveryDay}s</dd>
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
        <dd>{formatMoney(hub.deliveryFee)} flat</dd>
      </div>
    </dl>
  );
}

/** The extra block of the one special market, where there is something to say (spec §2.4). */
export const SpecialHub = ({ hub }: { hub: Pick<Hub, "id"> }) =>
  hub.id === config.specialHubId && config.specialHubText ? (
    <Banner tone="information">{config.specialHubText}</Banner>
  ) : null;
