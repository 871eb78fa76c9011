import { useMarketNow } from "@marketday/client/clock.ts";
import type { InboxItem } from "@marketday/contracts/admin/inbox";
import { calendarDate, dateInZone, formatShort } from "@marketday/domain/calendar-date";
import { Link } from "@marketday/ui/link.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { useLocation } from "react-router";

import * as t from "#messages/inbox";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { useCan } from "../session/api.ts";
import { AssigneeField } from "./assignee-field.tsx";
import { Section } from "./section.tsx";

import s from "./inbox.module.css";

/** Who wrote it, about which order, whose it is, and what else they wrote. */
export function ItemFacts({ item }: { item: InboxItem }) {
  const { sender, order, earlier, hub } = item;
  const now = useMarketNow();
  const { search } = useLocation();
  const seesOrders = useCan("orders.read");
  const seesPeople = useCan("people.read");
  const today = dateInZone(now, hub?.timeZone ?? "UTC");
  return (
    <>
      {item.can.assign && <AssigneeField key={`${item.kind}/${item.id}`} item={item} />}
      <Section id="inbox-sender" title={t.sender}>
        <p>
          {sender.customerId !== null && seesPeople ? (
            <Link to={paths.customer(sender.customerId)} className={s.link}>
              {sender.name || t.noName}
            </Link>
          ) : (
            <b>{sender.name || t.noName}</b>
          )}
        </p>
        <dl className={s.facts}>
          <div>
            <dt>{t.email}</dt>
            <dd>{sender.email || t.none}</dd>
          </div>
          <div>
            <dt>{t.phone}</dt>
            <dd>{sender.phone || t.none}</dd>
          </div>
        </dl>
      </Section>
      {order && (
        <Section id="inbox-order" title={t.orderFacts}>
          {seesOrders && (
            <p>
              <Link to={paths.order(order.id)} className={s.link}>
                {t.order(formatOrderNumber(order.id))}
              </Link>
            </p>
          )}
          <dl className={s.facts}>
            <div>
              <dt>{t.deliveryDay}</dt>
              <dd>{formatShort(calendarDate(order.day), today)}</dd>
            </div>
            <div>
              <dt>{t.total}</dt>
              <dd>
                <Money amount={order.total} />
              </dd>
            </div>
          </dl>
          {seesOrders && <p className={s.quiet}>{t.refundThere}</p>}
        </Section>
      )}
      <Section id="inbox-earlier" title={t.earlier}>
        {earlier.length === 0 && <p className={s.quiet}>{t.noEarlier}</p>}
        <ul className={s.earlier}>
          {earlier.map(({ kind, id, words, at }) => (
            <li key={`${kind} ${id}`}>
              <Link to={`${paths.inboxItem(kind, id)}${search}`} className={s.earlierLink}>
                <b>{t.kinds[kind]}</b>
                <span>{words || t.noWords}</span>
              </Link>
              <small>{t.age(now.getTime() - Date.parse(at))}</small>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}
