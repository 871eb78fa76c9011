import type { ListedOrder } from "@marketday/contracts/admin/order-list";
import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { useNavigate } from "react-router";

import { paths } from "../../lib/paths.ts";

export const rowIdOf = (orderId: number | string): string => `order-row-${orderId}`;
export const rowId = ({ orderId }: ListedOrder): string => rowIdOf(orderId);

interface RowWalk {
  rows: readonly ListedOrder[] | undefined;
  /** Where the open order is in the rows; -1: it is not there. */
  at: number;
  /** The rows are those of the filter or page before. */
  isOld: boolean;
  page: number;
  pages: number;
  /** Goes to a page, which replaces this one in the history. */
  onPage: (page: number) => void;
}

/** From order to order, also over the end of a page. */
export function useRowWalk({ rows, at, isOld, page, pages, onPage }: RowWalk) {
  const navigate = useNavigate();
  const open = useCallback(
    ({ orderId }: Pick<ListedOrder, "orderId">, replace = false) =>
      void navigate(`${paths.order(orderId)}${location.search}`, { replace }),
    [navigate],
  );
  /** The row of another page that is opened or focused once it has arrived. */
  const [edge, setEdge] = useState<{ page: number; by: 1 | -1; opens: boolean } | null>(null);
  const turn = (by: 1 | -1, opens: boolean) => {
    const next = page + by;
    if (isOld || next < 1 || next > pages) return;
    setEdge({ page: next, by, opens });
    onPage(next);
  };
  const arrive = useEffectEvent((orders: readonly ListedOrder[]) => {
    if (edge?.page !== page) return;
    const row = edge.by === 1 ? orders[0] : orders.at(-1);
    setEdge(null);
    if (!row) return;
    if (edge.opens) open(row, true);
    else document.getElementById(rowId(row))?.focus();
  });
  useEffect(() => {
    if (!isOld && rows) arrive(rows);
  }, [isOld, rows]);
  /** From row to row with the panel open is no entry of the history. */
  const walk = (by: 1 | -1) => {
    if (!rows) return;
    const order = rows[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
    if (order) open(order, true);
    else turn(by, true);
  };
  return { open, turn, walk };
}
