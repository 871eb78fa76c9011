import { useSettled } from "@marketday/client/use-settled.ts";
import type { ListedOrder } from "@marketday/contracts/admin/order-list";
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
import { type LateRows, NO_ROWS, SEARCHING } from "./late-rows.ts";
import { parseTyped } from "./typed-commands.ts";

/** Characters from which on orders are searched for. */
const LEAST = 3;
const MOST = 5;
/** From the last key to the search, ms. */
const PAUSE_MS = 250;

/** Orders that a text of the palette finds by name, number, phone or email: the newest five. */
export function useFoundOrders(text: string): LateRows {
  const seesOrders = useCan("orders.read");
  const typed = text.trim();
  const wanted = seesOrders && typed.length >= LEAST && parseTyped(typed) === null ? typed : null;
  const settled = useSettled(wanted, PAUSE_MS);
  const { data, isLoading } = useQuery({ ...foundQuery(settled ?? ""), enabled: settled !== null });
  if (wanted === null) return NO_ROWS;
  // The answer for another text is older.
  if (settled !== wanted || isLoading) return SEARCHING;
  return { rows: (data?.orders ?? []).slice(0, MOST).map(orderRow), isPending: false };
}

function orderRow({ orderId, name, hub, day, total }: ListedOrder): Command {
  return {
    id: `found:${orderId}`,
    title: nameOf(name),
    detail: t.foundOrder(formatOrderNumber(orderId), formatDay(calendarDate(day)), hub.name, formatMoney(total)),
    icon: "order",
    words: "",
    does: { to: paths.order(orderId) },
    command: `orders show ${orderId}`,
  };
}
