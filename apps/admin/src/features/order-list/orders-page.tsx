import { messageOf } from "@marketday/client/messages.ts";
import { useIsDesktop, useMedia } from "@marketday/client/use-media.ts";
import type { ListedOrder } from "@marketday/contracts/admin/order-list";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { parseOrderQuery } from "@marketday/domain/order-query";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { DataTable } from "@marketday/ui/admin/data-table.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation, useNavigate, useParams } from "react-router";

import * as views from "#messages/list";
import * as t from "#messages/order-list";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { FILTER_ID, FilterBox } from "../list/filter-box.tsx";
import { wordsOf } from "../list/filter-text.ts";
import { ListMenu } from "../list/list-menu.tsx";
import { savedKey, useViewWrites } from "../list/saved-views.ts";
import { useTitles } from "../list/token-titles.ts";
import { ViewTabs } from "../list/view-tabs.tsx";
import { nameOf } from "../orders/format.ts";
import { LateOrderPanel, usePanelCode } from "../orders/late-order-panel.tsx";
import { useListScroll, usePanelFocus } from "../orders/panel-host.ts";
import { useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { PageHead } from "../shell/page-head.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { filterProblem, type ListFilter, listQuery, PAGE_SIZE } from "./api.ts";
import { formatToken } from "./format.ts";
import { isSortColumn, type ListAddress, nextSort, readAddress, withAddress } from "./list-address.ts";
import { ListDialogs, type OpenDialog } from "./list-dialogs.tsx";
import { emptyOf } from "./list-empty.tsx";
import { matchingOf, sumsOf } from "./list-sums.tsx";
import { ORDER_FILTER } from "./order-filter.ts";
import { PrintList } from "./print-list.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { readColumns, storeColumns, useColumns } from "./use-columns.ts";
import { keyOf, useListRows } from "./use-list-rows.ts";
import { usePrint } from "./use-print.ts";
import { rowId, rowIdOf, useRowWalk } from "./use-row-walk.ts";
import { useSelection } from "./use-selection.ts";
import { useListViews } from "./use-views.ts";
import { isChanged, type ListView, viewOf } from "./views.ts";

import s from "./order-list.module.css";

const labelOf = ({ orderId, name }: ListedOrder): string => t.selectOrder(formatOrderNumber(orderId), nameOf(name));
/** In the state of a history entry: it was made by typing, and what is typed next replaces it. */
const TYPED = { isTyped: true };

/** Every order: views, a filter, the list with its sums, and the panel of an order beside it. */
export default function OrdersPage() {
  const { order: openId = null } = useParams();
  const { search, pathname, state: entry } = useLocation() as ReturnType<typeof useLocation> & { state: unknown };
  const navigate = useNavigate();
  const isDesktop = useIsDesktop();
  const isNarrow = useMedia("(max-width: 639.98px)");
  const me = useMe();
  const { hub, to } = useHubFilter();
  const address = readAddress(search);
  const { q, sort, page } = address;
  const tabs = useListViews(hub?.slug ?? null);
  const view = viewOf(tabs, address);
  const filter: ListFilter = { q, hub: hub?.slug ?? null, sort };
  const query = useQuery(listQuery(filter, page));
  const { data, error, isPlaceholderData, refetch } = query;
  const openKey = openId === null ? null : Number(openId);
  const isOpen = openId !== null;
  const isWhole = isOpen && !isDesktop;
  const listKey = JSON.stringify([filter, page]);
  const shown = useListRows(isPlaceholderData ? undefined : data?.orders, listKey, openKey);
  const isOld = shown.view !== listKey;
  const rows = isOld && error && !isPlaceholderData ? undefined : shown.rows;
  const at = rows?.findIndex(({ orderId }) => orderId === openKey) ?? -1;
  const count = data?.sums.orders ?? 0;
  const pages = Math.max(1, Math.ceil(count / PAGE_SIZE));
  const parsed = parseOrderQuery(q);
  const titles = useTitles(ORDER_FILTER, parsed.tokens);
  const [dialog, setDialog] = useState<OpenDialog | null>(new URLSearchParams(search).has("recall") ? "recall" : null);
  usePanelCode();
  useListScroll(isWhole);
  const giveFocus = usePanelFocus(openId, rowIdOf);
  const { selection, toggle, ...selecting } = useSelection(filter, { rows, isOld, sums: data?.sums });
  const { print, download, ...paper } = usePrint(filter);
  const writes = useViewWrites("orders");

  const go = (change: Partial<ListAddress>, options?: { replace?: boolean; state?: unknown }) =>
    void navigate(withAddress(pathname, withoutRecall(search), change), options);

  const { open, turn, walk } = useRowWalk({
    rows,
    at,
    isOld,
    page,
    pages,
    onPage: (next) => go({ page: next }, { replace: true }),
  });
  const openRow = useCallback(
    (order: ListedOrder) => {
      giveFocus();
      open(order);
    },
    [open, giveFocus],
  );
  const close = () => void navigate(`${paths.orders}${search}`);
  const toPage = (next: number) => {
    if (next < 1 || next > pages) return;
    go({ page: next });
    scrollTo(0, 0);
  };

  const { keys, usual, columns, list } = useColumns({
    address,
    view,
    query: parsed,
    isOneHub: hub !== null || me.hubs.length < 2,
    isBeside: isOpen,
    isNarrow,
  });
  const holds = { query: q, sort, columns: [...(address.columns ?? readColumns(view) ?? [])] };
  const isEdited = isChanged(view, address);
  const addressOf = (one: ListView): string =>
    to(withAddress(pathname, "", { view: one.key, q: one.q, sort: one.sort, columns: readColumns(one) }));

  useShortcuts([
    { keys: "[Shift]+/", shown: "/", label: t.filterKey, run: () => document.getElementById(FILTER_ID)?.focus() },
    ...(count > 0
      ? [
          { keys: "$mod+a", label: t.selectAllKey(count), run: selecting.selectAll },
          { keys: "e", label: t.exportCount(count), run: download },
        ]
      : []),
    ...(isOpen
      ? [
          { keys: "(j|J|ArrowDown)", shown: "J", label: t.nextOrder, run: () => walk(1) },
          { keys: "(k|K|ArrowUp)", shown: "K", label: t.previousOrder, run: () => walk(-1) },
          {
            keys: "[Shift]+(x|X)",
            shown: "X",
            label: t.selectKey,
            run: ({ shiftKey }: KeyboardEvent) => {
              const order = rows?.[at];
              if (order) toggle(order, shiftKey);
            },
          },
          { keys: "Escape", label: t.closePanel, run: close },
        ]
      : selection.ids.size > 0
        ? [{ keys: "Escape", label: t.clearSelection, run: selecting.clear }]
        : []),
  ]);

  const zone = (hub ?? me.hubs[0])?.timeZone ?? "UTC";
  const first = (page - 1) * PAGE_SIZE;
  const openOrder = rows?.[at];
  const refusal = filterProblem(error);
  const changedKeys = useMemo(
    () => new Set([...(shown.changed ?? []), ...(shown.gone ?? [])]),
    [shown.changed, shown.gone],
  );
  const words = wordsOf(parsed, (token) => formatToken(token, titles));
  const bar = selection.ids.size > 0 && (
    <SelectionBar
      selection={selection}
      all={count}
      matching={matchingOf(parsed, titles)}
      isSelectingAll={selecting.isSelectingAll}
      onSelectAll={selecting.selectAll}
      onClear={selecting.clear}
    />
  );
  const direction = { key: sort.replace(/^-/, ""), isDown: sort.startsWith("-") };
  return (
    <div className={s.split} data-open={isOpen && isDesktop ? "" : undefined}>
      <div ref={list} className={s.list} hidden={isWhole}>
        <PageHead title={t.title} note={data && !(error && isOld) && t.countOf(count, data.all)} isLive>
          <Compact>
            {!isOpen && !isNarrow && count > 0 && (
              <>
                <Button kind="outline" icon="print" busy={paper.isPrinting && t.printing} onClick={() => void print()}>
                  {t.print}
                </Button>
                <Button kind="outline" icon="out" busy={paper.isExporting && t.exporting} onClick={download}>
                  {t.exportCount(count)}
                </Button>
              </>
            )}
          </Compact>
          <ListMenu
            view={view}
            isEdited={isEdited}
            isNarrow={isNarrow}
            // A phone has no buttons for these.
            before={
              isNarrow && count > 0
                ? [
                    { label: t.print, run: () => void print() },
                    { label: t.exportCount(count), run: download },
                  ]
                : []
            }
            after={[{ label: t.recall, run: () => setDialog("recall") }]}
            onUpdate={() => view.saved && void writes.update(view.saved, holds)}
            onDelete={() => {
              if (!view.saved) return;
              void writes.remove(view.saved);
              go({ view: null, columns: [...keys], page }, { replace: true });
            }}
            onOpen={setDialog}
          />
        </PageHead>
        {data && !isOld && <StaleNote query={query} zone={zone} />}
        <ViewTabs
          views={tabs}
          current={view}
          isChanged={isEdited}
          count={isOld ? undefined : data?.sums.orders}
          to={addressOf}
          onSave={() => setDialog("save")}
        />
        <div className={s.filters}>
          <FilterBox
            kind={ORDER_FILTER}
            q={q}
            isNarrow={isNarrow}
            refusal={refusal}
            onFilter={(next, isTyped) =>
              go(
                { q: next },
                isTyped ? { replace: (entry as typeof TYPED | null)?.isTyped === true, state: TYPED } : {},
              )
            }
          />
          {!isOpen && !isNarrow && (
            <Compact>
              <Button kind="outline" id="columns" icon="columns" onClick={() => setDialog("columns")}>
                {t.columns}
              </Button>
            </Compact>
          )}
        </div>
        <DataTable
          label={t.orders}
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          rowId={rowId}
          onOpen={openRow}
          onMove={isOpen ? (order) => open(order, true) : undefined}
          onEdge={(by) => turn(by, isOpen)}
          openKey={openKey ?? undefined}
          isBeside={isOpen && isDesktop}
          dim={isOld}
          sort={direction}
          onSort={(key) => {
            if (isSortColumn(key)) go({ sort: nextSort(sort, key) });
          }}
          selection={{
            keys: selection.ids,
            onToggle: toggle,
            onToggleAll: selecting.togglePage,
            labelOf,
            labelAll: t.selectPage,
          }}
          changed={{
            keys: changedKeys,
            word: ({ orderId }) => (shown.gone?.has(orderId) ? t.gone : t.changed),
          }}
          sums={data && sumsOf(data.sums, matchingOf(parsed, titles))}
          footEnd={
            pages > 1 && (
              <nav className={s.pages} aria-label={t.pages}>
                <span>{t.rowsOf(first + 1, Math.min(first + PAGE_SIZE, count), count)}</span>
                <Compact>
                  <IconButton
                    icon="back"
                    label={t.previousPage}
                    aria-disabled={page === 1 || undefined}
                    onClick={() => toPage(page - 1)}
                  />
                  <IconButton
                    icon="next"
                    label={t.nextPage}
                    aria-disabled={page >= pages || undefined}
                    onClick={() => toPage(page + 1)}
                  />
                </Compact>
              </nav>
            )
          }
          bar={isDesktop && bar}
          empty={emptyOf({
            words,
            filters: parsed.tokens.length + (parsed.words.length > 0 ? 1 : 0),
            list: data,
            clear: withAddress(pathname, search, { q: "", page: 1 }),
            firstPage: withAddress(pathname, search, { page: 1 }),
          })}
          failure={
            error && rows === undefined
              ? {
                  title: refusal === null ? t.failedOrders : t.badFilter,
                  note: refusal ?? `${messageOf(error)} ${t.filtersKept}`,
                  onRetry: () => void refetch(),
                }
              : undefined
          }
        />
      </div>
      {isOpen && (
        <div className={s.beside}>
          <LateOrderPanel
            id={openId}
            redirectOf={({ id }: OrderBox) => (String(id) === openId ? null : paths.order(id))}
            box={openOrder}
            place={at === -1 ? undefined : t.placeInList(first + at + 1, count)}
            onPrevious={at > 0 || (at === 0 && page > 1) ? () => walk(-1) : undefined}
            onNext={rows && at !== -1 && (at < rows.length - 1 || page < pages) ? () => walk(1) : undefined}
            onClose={close}
            isWhole={isWhole}
          />
        </div>
      )}
      {/* Over the tabs of a phone, which are not in the table. */}
      {!isDesktop && !isWhole && bar && createPortal(bar, document.getElementById("main") ?? document.body)}
      {paper.printed && (
        <PrintList title={words === "" ? t.viewNames.all : words} list={paper.printed} onDone={paper.endPrint} />
      )}
      <ListDialogs
        open={dialog}
        columns={{ chosen: keys, usual }}
        onColumns={(chosen) => {
          storeColumns(view, chosen);
          go({ columns: chosen, page }, { replace: true });
        }}
        saved={view.saved}
        holds={holds}
        onSaved={(saved) => {
          toast({ text: views.viewSaved(saved.name) });
          go({ view: savedKey(saved), page }, { replace: true });
        }}
        onRecall={(found) => go({ view: null, q: found, columns: null })}
        onClose={() => setDialog(null)}
      />
    </div>
  );
}

/** The palette's Recall opens the screen with its form. */
function withoutRecall(search: string): string {
  const params = new URLSearchParams(search);
  params.delete("recall");
  return params.toString();
}
