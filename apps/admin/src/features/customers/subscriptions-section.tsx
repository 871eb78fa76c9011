import { useMarketNow } from "@marketday/client/clock.ts";
import { calendarDate, dateInZone, formatShort } from "@marketday/domain/calendar-date";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";

import * as t from "#messages/customers";

import { Section } from "../orders/section.tsx";
import type { Customer } from "./api.ts";

import s from "./customers.module.css";

/** What they get regularly, and when next. */
export function SubscriptionsSection({ customer, zone }: { customer: Customer; zone: string }) {
  const now = useMarketNow();
  const { subscriptions, deletedAt } = customer;
  if (deletedAt !== null) return null;
  const today = dateInZone(now, zone);
  return (
    <Section
      id="customer-subscriptions"
      title={t.subscriptionsTitle}
      note={subscriptions.length > 0 && subscriptions.length}
    >
      {subscriptions.length === 0 ? (
        <p className={s.quiet}>{t.noSubscriptions}</p>
      ) : (
        <ul className={s.rows}>
          {subscriptions.map(({ id, kind, title, vendor, quantity, every, next, isPaused }) => (
            <li key={`${kind} ${id}`} className={s.rowItem}>
              <div>
                <b>{title}</b>
                <small>{[kind === "bundle" ? t.bundleBy(vendor) : vendor].filter(Boolean).join(", ")}</small>
              </div>
              <div className={s.rowEnd}>
                <span>{t.schedule(quantity, every)}</span>
                {isPaused ? (
                  <StatusMark shape="off" quiet>
                    {t.paused}
                  </StatusMark>
                ) : (
                  <small>{next === null ? t.noNext : t.nextOn(formatShort(calendarDate(next), today))}</small>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
