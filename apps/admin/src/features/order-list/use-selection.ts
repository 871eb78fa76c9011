import { useAction } from "@marketday/client/forms/use-action.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { ListedOrder, OrderList } from "@marketday/contracts/admin/order-list";
import { announce } from "@marketday/ui/live-region.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useCallback, useEffect } from "react";

import * as t from "#messages/order-list";

import { call } from "../../lib/api.ts";
import { useFilterState } from "../orders/use-filter-state.ts";
import type { ListFilter } from "./api.ts";
import { chooseAll, NONE, togglePage, toggleRange, toggleRow } from "./selection.ts";

interface Shown {
  rows: readonly ListedOrder[] | undefined;
  /** The rows are those of the filter or page before. */
  isOld: boolean;
  sums: OrderList["sums"] | undefined;
}

/** The orders that are selected on whichever page of a filter; with another filter none are. */
export function useSelection({ q, hub, sort }: ListFilter, { rows, isOld, sums }: Shown) {
  const [selection, setSelection] = useFilterState(`${hub ?? ""} ${q}`, NONE);
  const all = useAction();
  useEffect(() => {
    if (all.error !== null) toast({ text: all.error, tone: "error" });
  }, [all.error]);
  const toggle = useCallback(
    (order: ListedOrder, isRange: boolean) => {
      // Rows of the filter before are in no selection of this one.
      if (!isOld)
        setSelection((before) => (isRange && rows ? toggleRange(before, rows, order) : toggleRow(before, order)));
    },
    [rows, isOld, setSelection],
  );
  const selectAll = async () => {
    if (!sums || sums.orders === 0 || isOld) return;
    const querystring = { q, sort, ...(hub !== null && { hub }) };
    const found = await all.attempt("all", () => call(calls.listOrderIds, { querystring }));
    if (!found) return;
    // With another filter meanwhile it is not wanted any more.
    if (setSelection(() => chooseAll(found.ids, sums, rows))) announce(t.selected(found.ids.length));
  };
  return {
    selection,
    toggle,
    togglePage: () => {
      if (rows && !isOld) setSelection((before) => togglePage(before, rows));
    },
    selectAll: () => void selectAll(),
    isSelectingAll: all.running !== null,
    clear: () => {
      setSelection(() => NONE);
      announce(t.selected(0));
    },
  };
}
