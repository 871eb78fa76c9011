import { messageOf } from "@marketday/client/messages.ts";
import { useIsDesktop } from "@marketday/client/use-media.ts";
import type { OrderBox } from "@marketday/contracts/admin/orders";
import { isCalendarDate } from "@marketday/domain/calendar-date";
import { DataTable } from "@marketday/ui/admin/data-table.tsx";
import { ViewTabs } from "@marketday/ui/admin/view-tabs.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Money } from "@marketday/ui/price.tsx";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { createPortal } from "react-dom";
import { useLocation, useNavigate, useParams } from "react-router";

import * as words from "#messages/bulk";
import * as t from "#messages/orders";

import { paths } from "../../lib/paths.ts";
import { DaySelection } from "../bulk/day-selection.tsx";
import { DayHead } from "../day/day-head.tsx";
import { findHub } from "../day/find-hub.ts";
import { NoDay } from "../day/no-day.tsx";
import { useMe } from "../session/api.ts";
import { type Shortcut, useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { boxesQuery, type DayBox, isForbidden, isMissing } from "./api.ts";
import { NO_BOXES, toggleBox, toggleBoxes } from "./box-selection.ts";
import { columns } from "./columns.tsx";
import { FindBox } from "./find-box.tsx";
import { LateOrderPanel, usePanelCode } from "./late-order-panel.tsx";
import { useListScroll, usePanelFocus } from "./panel-host.ts";
import { nextRows, type SteadyRows } from "./steady-rows.ts";
import { useFilterState } from "./use-filter-state.ts";
import { countViews, filterBoxes, sumBoxes, VIEWS, type View, viewOf, withFilter } from "./views.ts";

import s from "./orders.module.css";

const NO_SHORTCUTS: readonly Shortcut[] = [];
const keyOf = ({ orderId }: DayBox): number => orderId;
const rowIdOf = (orderId: number | string): string => `box-${orderId}`;
const rowId = ({ orderId }: DayBox): string => rowIdOf(orderId);

/** The boxes of a delivery day, and beside them the panel of an order. */
export default function BoxesPage() {
  const { hub = "", date = "" } = useParams();
  const { error, data, refetch } = useQuery({ ...boxesQuery(hub, date), enabled: isCalendarDate(date) });
  if (!isCalendarDate(date) || (!data && (isMissing(error) || isForbidden(error))))
    return (
      <NoDay
        view="boxes"
        hub={hub}
        date={date}
        error={error}
        onRetry={() => void refetch()}
        words={{ notAllowed: t.notAllowed, notAllowedHelp: t.notAllowedHelp }}
      />
    );
  return <Boxes key={`${hub} ${date}`} hub={hub} date={date} />;
}

/** Where the rows are in the list, and which of them changed. */
function useSteadyRows(boxes: readonly DayBox[] | undefined, view: View, text: string, openKey: number | null) {
  const [shown, setShown] = useState<{ boxes: readonly DayBox[]; filter: string; openKey: number | null }>();
  const [steady, setSteady] = useState<SteadyRows | null>(null);
  const filter = `${view} ${text}`;
  if (boxes && (shown?.boxes !== boxes || shown.filter !== filter || shown.openKey !== openKey)) {
    setShown({ boxes, filter, openKey });
    const found = filterBoxes(boxes, view, text);
    setSteady(nextRows(steady, { rows: boxes, keyOf, view: filter, found, openKey }));
  }
  return steady;
}

function Boxes({ hub, date }: { hub: string; date: string }) {
  const { order: openId = null } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const isDesktop = useIsDesktop();
  const query = useQuery(boxesQuery(hub, date));
  const { data, error, refetch } = query;
  const params = new URLSearchParams(search);
  const view = viewOf(params.get("show"));
  const text = params.get("q") ?? "";
  const openKey = openId === null ? null : Number(openId);
  const steady = useSteadyRows(data?.boxes, view, text, openKey);
  const rows = useMemo(() => {
    const byKey = new Map(data?.boxes.map((box) => [box.orderId, box]));
    return steady?.keys.flatMap((key) => byKey.get(key) ?? []);
  }, [data, steady]);
  const at = rows?.findIndex((box) => box.orderId === openKey) ?? -1;
  const isOpen = openId !== null;
  const isWhole = isOpen && !isDesktop;
  usePanelCode();
  useListScroll(isWhole);

  const giveFocus = usePanelFocus(openId, rowIdOf);
  const listPath = paths.boxes(hub, date);
  const open = useCallback(
    (box: Pick<DayBox, "orderId">, replace = false) => {
      void navigate(`${paths.boxes(hub, date, box.orderId)}${location.search}`, { replace });
    },
    [navigate, hub, date],
  );
  const openRow = useCallback(
    (box: DayBox) => {
      giveFocus();
      open(box);
    },
    [open, giveFocus],
  );
  const openBox = data?.boxes.find((box) => box.orderId === openKey);
  const redirectOf = (order: OrderBox) =>
    String(order.id) !== openId || order.day !== date || ![order.hub.slug, String(order.hub.id)].includes(hub)
      ? paths.boxes(order.hub.slug, order.day, order.id)
      : null;
  const close = () => void navigate(`${listPath}${search}`);
  /** From row to row with the panel open is no entry of the history. */
  const walk = (by: 1 | -1) => {
    const box = rows?.[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
    if (box) open(box, true);
  };
  useShortcuts([
    { keys: "f", label: t.findKey, run: () => document.getElementById("find-box")?.focus() },
    ...(isOpen
      ? [
          { keys: "(j|J|ArrowDown)", shown: "J", label: t.nextBox, run: () => walk(1) },
          { keys: "(k|K|ArrowUp)", shown: "K", label: t.previousBox, run: () => walk(-1) },
          { keys: "Escape", label: t.closePanel, run: close },
        ]
      : []),
  ]);

  // Boxes that are hidden are in no action.
  const [selection, setSelection] = useFilterState(`${view} ${text}`, NO_BOXES);
  const chosen = data?.boxes.filter(({ orderId }) => selection.ids.has(orderId)) ?? [];
  const choose = useCallback(
    ({ orderId }: DayBox, isRange: boolean) =>
      setSelection((before) => toggleBox(before, (rows ?? []).map(keyOf), orderId, isRange)),
    [rows, setSelection],
  );
  const clearChosen = () => setSelection(() => NO_BOXES);
  useShortcuts(
    chosen.length > 0 && !isOpen ? [{ keys: "Escape", label: words.clear, run: clearChosen }] : NO_SHORTCUTS,
  );

  const zone = findHub(useMe(), hub)?.timeZone ?? data?.hub.timeZone ?? "UTC";
  const counts = countViews(data?.boxes ?? []);
  const sums = sumBoxes(rows ?? []);
  const bar = chosen.length > 0 && <DaySelection boxes={chosen} onClear={clearChosen} />;
  return (
    <div className={s.split} data-open={isOpen && isDesktop ? "" : undefined}>
      <div className={s.list} hidden={isWhole}>
        <DayHead view="boxes" hub={hub} date={date} note={rows && t.count(rows.length, data?.boxes.length ?? 0)} />
        {data && <StaleNote query={query} zone={zone} />}
        <div className={s.filters}>
          <ViewTabs
            label={t.views}
            current={view}
            views={VIEWS.map((key) => ({
              key,
              label: t.viewNames[key],
              count: counts[key],
              to: withFilter(isOpen ? paths.boxes(hub, date, openId) : listPath, search, { view: key }),
            }))}
          />
          <FindBox
            text={text}
            onFind={(found) =>
              void navigate(withFilter(location.pathname, location.search, { text: found }), { replace: true })
            }
          />
        </div>
        <DataTable
          label={t.boxes}
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          rowId={rowId}
          onOpen={openRow}
          onMove={isOpen ? (box) => open(box, true) : undefined}
          openKey={openKey ?? undefined}
          isBeside={isOpen && isDesktop}
          changed={steady ? { keys: steady.changed, word: t.changed } : undefined}
          selection={{
            keys: selection.ids,
            onToggle: choose,
            onToggleAll: () => setSelection((before) => toggleBoxes(before, (rows ?? []).map(keyOf))),
            labelOf: ({ name, orderId }) => words.selectBox(name, orderId),
            labelAll: words.selectAll,
          }}
          bar={isDesktop && bar}
          sums={[
            { label: t.sumBoxes(sums.boxes), value: sums.cancelled > 0 && t.cancelledBoxes(sums.cancelled) },
            { label: t.sumTotal, value: <Money amount={sums.total} /> },
            ...(sums.due > 0 ? [{ label: t.sumDue, value: <Money amount={sums.due} /> }] : []),
          ]}
          empty={emptyOf(view, text, data?.boxes.length ?? 0, withFilter(listPath, "", {}))}
          failure={
            error && !data
              ? { title: t.failedBoxes, note: `${messageOf(error)} ${t.filtersKept}`, onRetry: () => void refetch() }
              : undefined
          }
        />
      </div>
      {isOpen && (
        <div className={s.beside}>
          <LateOrderPanel
            id={openId}
            redirectOf={redirectOf}
            box={openBox && { ...openBox, day: date }}
            place={at === -1 || !rows ? undefined : t.placeInList(at + 1, rows.length)}
            onPrevious={at > 0 ? () => walk(-1) : undefined}
            onNext={rows && at !== -1 && at < rows.length - 1 ? () => walk(1) : undefined}
            onClose={close}
            isWhole={isWhole}
          />
        </div>
      )}
      {/* Over the tabs of a phone, which are not in the table. */}
      {!isDesktop && !isWhole && bar && createPortal(bar, document.getElementById("main") ?? document.body)}
    </div>
  );
}

/** What was looked for, how many there are without the filter, and the way back to all. */
function emptyOf(view: View, text: string, all: number, path: string) {
  if (all === 0) return { title: t.noBoxes, note: t.noBoxesNote };
  return {
    title: text.trim() === "" ? t.noneInView[view] : t.noneFound(text.trim()),
    note: t.boxesInAll(all),
    action: (
      <Link to={path} replace className={s.link}>
        {t.clearFilter}
      </Link>
    ),
  };
}
