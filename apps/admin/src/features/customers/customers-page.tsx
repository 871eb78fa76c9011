import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { pageOf } from "@marketday/client/page-number.ts";
import { useIsDesktop } from "@marketday/client/use-media.ts";
import { dateInZone } from "@marketday/domain/calendar-date";
import { DataTable } from "@marketday/ui/admin/data-table.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { Pagination } from "@marketday/ui/pagination.tsx";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useLocation, useNavigate, useParams } from "react-router";

import * as t from "#messages/customers";

import { paths } from "../../lib/paths.ts";
import { useMe } from "../session/api.ts";
import { useHubFilter, withHub } from "../shell/hub-filter.ts";
import { PageHead } from "../shell/page-head.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { customersQuery, type ListedCustomer, PAGE_ROWS } from "./api.ts";
import { columnsAt, foundColumn } from "./columns.tsx";
import { CustomerPanel } from "./customer-panel.tsx";
import { FIND_ID, FindField } from "./find-field.tsx";
import { withSearch } from "./list-address.ts";
import { rowId, useListScroll, usePanelFocus } from "./use-list-panel.ts";

import s from "./customers.module.css";

const keyOf = ({ id }: ListedCustomer): number => id;

/** Everyone who shops at the markets of the person, found by a text, and beside them one of them. */
export default function CustomersPage() {
  const { customer: openId = null } = useParams();
  const { search } = useLocation();
  const navigate = useNavigate();
  const isDesktop = useIsDesktop();
  const now = useMarketNow();
  const { hubs } = useMe();
  const { hub } = useHubFilter();
  const text = new URLSearchParams(search).get("q") ?? "";
  const page = pageOf(search);
  const query = useQuery(customersQuery({ text, hub: hub?.slug ?? null, page }));
  const { data, error, refetch, isPlaceholderData } = query;
  const rows = data?.customers;
  const openKey = openId === null ? null : Number(openId);
  const at = rows?.findIndex(({ id }) => id === openKey) ?? -1;
  const isOpen = openId !== null;
  const isWhole = isOpen && !isDesktop;
  useListScroll(isWhole);
  const giveFocus = usePanelFocus(openId);

  const open = useCallback(
    (customer: Pick<ListedCustomer, "id">, replace = false) => {
      void navigate(`${paths.customer(customer.id)}${location.search}`, { replace });
    },
    [navigate],
  );
  const openRow = useCallback(
    (customer: ListedCustomer) => {
      giveFocus();
      open(customer);
    },
    [open, giveFocus],
  );
  const close = () => void navigate(`${paths.customers}${search}`);
  /** From row to row with the panel open is no entry of the history. */
  const walk = (by: 1 | -1) => {
    const customer = rows?.[at === -1 ? (by === 1 ? 0 : rows.length - 1) : at + by];
    if (customer) open(customer, true);
  };
  const toList = () => (rows?.[0] ? document.getElementById(rowId(rows[0])) : null)?.focus();
  useShortcuts([
    { keys: "[Shift]+/", shown: "/", label: t.findKey, run: () => document.getElementById(FIND_ID)?.focus() },
    ...(isOpen
      ? [
          { keys: "(j|J|ArrowDown)", shown: "J", label: t.nextCustomer, run: () => walk(1) },
          { keys: "(k|K|ArrowUp)", shown: "K", label: t.previousCustomer, run: () => walk(-1) },
          { keys: "Escape", label: t.closePanel, run: close },
        ]
      : []),
  ]);

  const hasFound = rows?.some(({ found }) => found !== null) ?? false;
  const zone = hub?.timeZone ?? hubs[0]?.timeZone ?? "UTC";
  const today = dateInZone(now, zone);
  const columns = useMemo(() => {
    const known = columnsAt(today);
    return hasFound ? [...known, foundColumn] : known;
  }, [hasFound, today]);
  const pages = Math.ceil((data?.total ?? 0) / PAGE_ROWS);
  const hrefOf = (number: number) => withSearch(location.pathname, search, { page: number });
  const isFiltered = text.trim() !== "" || hub !== null;
  return (
    <div className={s.split} data-open={isOpen && isDesktop ? "" : undefined}>
      <div className={s.list} hidden={isWhole}>
        <PageHead title={t.title} note={data && (isFiltered ? t.countFound(data.total) : t.count(data.total))} />
        {data && <StaleNote query={query} zone={zone} />}
        <FindField
          text={text}
          onFind={(found) =>
            void navigate(withSearch(location.pathname, location.search, { text: found }), { replace: true })
          }
          onLeave={toList}
        />
        <DataTable
          label={t.list}
          columns={columns}
          rows={rows}
          rowKey={keyOf}
          rowId={rowId}
          onOpen={openRow}
          onMove={isOpen ? (customer) => open(customer, true) : undefined}
          openKey={openKey ?? undefined}
          isBeside={isOpen && isDesktop}
          dim={isPlaceholderData}
          empty={emptyOf({ text, page, hubName: hub?.name ?? null, search, pathname: paths.customers })}
          failure={
            error && !data
              ? { title: t.failedList, note: `${messageOf(error)} ${t.filterKept}`, onRetry: () => void refetch() }
              : undefined
          }
        />
        {pages > 1 && (
          <div className={s.pages}>
            <Pagination
              label={t.pages}
              page={page}
              pages={pages}
              href={hrefOf}
              onSelect={(number) => {
                void navigate(hrefOf(number));
                scrollTo(0, 0);
              }}
            />
          </div>
        )}
      </div>
      {isOpen && (
        <div className={s.beside}>
          <CustomerPanel
            id={openId}
            row={rows?.find(({ id }) => id === openKey)}
            place={at === -1 || !data ? undefined : t.placeInList((page - 1) * PAGE_ROWS + at + 1, data.total)}
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

interface Empty {
  text: string;
  page: number;
  hubName: string | null;
  search: string;
  pathname: string;
}

/** What was looked for, and the way back to all. */
function emptyOf({ text, page, hubName, search, pathname }: Empty) {
  const linkTo = (to: string, words: string) => (
    <Link to={to} replace className={s.link}>
      {words}
    </Link>
  );
  if (page > 1)
    return { title: t.noneOnPage, action: linkTo(withSearch(pathname, search, { page: 1 }), t.toFirstPage) };
  const isSearched = text.trim() !== "";
  if (hubName !== null)
    return {
      title: isSearched ? t.noneFound(text.trim()) : t.noneInMarket(hubName),
      ...(isSearched && { note: t.noneFoundNote }),
      action: linkTo(withHub(pathname + search, null), t.allMarkets),
    };
  if (!isSearched) return { title: t.noCustomers, note: t.noCustomersNote };
  return {
    title: t.noneFound(text.trim()),
    note: t.noneFoundNote,
    action: linkTo(withSearch(pathname, search, { text: "" }), t.showAll),
  };
}
