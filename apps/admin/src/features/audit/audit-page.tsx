import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { useIsDesktop } from "@marketday/client/use-media.ts";
import type { AuditEntry } from "@marketday/contracts/admin/audit";
import { auditHubs } from "@marketday/domain/staff";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { type Column, DataTable } from "@marketday/ui/admin/data-table.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { useLocation, useNavigate } from "react-router";

import * as t from "#messages/audit";

import { paths } from "../../lib/paths.ts";
import { useMe } from "../session/api.ts";
import { PageHead } from "../shell/page-head.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { auditQuery, deviceZone, exportUrl } from "./api.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { EntryPanel, entryTitleId } from "./entry-panel.tsx";
import { cursorOf, filterOf, isFiltered, withFilter, withParams } from "./filter.ts";
import { type FrozenPage, nextPage } from "./frozen-page.ts";
import { personOf, phraseOf } from "./words.ts";

import s from "./audit.module.css";

const keyOf = ({ id }: AuditEntry): number => id;
const rowId = ({ id }: Pick<AuditEntry, "id">): string => `audit-${id}`;

const columnsFor = (myEmail: string, now: Date): Column<AuditEntry>[] => [
  {
    key: "when",
    head: t.when,
    width: "sm",
    narrow: "endNote",
    beside: "sm",
    cell: ({ at }) => <time dateTime={at}>{t.time(new Date(at), now)}</time>,
  },
  { key: "who", head: t.who, width: "md", narrow: "note", beside: "sm", cell: (entry) => personOf(entry, myEmail) },
  { key: "what", head: t.what, narrow: "title", beside: "auto", cell: phraseOf },
  { key: "why", head: t.why, width: "md", spare: true, cell: ({ reason }) => reason },
  { key: "market", head: t.market, width: "sm", spare: true, cell: ({ hub }) => hub?.name },
  {
    key: "undo",
    head: t.undoState,
    width: "money",
    narrow: "end",
    cell: ({ change }) =>
      change?.state === "undone" ? (
        <StatusMark shape="off" quiet>
          {t.undone}
        </StatusMark>
      ) : (
        change?.canUndo && (
          <StatusMark shape="ahead" quiet>
            {t.canUndo}
          </StatusMark>
        )
      ),
  },
];

/** What a person whose roles do not include all entries reads. */
function useScopeNote(): string | undefined {
  const { roles } = useMe();
  const { hubs, today } = auditHubs(roles.map(({ role, hub }) => ({ role, hubId: hub?.id ?? null })));
  if (hubs === "all" || hubs.length > 0) return undefined;
  return today.length > 0 ? t.todayOnly : t.ownOnly;
}

