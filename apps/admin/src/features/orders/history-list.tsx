import { useMarketNow } from "@marketday/client/clock.ts";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";

import * as t from "#messages/orders";

import { formatTime } from "../day/format.ts";
import { type BoxEvent, eventTitle, mailName, personName } from "./history-words.ts";
import { useResend } from "./use-resend.ts";

import s from "./orders.module.css";

/** When, who and why, in one line. */
function eventNote({ kind, at, sentAt, who, name, why, amount }: BoxEvent, zone: string, now: Date): string {
  const person = name ?? personName(who);
  const money = amount === null || amount === 0 ? null : formatMoney(amount);
  const time = formatTime(kind === "mail" && sentAt !== null ? sentAt : at, zone, now);
  const line = [money, person, time, kind === "mail" && sentAt === null && t.mailWaits].filter(Boolean).join(", ");
  return why === "" ? line : `${line}. ${why}`;
}

/** What happened to a box, newest first; a mail can be sent again. */
export function HistoryList({ order }: { order: OrderBox }) {
  const now = useMarketNow();
  const { resend, sending, failure } = useResend(order);
  const { history, hub, can } = order;
  return (
    <section className={s.section} aria-labelledby="order-history">
      <div className={s.sectionHead}>
        <h3 id="order-history">{t.history}</h3>
        {history.length > 0 && <span>{history.length}</span>}
      </div>
      {failure !== null && (
        <p className={s.failure} role="alert">
          {failure}
        </p>
      )}
      {history.length === 0 && <p className={s.quiet}>{t.noHistory}</p>}
      <ol className={s.history}>
        {history.map((event, place) => (
          // An event has no key, and two may be alike.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={`${event.at} ${event.kind} ${event.what} ${place}`} className={s.event} data-kind={event.kind}>
            <b>{eventTitle(event)}</b>
            <small>{eventNote(event, hub.timeZone, now)}</small>
            {can.resend && event.mailId !== null && (
              <Compact size="sm">
                <Button
                  kind="link"
                  busy={sending === event.mailId && t.sendingAgain}
                  disabled={sending !== null}
                  aria-label={t.sendAgainLabel(mailName(event.what))}
                  onClick={() => resend(event.mailId!)}
                >
                  {t.sendAgain}
                </Button>
              </Compact>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
