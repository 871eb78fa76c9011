import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { useIsDesktop, useMedia } from "@marketday/client/use-media.ts";
import * as calls from "@marketday/contracts/admin/calls";
import type { ListedOrder, OrderList } from "@marketday/contracts/admin/order-list";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { type OrderQuery, parseOrderQuery } from "@marketday/domain/order-query";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { DataTable } from "@marketday/ui/admin/data-table.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { IconButton } from "@marketday/ui/icon-button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { announce } from "@marketday/ui/live-region.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Money } from "@marketday/ui/price.tsx";
import { toast } from "@marketday/ui/toast-store.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation, useNavigate, useParams } from "react-router";

import * as t from "#messages/order-list";

import { call } from "../../lib/api.ts";
import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";
import { getItem, removeItem, setItem } from "../../lib/storage.ts";
import { nameOf } from "../orders/format.ts";
import { OrderPanel } from "../orders/order-panel.tsx";
import { useListScroll, usePanelFocus } from "../orders/panel-host.ts";
import { useMe } from "../session/api.ts";
import { useHubFilter } from "../shell/hub-filter.ts";
import { Menu } from "../shell/menu.tsx";
import { PageHead } from "../shell/page-head.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { filterProblem, type ListFilter, listQuery, PAGE_SIZE, readAll } from "./api.ts";
import { ColumnsDialog } from "./columns-dialog.tsx";
import { chosenColumns, type ColumnKey, columnsOf, fittingColumns, phoneColumns, usualColumns } from "./columns.tsx";
import { exportOrders } from "./export-orders.ts";
import { FILTER_ID, FilterBox } from "./filter-box.tsx";
import { formatToken } from "./format.ts";
import { isSortColumn, type ListAddress, nextSort, readAddress, withAddress } from "./list-address.ts";
import { PrintList } from "./print-list.tsx";
import { RecallDialog } from "./recall-dialog.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { chooseAll, NONE, type Selection, togglePage, toggleRange, toggleRow } from "./selection.ts";
import { useTitles } from "./token-titles.ts";
import { keyOf, useListRows } from "./use-list-rows.ts";
import { useListViews, useViewWrites } from "./use-views.ts";
import { ViewDialog } from "./view-dialog.tsx";
import { ViewTabs } from "./view-tabs.tsx";
import { isChanged, type ListView, viewOf } from "./views.ts";

import s from "./order-list.module.css";

const rowIdOf = (orderId: number | string): string => `order-row-${orderId}`;
const rowId = ({ orderId }: ListedOrder): string => rowIdOf(orderId);
const labelOf = ({ orderId, name }: ListedOrder): string => t.selectOrder(formatOrderNumber(orderId), nameOf(name));
/** Rows that are printed at most. */
const PRINT_MOST = 2000;
/** In the state of a history entry: it was made by typing, and what is typed next replaces it. */
const TYPED = { isTyped: true };

const storedColumns = (key: string) => `order-columns:${key}`;
const readColumns = (view: ListView): readonly string[] | null =>
  view.saved ? (view.columns.length > 0 ? view.columns : null) : getItem<string[]>("local", storedColumns(view.key));

const BESIDE: readonly ColumnKey[] = ["tote", "name", "total", "money"];

