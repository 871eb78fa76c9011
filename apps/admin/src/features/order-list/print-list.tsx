import type { OrderList } from "@marketday/contracts/admin/order-list";
import { calendarDate } from "@marketday/domain/calendar-date";
import { formatMoney } from "@marketday/ui/money.ts";
import { useEffect } from "react";

import * as t from "#messages/order-list";
import * as words from "#messages/orders";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { boxStatus, moneyStatus, nameOf } from "../orders/format.ts";
import { formatDay, formatStop } from "./format.ts";

import s from "./order-list.module.css";

interface PrintListProps {
  /** What the list shows, in words. */
  title: string;
  list: Pick<OrderList, "orders" | "sums">;
  onDone: () => void;
}

const HEADS = ["day", "tote", "order", "name", "where", "stop", "lines", "total", "money", "status"] as const;

/** The list on paper: all orders that match, and nothing of the screen. */
export function PrintList({ title, list: { orders, sums }, onDone }: PrintListProps) {
  useEffect(() => {
    addEventListener("afterprint", onDone);
    window.print();
    return () => removeEventListener("afterprint", onDone);
  }, [onDone]);
  return (
    <div className={s.paper}>
      <p className={s.paperTitle}>{title}</p>
      <p>
        {orders.length < sums.orders ? t.printedPart(orders.length, sums.orders) : t.sumOrders(sums.orders)}
        {`, ${t.sumTotal} ${formatMoney(sums.total)}`}
        {sums.due > 0 && `, ${t.sumOwes} ${formatMoney(sums.due)}`}
      </p>
      <table>
        <thead>
          <tr>
            {HEADS.map((key) => (
              <th key={key} scope="col">
                {t.columnNames[key]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.orderId}>
              <td>{formatDay(calendarDate(order.day))}</td>
              <td>{order.tote}</td>
              <td>{formatOrderNumber(order.orderId)}</td>
              <td>{nameOf(order.name)}</td>
              <td>{words.place(order.isPickup, order.place)}</td>
              <td>{formatStop(order)}</td>
              <td>{order.lines}</td>
              <td>{formatMoney(order.total)}</td>
              <td>{moneyStatus(order.money).word}</td>
              <td>{boxStatus(order.status).word}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
