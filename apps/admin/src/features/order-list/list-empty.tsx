import type { OrderList } from "@marketday/contracts/admin/order-list";
import { Link } from "@marketday/ui/link.tsx";

import * as lists from "#messages/list";
import * as t from "#messages/order-list";

import s from "./order-list.module.css";

interface Empty {
  /** What is looked for. */
  words: string;
  /** How many filters there are. */
  filters: number;
  list: OrderList | undefined;
  /** Addresses: without the filter, and of the first page. */
  clear: string;
  firstPage: string;
}

/** What was looked for, how many there are without the filter, and the way back to all. */
export function emptyOf({ words, filters, list, clear, firstPage }: Empty) {
  const link = (path: string, text: string) => (
    <Link to={path} className={s.link}>
      {text}
    </Link>
  );
  if (list && list.sums.orders > 0) return { title: t.noneOnPage, action: link(firstPage, t.toFirstPage) };
  if (words === "" || list?.all === 0) return { title: t.noOrders, note: t.noOrdersNote };
  return {
    title: t.noneMatch(words),
    note: t.ordersInAll(list?.all ?? 0, filters),
    action: link(clear, lists.clearFilter),
  };
}