type OpenDialog = "columns" | "save" | "rename" | "recall" | null;

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
  const views = useListViews(hub?.slug ?? null);
  const view = viewOf(views, address);
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
  const titles = useTitles(parsed.tokens);
  const [dialog, setDialog] = useState<OpenDialog>(new URLSearchParams(search).has("recall") ? "recall" : null);
  useListScroll(isWhole);
  const giveFocus = usePanelFocus(openId, rowIdOf);
  const { selection, setSelection } = useSelection(`${hub?.slug ?? ""} ${q}`);
  const writes = useViewWrites();

  const go = (change: Partial<ListAddress>, options?: { replace?: boolean; state?: unknown }) =>
    void navigate(withAddress(pathname, withoutRecall(search), change), options);

  // The rows
  const open = useCallback(
    ({ orderId }: Pick<ListedOrder, "orderId">, replace = false) =>
      void navigate(`${paths.order(orderId)}${location.search}`, { replace }),
    [navigate],
  );
  const openRow = useCallback(
    (order: ListedOrder) => {
      giveFocus();
      open(order);
    },
    [open, giveFocus],
  );
  const close = () => void navigate(`${paths.orders}${search}`);
  /** The row of another page that is opened or focused once it has arrived. */
  const [edge, setEdge] = useState<{ page: number; by: 1 | -1; opens: boolean } | null>(null);
  const turn = (by: 1 | -1, opens: boolean) => {
    const next = page + by;
    if (isOld || next < 1 || next > pages) return;
    setEdge({ page: next, by, opens });
    go({ page: next }, { replace: true });
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
  const toPage = (next: number) => {
    if (next < 1 || next > pages) return;
    go({ page: next });
    scrollTo(0, 0);
  };

  // The selection
  const toggle = useCallback(
    (order: ListedOrder, isRange: boolean) =>
      setSelection((before) => (isRange && rows ? toggleRange(before, rows, order) : toggleRow(before, order))),
    [rows, setSelection],
  );
  const all = useAction();
  const selectAll = async () => {
    const sums = data?.sums;
    if (!sums || sums.orders === 0 || isOld) return;
    const found = await all.attempt("all", () => call(calls.listOrderIds, { querystring: idsOf(filter) }));
    if (!found) return;
    setSelection(() => chooseAll(found.ids, sums));
    announce(t.selected(found.ids.length));
  };
  useEffect(() => {
    if (all.error !== null) toast({ text: all.error, tone: "error" });
  }, [all.error]);
  const clear = () => {
    setSelection(() => NONE);
    announce(t.selected(0));
  };

  // The columns
  const usual = usualColumns({
    isOneDay: parsed.tokens.filter(({ name }) => name === "day").length === 1 && !q.includes(".."),
    isOneHub: hub !== null || me.hubs.length < 2,
    hasMatch: parsed.tokens.some(({ name }) => name === "product" || name === "vendor"),
  });
  const keys = chosenColumns(address.columns ?? readColumns(view), usual);
  const [list, width] = useWidth();
  // Beside the panel the table shows those four that belong there.
  const columns = useColumns(isOpen ? BESIDE : fittingColumns(keys, width), isNarrow);
  const chooseColumns = (chosen: readonly ColumnKey[] | null) => {
    if (!view.saved && chosen === null) removeItem("local", storedColumns(view.key));
    else if (!view.saved) setItem("local", storedColumns(view.key), chosen);
    go({ columns: chosen, page }, { replace: true });
  };

  // The views
  const holds = { query: q, sort, columns: [...(address.columns ?? readColumns(view) ?? [])] };
  const isEdited = isChanged(view, address);
  const addressOf = (one: ListView): string =>
    to(withAddress(pathname, "", { view: one.key, q: one.q, sort: one.sort, columns: readColumns(one) }));

  // Paper and files
  const paper = useAction();
  const [printed, setPrinted] = useState<Pick<OrderList, "orders" | "sums"> | null>(null);
  const print = async () => {
    const read = await paper.attempt("print", () => readAll(filter, PRINT_MOST));
    if (read) setPrinted(read);
  };
  const endPrint = useCallback(() => setPrinted(null), []);
  const file = useAction();
  const download = () => void file.attempt("export", () => exportOrders(filter));
  const problem = paper.error ?? file.error;
  useEffect(() => {
    if (problem !== null) toast({ text: problem, tone: "error" });
  }, [problem]);

  useShortcuts([
    { keys: "[Shift]+/", shown: "/", label: t.filterKey, run: () => document.getElementById(FILTER_ID)?.focus() },
    ...(count > 0
      ? [
          { keys: "$mod+a", label: t.selectAllKey(count), run: () => void selectAll() },
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
        ? [{ keys: "Escape", label: t.clearSelection, run: clear }]
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
  const words = wordsOf(parsed, titles);
  const bar = selection.ids.size > 0 && (
    <SelectionBar
      selection={selection}
      all={count}
      matching={matchingOf(parsed, titles)}
      isSelectingAll={all.running !== null}
      onSelectAll={() => void selectAll()}
      onClear={clear}
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
                <Button
                  kind="outline"
                  icon="print"
                  busy={paper.running !== null && t.printing}
                  onClick={() => void print()}
                >
                  {t.print}
                </Button>
                <Button kind="outline" icon="out" busy={file.running !== null && t.exporting} onClick={download}>
                  {t.exportCount(count)}
                </Button>
              </>
            )}
          </Compact>
          <Menu
            align="end"
            title={t.screenMenu}
            face={
              <span className={s.menuFace}>
                <span className={isNarrow ? "sr" : undefined}>{t.more}</span>
                <Icon name={isNarrow ? "more" : "down"} size="sm" />
              </span>
            }
          >
            {isNarrow && count > 0 && (
              <>
                <button type="button" className={s.menuItem} onClick={() => void print()}>
                  {t.print}
                </button>
                <button type="button" className={s.menuItem} onClick={download}>
                  {t.exportCount(count)}
                </button>
              </>
            )}
            {view.saved?.canChange && isEdited && (
              <button
                type="button"
                className={s.menuItem}
                onClick={() => view.saved && void writes.update(view.saved, holds)}
              >
                {t.saveChanges(view.name)}
              </button>
            )}
            <button type="button" className={s.menuItem} onClick={() => setDialog("save")}>
              {t.saveNew}
            </button>
            {view.saved?.canChange && (
              <>
                <button type="button" className={s.menuItem} onClick={() => setDialog("rename")}>
                  {t.renameView(view.name)}
                </button>
                <button
                  type="button"
                  className={s.menuItem}
                  onClick={() => {
                    if (!view.saved) return;
                    void writes.remove(view.saved);
                    go({ view: null, columns: [...keys], page }, { replace: true });
                  }}
                >
                  {t.deleteView(view.name)}
                </button>
              </>
            )}
            <button type="button" className={s.menuItem} onClick={() => setDialog("recall")}>
              {t.recall}
            </button>
          </Menu>
        </PageHead>
        {data && !isOld && <StaleNote query={query} zone={zone} />}
        <ViewTabs
          views={views}
          current={view}
          isChanged={isEdited}
          count={isOld ? undefined : data?.sums.orders}
          to={addressOf}
          onSave={() => setDialog("save")}
        />
        <div className={s.filters}>
          <FilterBox
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
            onToggleAll: () => rows && setSelection((before) => togglePage(before, rows)),
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
          <OrderPanel
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
      {printed && <PrintList title={words === "" ? t.viewNames.all : words} list={printed} onDone={endPrint} />}
      {dialog === "columns" && (
        <ColumnsDialog chosen={keys} usual={usual} onChoose={chooseColumns} onClose={() => setDialog(null)} />
      )}
      {(dialog === "save" || dialog === "rename") && (
        <ViewDialog
          saved={dialog === "rename" ? view.saved : null}
          holds={holds}
          onSaved={(saved) => {
            toast({ text: t.viewSaved(saved.name) });
            go({ view: `v${saved.id}`, page }, { replace: true });
          }}
          onClose={() => setDialog(null)}
        />
      )}
      {dialog === "recall" && (
        <RecallDialog onFind={(found) => go({ view: null, q: found, columns: null })} onClose={() => setDialog(null)} />
      )}
    </div>
  );
}

const idsOf = ({ q, hub, sort }: ListFilter) => ({ q, sort, ...(hub !== null && { hub }) });

/** The palette's Recall opens the screen with its form. */
function withoutRecall(search: string): string {
  const params = new URLSearchParams(search);
  params.delete("recall");
  return params.toString();
}

/** What is chosen belongs to one filter: with another one nothing is. */
function useSelection(key: string) {
  const [state, setState] = useState<{ key: string; selection: Selection }>({ key, selection: NONE });
  const setSelection = useCallback(
    (change: (before: Selection) => Selection) =>
      setState((before) => ({ key, selection: change(before.key === key ? before.selection : NONE) })),
    [key],
  );
  return { selection: state.key === key ? state.selection : NONE, setSelection };
}

/** The width of an element, px; the window's until it is known. */
function useWidth() {
  const [width, setWidth] = useState(() => innerWidth);
  const observe = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new ResizeObserver(([entry]) => {
      // A list that is not shown has none.
      if (entry && entry.contentRect.width > 0) setWidth(entry.contentRect.width);
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [observe, width] as const;
}

/** The same array for the same keys: rows are rendered again only for what they show. */
function useColumns(keys: readonly ColumnKey[], isNarrow: boolean) {
  const text = keys.join();
  return useMemo(() => (isNarrow ? phoneColumns() : columnsOf(text.split(",") as ColumnKey[])), [text, isNarrow]);
}

/** What is looked for: "vendor Cluck & Co., “eggs”". */
const wordsOf = ({ tokens, words }: OrderQuery, titles: ReadonlyMap<string, string>): string =>
  [
    ...tokens.map((token) => `${token.name} ${formatToken(token, titles)}`),
    ...(words.length > 0 ? [`“${words.join(" ")}”`] : []),
  ].join(", ");

/** What the filter names, whose units are counted: one product, or one vendor. */
function matchingOf({ tokens }: OrderQuery, titles: ReadonlyMap<string, string>): string | null {
  const named = tokens.filter(({ name }) => name === "product" || name === "vendor");
  return named.length === 1 && named[0] ? formatToken(named[0], titles) : null;
}

function sumsOf({ orders, total, due, matchingUnits }: OrderList["sums"], matching: string | null) {
  return [
    { label: t.sumOrders(orders), value: null },
    { label: t.sumTotal, value: <Money amount={total} /> },
    ...(due > 0 ? [{ label: t.sumOwes, value: formatMoney(due) }] : []),
    ...(matchingUnits === null ? [] : [{ label: matching ?? t.sumMatching, value: t.number(matchingUnits) }]),
  ];
}

interface Empty {
  words: string;
  filters: number;
  list: OrderList | undefined;
  clear: string;
  firstPage: string;
}

/** What was looked for, how many there are without the filter, and the way back to all. */
function emptyOf({ words, filters, list, clear, firstPage }: Empty) {
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
    action: link(clear, t.clearFilter),
  };
}
