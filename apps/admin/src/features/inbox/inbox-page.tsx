import { messageOf } from "@marketday/client/messages.ts";
import { useIsDesktop } from "@marketday/client/use-media.ts";
import type { InboxRow } from "@marketday/contracts/admin/inbox";
import { INBOX_KINDS, isModerated } from "@marketday/domain/inbox-turn";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { DataTable } from "@marketday/ui/admin/data-table.tsx";
import { ViewTabs } from "@marketday/ui/admin/view-tabs.tsx";
import { Field } from "@marketday/ui/field.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Pagination } from "@marketday/ui/pagination.tsx";
import { SearchInput, Select } from "@marketday/ui/text-input.tsx";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from "react";
import { useLocation, useNavigate, useParams } from "react-router";

import * as t from "#messages/inbox";

import { paths } from "../../lib/paths.ts";
import { useCan } from "../session/api.ts";
import { PageHead } from "../shell/page-head.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { filterOf, inboxQuery, isKind, ROWS, withFilter } from "./api.ts";
import { columns } from "./columns.tsx";
import { keyOf, panelTitleId, rowId } from "./format.ts";
import { ItemPanel } from "./item-panel.tsx";

import s from "./inbox.module.css";

/** From the last key to the search, ms. */
const PAUSE_MS = 300;
const VIEWS = ["market", "vendor", "all", "done"] as const;

