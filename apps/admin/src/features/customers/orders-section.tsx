import { useMarketNow } from "@marketday/client/clock.ts";
import { dateInZone } from "@marketday/domain/calendar-date";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Money } from "@marketday/ui/price.tsx";
import { useState } from "react";

import * as t from "#messages/customers";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { Section } from "../orders/section.tsx";
import type { Customer } from "./api.ts";
import { CellLink } from "./cell-link.tsx";
import { formatDateOf, orderStatus } from "./format.ts";

import s from "./customers.module.css";

/** As many orders as are listed before one asks for more. */
const FIRST_ORDERS = 5;

/** What they ordered in the markets that the staff member sees, newest first. */
export function OrdersSection({ customer, zone }: { customer: Customer; zone: string }) {
  const now = useMarketNow();
  const [isWhole, setWhole] = useState(false);
  const { orders, orderCount, spent } = customer;
  const today = dateInZone(now, zone);
  const shown = isWhole ? orders : orders.slice(0, FIRST_ORDERS);
  return (
    <Section id="customer-orders" title={t.ordersTitle} note={t.ordersNote(orderCount, formatMoney(spent))}>
      {orders.length === 0 ? (
        <p className={s.quiet}>{t.noOrders}</p>
      ) : (
        <div className={s.tableFrame}>
          <table className={s.table} aria-label={t.ordersTitle}>
            <thead>
              <tr>
                <th scope="col">{t.order}</th>
                <th scope="col">{t.day}</th>
                <th scope="col">{t.status}</th>
                <th scope="col" className={s.numberSpare}>
                  {t.items}
                </th>
                <th scope="col" className={s.number}>
                  {t.total}
                </th>
              </tr>
            </thead>
            <tbody>
              {shown.map(({ id, day, hub, status, units, total }) => {
                const { shape, word } = orderStatus(status);
                return (
                  <tr key={id}>
                    <td>
                      <CellLink to={paths.order(id)}>{formatOrderNumber(id)}</CellLink>
                    </td>
                    <td>
                      {formatDateOf(day, today)}
                      {hub.id !== customer.hub?.id && <small>{hub.name}</small>}
                    </td>
                    <td>
                      <StatusMark shape={shape} quiet>
                        {word}
                      </StatusMark>
                    </td>
                    <td className={s.numberSpare}>{units}</td>
                    <td className={s.number}>
                      <Money amount={total} />
                    </td>
                  </tr>
                );
              })}
            </tbody>
          </table>
        </div>
      )}
      {orders.length > FIRST_ORDERS && (
        <Compact size="sm">
          <Button kind="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? t.fewerOrders : t.moreOrders(orders.length - FIRST_ORDERS)}
          </Button>
        </Compact>
      )}
      {isWhole && orderCount > orders.length && (
        <p className={s.quiet}>
          {`${t.newestOf(orders.length, orderCount)} `}
          <CellLink to={`${paths.orders}?q=${encodeURIComponent(`customer:${customer.id}`)}`}>{t.allInOrders}</CellLink>
        </p>
      )}
    </Section>
  );
}
