import { messageOf } from "@marketday/client/messages.ts";
import { ApiError } from "@marketday/client/transport.ts";
import type { CalendarDate } from "@marketday/domain/calendar-date";
import { SidePanel } from "@marketday/ui/admin/side-panel.tsx";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useLocation } from "react-router";

import * as t from "#messages/payouts";

import { paths } from "../../lib/paths.ts";
import { isForbidden } from "../orders/api.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { type DueLine, type DueStatement, isId, statementQuery } from "./api.ts";
import { DueState } from "./due-columns.tsx";
import { longDay, shortDay, useZone } from "./format.ts";
import { panelTitleId, type usePanel } from "./use-panel.ts";

import s from "./payouts.module.css";

type PanelProps = ReturnType<typeof usePanel>["panel"];

interface StatementPanelProps extends PanelProps {
  /** The vendor's number of the address. */
  id: string;
  to: CalendarDate | null;
  /** Their row, from which the head is known before it has loaded. */
  line: DueLine | undefined;
  today: CalendarDate;
}

/** What a vendor is owed, and of what: as on the paper that they get. */
export function StatementPanel({ id, to, line, today, ...panel }: StatementPanelProps) {
  const { search } = useLocation();
  const query = useQuery({ ...statementQuery(id, to), enabled: isId(id) });
  const { data, error, refetch } = query;
  const isGone = !isId(id) || (!data && error instanceof ApiError && error.status === 404);
  const vendor = data?.vendor ?? line?.vendor;
  const shown = data ?? line;
  const zone = useZone();
  return (
    <SidePanel
      {...panel}
      label={t.statement}
      link={`${paths.dueStatement(id)}${search}`}
      titleId={panelTitleId(id)}
      title={isGone ? t.noVendor : vendor ? <VendorMark id={vendor.id} name={vendor.name} /> : t.statement}
      note={vendor && <p>{vendor.email ?? t.noEmailNote}</p>}
      end={shown && <DueState line={shown} />}
    >
      {data ? (
        <>
          <StaleNote query={query} zone={zone} />
          <Paper statement={data} today={today} />
        </>
      ) : isGone ? (
        <p>{t.noVendorHelp}</p>
      ) : error ? (
        <ErrorState message={t.failedStatement} onRetry={() => void refetch()}>
          {isForbidden(error) ? t.notAllowed : messageOf(error)}
        </ErrorState>
      ) : (
        <Skeleton label={t.loadingStatement}>
          <SkeletonPart kind="title" width="third" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
    </SidePanel>
  );
}

/** The delivery days that it is about. A day up to `paidTo` is listed when it closed after the payout. */
const periodOf = ({ to, paidTo, items, due }: DueStatement, today: CalendarDate): string => {
  if (paidTo === null) return t.periodTo(longDay(to, today));
  if (paidTo >= to && (items.length > 0 || due > 0)) return t.unpaidTo(longDay(to, today));
  return paidTo < to ? t.period(shortDay(paidTo, today), shortDay(to, today)) : t.paidUpTo(longDay(paidTo, today));
};

/** The statement: what was sold, what is taken off or added, and what is left to pay. */
function Paper({ statement, today }: { statement: DueStatement; today: CalendarDate }) {
  const { items, sales, commission, compensation, earlier, due, orders } = statement;
  const units = items.reduce((sum, { quantity }) => sum + quantity, 0);
  return (
    <div className={s.paperFrame}>
      <div className={s.paper}>
        <p className={s.period}>{periodOf(statement, today)}</p>
        {items.length > 0 ? (
          <table className={s.items}>
            <thead className={s.itemsHead}>
              <tr>
                <th scope="col">{t.quantity}</th>
                <th scope="col">{t.item}</th>
                <th scope="col">{t.amount}</th>
              </tr>
            </thead>
            <tbody>
              {items.map(({ title, variant, quantity, amount }) => (
                <tr key={`${title} ${variant}`}>
                  <td>{quantity}</td>
                  <td>{t.itemNamed(title, variant)}</td>
                  <td translate="no">{formatMoney(amount)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ) : (
          <p className={s.quiet}>{t.nothingSold}</p>
        )}
        <dl className={s.sums}>
          <Line label={t.salesOf(units, orders)} amount={sales} isMain />
          <Line label={t.commission} amount={-commission} />
          <Line label={compensation < 0 ? t.compensationTaken : t.compensation} amount={compensation} />
          <Line label={earlier < 0 ? t.earlierTaken : t.earlier} amount={earlier} />
        </dl>
        <dl className={s.total}>
          <Line label={due < 0 ? t.carriedOver : t.toPay} amount={due} isMain />
        </dl>
      </div>
    </div>
  );
}

const Line = ({ label, amount, isMain = false }: { label: string; amount: number; isMain?: boolean }) => (
  <div data-main={isMain ? "" : undefined} data-below={isMain && amount < 0 ? "" : undefined}>
    <dt>{label}</dt>
    <dd translate="no">{formatMoney(amount)}</dd>
  </div>
);