/** The audit log: who did what, to what, when and why; the address holds the filter. */
export default function AuditPage() {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const isDesktop = useIsDesktop();
  const now = useMarketNow();
  const me = useMe();
  const scopeNote = useScopeNote();
  const [filter, cursor] = useMemo(() => [filterOf(search), cursorOf(search)], [search]);
  const query = useQuery(auditQuery(filter, cursor));
  const { data, error, refetch, isPlaceholderData } = query;
  const key = JSON.stringify([filter, cursor]);
  const { page, show } = useFrozenPage(key, isPlaceholderData ? undefined : data);
  // Those of the filter before are no answer for this one.
  const rows = error && !data ? undefined : page?.rows;
  const open = new URLSearchParams(search).get("entry");
  const isWhole = open !== null && !isDesktop;
  const at = rows?.findIndex(({ id }) => String(id) === open) ?? -1;
  const columns = useMemo(() => columnsFor(me.email, now), [me.email, now]);

  const pathTo = (id: number) => withParams(pathname, search, { entry: String(id) });
  const closedPath = withParams(pathname, search, { entry: null });
  const go = (path: string, replace = false) => void navigate(path, { replace });
  const takeFocus = usePanelFocus(open);
  const close = () => go(closedPath);
  const walk = (by: 1 | -1) => {
    const next = rows?.[at === -1 ? 0 : at + by];
    if (next) go(pathTo(next.id), true);
  };
  useShortcuts([
    { keys: "f", label: t.keyFind, run: () => document.getElementById("audit-words")?.focus() },
    ...(open === null
      ? []
      : [
          { keys: "(j|J|ArrowDown)", shown: "J", label: t.keyNext, run: () => walk(1) },
          { keys: "(k|K|ArrowUp)", shown: "K", label: t.keyPrevious, run: () => walk(-1) },
          { keys: "Escape", label: t.keyClose, run: close },
        ]),
  ]);
  const clearPath = withFilter(pathname, filter.hub === undefined ? "" : `?hub=${filter.hub}`, {});
  const hasFilter = isFiltered(filter);
  return (
    <div className={s.split} data-open={open !== null && isDesktop ? "" : undefined}>
      <div className={s.list} hidden={isWhole}>
        <PageHead title={t.title} note={data && t.count(data.total, data.isMore)} isLive>
          {data && data.total > 0 && (
            <a href={exportUrl(filter)} download className={s.link}>
              {t.exportAll(data.total, data.isMore)}
            </a>
          )}
        </PageHead>
        {scopeNote && <p className={s.scope}>{scopeNote}</p>}
        <StaleNote query={query} zone={deviceZone()} />
        <AuditFilters
          filter={filter}
          clearPath={clearPath}
          onChange={(change) => go(withFilter(pathname, location.search, change), true)}
        />
        <div role="status">
          {rows && page && page.added > 0 && (
            <p className={s.added}>
              <span>{t.newEntries(page.added, page.added === data?.entries.length)}</span>
              <Compact size="sm">
                <Button kind="link" onClick={show}>
                  {t.show}
                </Button>
              </Compact>
            </p>
          )}
        </div>
        <DataTable
          label={t.list}
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          rowId={rowId}
          onOpen={({ id }) => {
            takeFocus();
            go(pathTo(id));
          }}
          onMove={open === null ? undefined : ({ id }) => go(pathTo(id), true)}
          openKey={at === -1 ? undefined : rows?.[at]?.id}
          isBeside={open !== null && isDesktop}
          dim={isPlaceholderData}
          empty={
            hasFilter
              ? {
                  title: t.noneFound,
                  note: t.noneFoundNote,
                  action: (
                    <Link to={clearPath} replace className={s.link}>
                      {t.clear}
                    </Link>
                  ),
                }
              : { title: t.none }
          }
          failure={
            error && !data
              ? { title: t.failed, note: `${messageOf(error)} ${t.filtersKept}`, onRetry: () => void refetch() }
              : undefined
          }
        />
        {data && rows && rows.length > 0 && (data.hasNewer || data.hasOlder) && (
          <nav className={s.pages} aria-label={t.pages}>
            {data.hasNewer && (
              <Link
                to={withParams(pathname, search, { after: String(rows[0]!.id), before: null, entry: null })}
                className={s.link}
              >
                {t.newer}
              </Link>
            )}
            {data.hasOlder && (
              <Link
                to={withParams(pathname, search, { before: String(rows.at(-1)!.id), after: null, entry: null })}
                className={s.link}
              >
                {t.older}
              </Link>
            )}
          </nav>
        )}
      </div>
      {open !== null && (
        <div className={s.beside} data-audit-panel="">
          <EntryPanel
            id={open}
            row={rows?.[at]}
            link={`${paths.audit}?entry=${open}`}
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

/** The rows of a page, which do not move while it is shown, and how many are new above them. */
function useFrozenPage(key: string, data: Parameters<typeof nextPage>[2] | undefined) {
  const [page, setPage] = useState<FrozenPage | null>(null);
  const [read, setRead] = useState<{ key: string; data: typeof data }>({ key: "", data: undefined });
  if (data && (read.data !== data || read.key !== key)) {
    setRead({ key, data });
    setPage(nextPage(page, key, data));
  }
  return {
    page,
    show: () => {
      if (data) setPage(nextPage(null, key, data));
      document.querySelector<HTMLElement>("h1")?.focus();
    },
  };
}

/** The focus is at the title of an entry that was opened from its row, and back at the row when it is closed. */
function usePanelFocus(open: string | null): () => void {
  const takes = useRef(false);
  const last = useRef(open);
  useEffect(() => {
    const before = last.current;
    last.current = open;
    if (before === open) return;
    if (open === null) document.getElementById(rowId({ id: Number(before) }))?.focus();
    else if (takes.current) document.getElementById(entryTitleId(open))?.focus({ preventScroll: true });
    takes.current = false;
  }, [open]);
  return () => {
    takes.current = true;
  };
}
