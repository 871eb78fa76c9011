import { useMarketNow } from "@marketday/client/clock.ts";

import * as t from "#messages/customers";

import { formatTime } from "../day/format.ts";
import { Section } from "../orders/section.tsx";
import type { Customer } from "./api.ts";
import { historyTitle } from "./format.ts";

import s from "./customers.module.css";

/** What was done to and for them, and the emails that went out, newest first. */
export function HistorySection({ customer: { history }, zone }: { customer: Customer; zone: string }) {
  const now = useMarketNow();
  return (
    <Section id="customer-history" title={t.historyTitle} note={history.length > 0 && history.length}>
      {history.length === 0 && <p className={s.quiet}>{t.noHistory}</p>}
      <ol className={s.history}>
        {history.map((event, place) => (
          // An event has no key, and two may be alike.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${event.at} ${event.what} ${place}`} className={s.event} data-kind={event.kind}>
            <b>{historyTitle(event)}</b>
            <small>
              {[
                [event.who ?? (event.kind === "audit" && t.automatically), formatTime(event.at, zone, now)]
                  .filter(Boolean)
                  .join(", "),
                event.why,
              ]
                .filter(Boolean)
                .join(". ")}
            </small>
          </li>
        ))}
      </ol>
    </Section>
  );
}
