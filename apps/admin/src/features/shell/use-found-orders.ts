import { useSettled } from "@marketday/client/use-settled.ts";
import { calendarDate } from "@marketday/domain/calendar-date";
import { formatMoney } from "@marketday/ui/money.ts";
import { useQuery } from "@tanstack/react-query";

import * as t from "#messages/shell";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { foundQuery } from "../order-list/api.ts";
import { formatDay } from "../order-list/format.ts";
import { nameOf } from "../orders/format.ts";
import { useCan } from "../session/api.ts";
import type { Command } from "./commands.ts";
import { parseTyped } from "./typed-commands.ts";

/** Characters from which on orders are searched for. */
const LEAST = 3;
const MOST = 5;
/** From the last key to the search, ms. */
const PAUSE_MS = 250;

/** Orders that a text of the palette finds by name, number, phone or email: the newest five. */
export function useFoundOrders(text: string): Command[] {
  const seesOrders = useCan("orders.read");
  const wanted = text.trim();
  const settled = useSettled(wanted, PAUSE_MS);
  const isSearched = seesOrders && settled.length >= LEAST && parseTyped(settled) === null;
  const { data } = useQuery({ ...foundQuery(settled), enabled: isSearched });
  // The answer for another text is older.
  if (!isSearched || settled !== wanted || !data) return [];
  return data.orders.slice(0, MOST).map((order): Command => {
    const { orderId, name, hub, day, total } = order;
    return {
      id: `found:${orderId}`,
      title: nameOf(name),
      detail: t.foundOrder(formatOrderNumber(orderId), formatDay(calendarDate(day)), hub.name, formatMoney(total)),
      icon: "order",
      words: "",
      does: { to: paths.order(orderId) },
      command: `orders show ${orderId}`,
    };
  });
}
