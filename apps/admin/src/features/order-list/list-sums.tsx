import type { OrderList } from "@marketday/contracts/admin/order-list";
import type { OrderQuery } from "@marketday/domain/order-query";
import { formatMoney } from "@marketday/ui/money.ts";
import { Money } from "@marketday/ui/price.tsx";

import * as t from "#messages/order-list";

import { formatToken } from "./format.ts";

/** What the filter names, whose units are counted: one product, or one vendor. */
export function matchingOf({ tokens }: OrderQuery, titles: ReadonlyMap<string, string>): string | null {
  const named = tokens.filter(({ name }) => name === "product" || name === "vendor");
  return named.length === 1 && named[0] ? formatToken(named[0], titles) : null;
}

/** The sums below the list. `matching`: what the filter names. */
export function sumsOf({ orders, total, due, matchingUnits }: OrderList["sums"], matching: string | null) {
  return [
    { label: t.sumOrders(orders), value: null },
    { label: t.sumTotal, value: <Money amount={total} /> },
    ...(due > 0 ? [{ label: t.sumOwes, value: formatMoney(due) }] : []),
    ...(matchingUnits === null ? [] : [{ label: matching ?? t.sumMatching, value: t.number(matchingUnits) }]),
  ];
}
