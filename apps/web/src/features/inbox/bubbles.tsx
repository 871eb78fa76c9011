import type { Message } from "@marketday/contracts/inbox";

import { byDay, timeOf } from "./days.ts";

import s from "./bubbles.module.css";

/** What was written, under its days: by side and by name. */
export const Bubbles = ({
  messages,
  vendorName,
  now,
}: {
  messages: readonly Message[];
  vendorName: string;
  now: Date;
}) => (
  <div className={s.days}>
    {byDay(messages, now).map(({ day, messages: ofDay }) => (
      <section key={day} aria-label={day} className={s.day}>
        <h3 className={s.divider}>{day}</h3>
        <ol className={s.list}>
          {ofDay.map(({ sender, created, message }) => (
            <li
              key={`${created} ${sender} ${message}`}
              className={s.bubble}
              data-mine={sender === "C" ? "" : undefined}
            >
              <p className={s.who}>
                <b>{sender === "C" ? "You" : vendorName}</b> <time dateTime={created}>{timeOf(created)}</time>
              </p>
              <p className={s.words}>{message}</p>
            </li>
          ))}
        </ol>
      </section>
    ))}
  </div>
);
