import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { pageAddress, pageOf } from "@marketday/client/page-number.ts";
import { type CalendarDate, dateInZone } from "@marketday/domain/calendar-date";
import { type Column, DataTable } from "@marketday/ui/admin/data-table.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Pagination } from "@marketday/ui/pagination.tsx";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useLocation, useNavigate } from "react-router";

import * as t from "#messages/payouts";

import { paths } from "../../lib/paths.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { PAGE_ROWS, paidQuery, type PayoutSummary } from "./api.ts";
import { shortDay, shortDayOf, useZone } from "./format.ts";
import { PayoutPanel } from "./payout-panel.tsx";
import { PayoutsFrame } from "./payouts-frame.tsx";
import { useAddress } from "./use-address.ts";
import { rowId, usePanel } from "./use-panel.ts";

import s from "./payouts.module.css";

const keyOf = ({ id }: PayoutSummary): number => id;
const rowIdOf = ({ id }: PayoutSummary): string => rowId(id);
const NONE: readonly PayoutSummary[] = [];

const columnsAt = (today: CalendarDate, zone: string, now: Date): readonly Column<PayoutSummary>[] => [
  { key: "number", head: t.number, narrow: "title", beside: "auto", cell: ({ id }) => <b>{t.payoutNumber(id)}</b> },
  {
    key: "booked",
    head: t.bookedOn,
    width: "sm",
    narrow: "note",
    beside: "sm",
    cell: ({ bookedAt }) => <time dateTime={bookedAt}>{shortDayOf(bookedAt, zone, now)}</time>,
  },
  { key: "to", head: t.upTo, width: "md", cell: ({ to }) => shortDay(to, today) },
  { key: "by", head: t.by, width: "md", spare: true, cell: ({ by }) => by },
  { key: "vendors", head: t.vendorsSum, width: "xs", numeric: true, cell: ({ vendors }) => vendors },
  {
    key: "reversed",
    head: t.reversed,
    width: "money",
    narrow: "endNote",
    cell: ({ reversed }) =>
      reversed > 0 && (
        <StatusMark shape="back" quiet>
          {t.reversedAmount(formatMoney(reversed))}
        </StatusMark>
      ),
  },
  {
    key: "total",
    head: t.amount,
    width: "sm",
    numeric: true,
    narrow: "end",
    beside: "sm",
    cell: ({ total }) => <b translate="no">{formatMoney(total)}</b>,
  },
];

/** The payouts that were booked, the newest first, and beside them the parts of one. */
export function PaidView({ openId }: { openId: string | null }) {
  const { search } = useLocation();
  const navigate = useNavigate();
  const zone = useZone();
  const now = useMarketNow();
  const page = pageOf(search);
  const query = useQuery(paidQuery(page));
  const { data, error, isPlaceholderData, refetch } = query;
  // Those of the page before are no answer for this one.
  const rows = error && isPlaceholderData ? undefined : data?.rows;
  const { open, move, panel, isWhole, isBeside } = usePanel({
    openId,
    ids: (rows ?? NONE).map(keyOf),
    pathOf: paths.payout,
    listPath: paths.paid,
  });
  const openRow = useCallback((payout: PayoutSummary) => open(payout.id), [open]);
  const today = dateInZone(now, zone);
  const columns = useMemo(() => columnsAt(today, zone, now), [today, zone, now]);
  const total = data?.paging.total ?? 0;
  const pages = Math.ceil(total / PAGE_ROWS);
  const to = useAddress();
  const hrefOf = (number: number) => to(pageAddress(paths.paid, number));
  return (
    <PayoutsFrame
      view="paid"
      note={total > 0 && t.count(total)}
      isWhole={isWhole}
      panel={
        openId === null ? null : (
          <PayoutPanel
            key={openId}
            id={openId}
            row={rows?.find(({ id }) => String(id) === openId)}
            zone={zone}
            {...panel}
          />
        )
      }
    >
      {rows && <StaleNote query={query} zone={zone} />}
      <DataTable
        label={t.paidList}
        columns={columns}
        rows={rows}
        rowKey={keyOf}
        rowId={rowIdOf}
        onOpen={openRow}
        onMove={move && (({ id }: PayoutSummary) => move(id))}
        openKey={openId === null ? undefined : Number(openId)}
        isBeside={isBeside}
        dim={isPlaceholderData}
        empty={
          page > 1
            ? {
                title: t.noneOnPage,
                action: (
                  <Link to={to(paths.paid)} replace className={s.link}>
                    {t.toFirstPage}
                  </Link>
                ),
              }
            : {
                title: t.nonePaid,
                note: t.nonePaidNote,
                action: (
                  <Link to={to(paths.payouts)} replace className={s.link}>
                    {t.openDue}
                  </Link>
                ),
              }
        }
        failure={
          error && !rows ? { title: t.failedPaid, note: messageOf(error), onRetry: () => void refetch() } : undefined
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
    </PayoutsFrame>
  );
}
