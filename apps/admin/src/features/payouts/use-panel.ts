import { useIsDesktop } from "@marketday/client/use-media.ts";
import { useCallback } from "react";
import { useNavigate } from "react-router";

import * as t from "#messages/payouts";

import { useListScroll, usePanelFocus } from "../orders/panel-host.ts";
import { useShortcuts } from "../shell/shortcuts.ts";

/** The id of the title of a panel, which takes the focus. */
export const panelTitleId = (id: string): string => `payouts-panel-${id}`;
export const rowId = (id: number | string): string => `payouts-row-${id}`;

interface PanelOptions {
  /** The id of the address; null: no panel is open. */
  openId: string | null;
  /** The ids of the rows, in their order. */
  ids: readonly number[];
  pathOf: (id: number) => string;
  /** Of the list without a panel. */
  listPath: string;
}

/** The panel of one row beside its list: opened by the row, walked with J and K, closed with Esc; the query of the address stays. */
export function usePanel({ openId, ids, pathOf, listPath }: PanelOptions) {
  const navigate = useNavigate();
  const isDesktop = useIsDesktop();
  const isOpen = openId !== null;
  const isWhole = isOpen && !isDesktop;
  useListScroll(isWhole);
  const giveFocus = usePanelFocus(openId, rowId, panelTitleId, "[data-payouts-panel]");
  const at = ids.findIndex((id) => String(id) === openId);
  const go = useCallback(
    (id: number, replace = false) => void navigate(`${pathOf(id)}${location.search}`, { replace }),
    [navigate, pathOf],
  );
  const close = () => void navigate(`${listPath}${location.search}`);
  /** From row to row with the panel open is no entry of the history. */
  const walk = (by: 1 | -1) => {
    const next = ids[at === -1 ? (by === 1 ? 0 : ids.length - 1) : at + by];
    if (next !== undefined) go(next, true);
  };
  useShortcuts(
    isOpen
      ? [
          { keys: "(j|J|ArrowDown)", shown: "J", label: t.nextRow, run: () => walk(1) },
          { keys: "(k|K|ArrowUp)", shown: "K", label: t.previousRow, run: () => walk(-1) },
          { keys: "Escape", label: t.closePanel, run: close },
        ]
      : [],
  );
  return {
    isWhole,
    isBeside: isOpen && isDesktop,
    open: useCallback(
      (id: number) => {
        giveFocus();
        go(id);
      },
      [go, giveFocus],
    ),
    /** The panel follows the focus. */
    move: isOpen ? (id: number) => go(id, true) : undefined,
    /** For `SidePanel`. */
    panel: {
      place: at === -1 ? undefined : t.place(at + 1, ids.length),
      onPrevious: at > 0 ? () => walk(-1) : undefined,
      onNext: at !== -1 && at < ids.length - 1 ? () => walk(1) : undefined,
      onClose: close,
      isWhole,
    },
  };
}