/** What shoppers write, and beside it the panel of one item. */
export default function InboxPage() {
  const { kind, id } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const isDesktop = useIsDesktop();
  const filter = filterOf(search);
  const query = useQuery(inboxQuery(filter));
  const { data, error, isPlaceholderData, refetch } = query;
  const openKey = kind !== undefined && id !== undefined ? `${kind}/${id}` : null;
  const isOpen = openKey !== null;
  const steady = useSteadyRows(isPlaceholderData ? undefined : data?.items, search, openKey) ?? data?.items;
  // Those of the filter before are no answer for this one.
  const rows = error && !data ? undefined : steady;
  const at = rows?.findIndex((row) => keyOf(row) === openKey) ?? -1;
  const isWhole = isOpen && !isDesktop;
  const giveFocus = usePanelFocus(openKey);

  const open = useCallback(
    (row: Pick<InboxRow, "kind" | "id">, replace = false) =>
      void navigate(`${paths.inboxItem(row.kind, row.id)}${location.search}`, { replace }),
    [navigate],
  );
  const openRow = useCallback(
    (row: InboxRow) => {
      giveFocus();
      open(row);
    },
    [open, giveFocus],
  );
  const close = () => void navigate(`${paths.inbox}${search}`);
  const walk = (by: 1 | -1) => {
    const row = rows?.[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
    if (row) open(row, true);
  };
  useShortcuts([
    { keys: "f", label: t.findKey, run: () => document.getElementById("inbox-find")?.focus() },
    ...(isOpen
      ? [
          { keys: "(j|J|ArrowDown)", shown: "J", label: t.next, run: () => walk(1) },
          { keys: "(k|K|ArrowUp)", shown: "K", label: t.previous, run: () => walk(-1) },
          { keys: "Escape", label: t.close, run: close },
        ]
      : []),
  ]);
  const change = (part: Partial<Record<string, string>>) =>
    void navigate(withFilter(location.pathname, location.search, part), { replace: true });
  const path = isOpen ? paths.inboxItem(kind!, id!) : paths.inbox;
  const pages = data ? Math.ceil(data.total / ROWS) : 0;
  const pageTo = (page: number) => {
    const params = new URLSearchParams(search);
    if (page === 1) params.delete("page");
    else params.set("page", String(page));
    return `${paths.inbox}?${params.toString()}`;
  };
  return (
    <div className={s.split} data-open={isOpen && isDesktop ? "" : undefined}>
      <div className={s.list} hidden={isWhole}>
        <PageHead title={t.title} note={data && data.counts.overdue > 0 && t.overdue(data.counts.overdue)} />
        {data && <StaleNote query={query} zone={new Intl.DateTimeFormat().resolvedOptions().timeZone} />}
        <div className={s.filters}>
          <ViewTabs
            label={t.views}
            current={filter.view}
            views={VIEWS.map((key) => ({
              key,
              label: t.viewNames[key],
              count: data?.counts[key],
              to: withFilter(path, search, { view: key }),
            }))}
          />
          <Filters kind={filter.kind} assigned={filter.assigned} text={filter.q} onChange={change} />
        </div>
        <DataTable
          label={t.list}
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          rowId={rowId}
          onOpen={openRow}
          onMove={isOpen ? (row) => open(row, true) : undefined}
          openKey={openKey ?? undefined}
          isBeside={isOpen && isDesktop}
          dim={isPlaceholderData}
          empty={emptyOf(filter, data?.counts.all ?? 0)}
          failure={
            error && !data
              ? { title: t.failedList, note: `${messageOf(error)} ${t.filtersKept}`, onRetry: () => void refetch() }
              : undefined
          }
        />
        {pages > 1 && (
          <div className={s.pages}>
            <Pagination
              label={t.pages}
              page={filter.page}
              pages={pages}
              href={pageTo}
              onSelect={(page) => void navigate(pageTo(page))}
            />
          </div>
        )}
      </div>
      {isOpen && (
        <div className={s.beside}>
          <ItemPanel
            key={openKey}
            kind={isKind(kind) ? kind : null}
            id={Number(id)}
            row={rows?.[at]}
            place={at === -1 || !rows ? undefined : t.place(at + 1, rows.length)}
            onPrevious={at > 0 ? () => walk(-1) : undefined}
            onNext={rows && at !== -1 && at < rows.length - 1 ? () => walk(1) : undefined}
            onClose={close}
            isWhole={isWhole}
          />
        </div>
      )}
    </div>
  );
}

interface FiltersProps {
  kind: string | undefined;
  assigned: string | undefined;
  text: string;
  onChange: (part: Partial<Record<string, string>>) => void;
}

function Filters({ kind, assigned, text, onChange }: FiltersProps) {
  const answers = useCan("inbox.reply");
  const [typed, setTyped] = useState(text);
  const [searched, setSearched] = useState(text);
  if (searched !== text) {
    setSearched(text);
    setTyped(text);
  }
  const search = (next: string) => {
    setSearched(next);
    onChange({ q: next });
  };
  const searchTyped = useEffectEvent(() => search(typed));
  useEffect(() => {
    if (typed === searched) return;
    const timer = setTimeout(() => searchTyped(), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, searched]);
  return (
    <div className={s.controls} role="search">
      <Compact>
        <Field label={t.kindFilter} labelHidden>
          <Select value={kind ?? ""} onChange={({ target }) => onChange({ kind: target.value })}>
            <option value="">{t.allKinds}</option>
            {INBOX_KINDS.filter((each) => answers || isModerated(each)).map((each) => (
              <option key={each} value={each}>
                {t.kinds[each]}
              </option>
            ))}
          </Select>
        </Field>
        {answers && (
          <Field label={t.assignedFilter} labelHidden>
            <Select value={assigned ?? ""} onChange={({ target }) => onChange({ assigned: target.value })}>
              <option value="">{t.anyone}</option>
              <option value="me">{t.assignedMe}</option>
              <option value="none">{t.assignedNone}</option>
            </Select>
          </Field>
        )}
        <Field label={t.find} labelHidden id="inbox-find">
          <SearchInput
            value={typed}
            placeholder={t.findHint}
            maxLength={80}
            onChange={({ target }) => setTyped(target.value)}
            onKeyDown={(event) => {
              if (event.key === "Enter") search(typed);
            }}
            onClear={() => {
              setTyped("");
              search("");
            }}
          />
        </Field>
      </Compact>
    </div>
  );
}

/** What was looked for, how many there are without the filter, and the way back to all. */
function emptyOf({ view, q, kind, assigned }: ReturnType<typeof filterOf>, all: number) {
  const isFiltered = q.trim() !== "" || kind !== undefined || assigned !== undefined;
  return {
    title: q.trim() === "" ? t.empty[view] : t.noneFound(q.trim()),
    note: all === 0 && !isFiltered ? t.nothingYet : t.emptyNote(all),
    ...((isFiltered || view !== "all") && {
      action: (
        <Link to={`${paths.inbox}?view=all`} replace className={s.link}>
          {t.clearFilter}
        </Link>
      ),
    }),
  };
}

/**
 * The rows where they were while one is open: what was answered stays in its place until the panel is closed or the filter changes, and
 * new rows come below.
 */
function useSteadyRows(items: readonly InboxRow[] | undefined, filter: string, openKey: string | null) {
  const [steady, setSteady] = useState<{
    items: readonly InboxRow[];
    filter: string;
    rows: readonly InboxRow[];
    wasOpen: boolean;
  }>();
  if (items && (steady?.items !== items || steady.filter !== filter || steady.wasOpen !== (openKey !== null))) {
    const keeps = steady && steady.filter === filter && steady.wasOpen && openKey !== null;
    const byKey = new Map(items.map((item) => [keyOf(item), item]));
    const kept = keeps ? steady.rows.map((row) => byKey.get(keyOf(row)) ?? row) : [];
    const keptKeys = new Set(kept.map(keyOf));
    setSteady({
      items,
      filter,
      rows: [...kept, ...items.filter((item) => !keptKeys.has(keyOf(item)))],
      wasOpen: openKey !== null,
    });
  }
  return steady?.rows;
}

/** With a panel that was opened by a click or Enter the focus is at its title; when it is closed, at the row that was open. */
function usePanelFocus(openKey: string | null): () => void {
  const takesFocus = useRef(false);
  const last = useRef(openKey);
  const wasInside = useRef(false);
  useEffect(() => {
    const note = ({ target }: FocusEvent) => {
      wasInside.current = target instanceof Element && target.closest("[data-inbox-panel]") !== null;
    };
    document.addEventListener("focusin", note);
    return () => document.removeEventListener("focusin", note);
  }, []);
  useLayoutEffect(() => {
    const before = last.current;
    last.current = openKey;
    if (before === openKey) return;
    const rowOf = (key: string) => document.getElementById(`inbox-${key.replace("/", "-")}`);
    if (openKey === null) {
      const row = before === null ? null : rowOf(before);
      (row ?? document.querySelector<HTMLElement>("h1"))?.focus({ preventScroll: row === null });
      return;
    }
    rowOf(openKey)?.scrollIntoView({ block: "nearest" });
    if (takesFocus.current || wasInside.current)
      document.getElementById(panelTitleId(openKey))?.focus({ preventScroll: true });
    takesFocus.current = false;
  }, [openKey]);
  return useCallback(() => {
    takesFocus.current = true;
  }, []);
}
