import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { useIsDesktop } from "@marketday/client/use-media.ts";
import { calendarDate, dateInZone } from "@marketday/domain/calendar-date";
import { CommandHint } from "@marketday/ui/admin/command-hint.tsx";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { DataTable } from "@marketday/ui/admin/data-table.tsx";
import { Kbd } from "@marketday/ui/admin/kbd.tsx";
import { Banner } from "@marketday/ui/banner.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Link } from "@marketday/ui/link.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useState } from "react";
import { useLocation, useNavigate } from "react-router";

import * as t from "#messages/payouts";

import { paths } from "../../lib/paths.ts";
import { useCan } from "../session/api.ts";
import { useStepUp } from "../session/step-up.tsx";
import { useShortcuts } from "../shell/shortcuts.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { dayOf, type DueLine, type DuePayout, dueQuery, withDay } from "./api.ts";
import { type Booked, BookedNotice } from "./booked-notice.tsx";
import { DayField } from "./day-field.tsx";
import { dueColumns } from "./due-columns.tsx";
import { longDay, sumOf, useZone } from "./format.ts";
import { PayDialog } from "./pay-dialog.tsx";
import { PayoutsFrame } from "./payouts-frame.tsx";
import { StatementPanel } from "./statement-panel.tsx";
import { useAddress } from "./use-address.ts";
import { rowId, usePanel } from "./use-panel.ts";

import s from "./payouts.module.css";

const PAY_ID = "payouts-pay";
const keyOf = ({ vendor }: DueLine): number => vendor.id;
const rowIdOf = (line: DueLine): string => rowId(keyOf(line));
const NONE: readonly DueLine[] = [];

/** What vendors are owed, a statement of each, and the payment of all of it at once. */
export function DueView({ openId }: { openId: string | null }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const zone = useZone();
  const now = useMarketNow();
  const mayPay = useCan("payouts.write", "all");
  const isDesktop = useIsDesktop();
  const withStepUp = useStepUp();
  const address = useAddress();
  const to = dayOf(search);
  const query = useQuery(dueQuery(to));
  const { data, error, isPlaceholderData, isFetching, refetch } = query;
  // Those of the day before are no answer for this one.
  const due = error && isPlaceholderData ? undefined : data;
  const lines = due?.lines ?? NONE;
  const [paying, setPaying] = useState<DuePayout | null>(null);
  const [booked, setBooked] = useState<Booked | null>(null);
  const { open, move, panel, isWhole, isBeside } = usePanel({
    openId,
    ids: lines.map(keyOf),
    pathOf: paths.dueStatement,
    listPath: paths.payouts,
  });
  const openRow = useCallback((line: DueLine) => open(keyOf(line)), [open]);

  const canPay = mayPay && due !== undefined && due.vendors > 0 && !isPlaceholderData;
  const pay = () => canPay && setPaying(due);
  useShortcuts(canPay ? [{ keys: "p", label: t.payKey, run: pay }] : []);
  const today = calendarDate(data?.today ?? dateInZone(now, zone));
  return (
    <PayoutsFrame
      view="due"
      due={due?.vendors}
      note={due && t.upToDay(longDay(due.to, today))}
      isWhole={isWhole}
      panel={
        openId === null ? null : (
          <StatementPanel
            key={openId}
            id={openId}
            to={to}
            line={lines.find(({ vendor }) => String(vendor.id) === openId)}
            today={today}
            {...panel}
          />
        )
      }
    >
      {due && <StaleNote query={query} zone={zone} />}
      <div className={s.lead}>
        {booked && <BookedNotice key={booked.payout} booked={booked} onDismiss={() => setBooked(null)} />}
        <div className={s.controls}>
          <DayField
            day={to ?? today}
            today={today}
            onChange={(day) => void navigate(withDay(pathname, search, day), { replace: true })}
          />
          {mayPay && !isBeside && due && due.vendors > 0 && (
            <p className={s.command}>
              <span>{t.onServer}</span>
              <CommandHint command={`ledger payouts payouts.csv --to ${due.to} --yes`} />
            </p>
          )}
        </div>
        {due && due.openDays > 0 && (
          <Banner tone="information" compact>
            {t.openDays(due.openDays)}
          </Banner>
        )}
      </div>
      <DataTable
        label={t.list}
        columns={dueColumns}
        rows={due?.lines}
        rowKey={keyOf}
        rowId={rowIdOf}
        onOpen={openRow}
        onMove={move && ((line: DueLine) => move(keyOf(line)))}
        openKey={openId === null ? undefined : Number(openId)}
        isBeside={isBeside}
        dim={isPlaceholderData}
        sums={
          due && [
            { label: t.vendorsSum, value: t.someOf(due.vendors, lines.length) },
            { label: t.sales, value: formatMoney(sumOf(lines, "sales")) },
            ...(isDesktop && !isBeside
              ? [{ label: t.commission, value: formatMoney(sumOf(lines, "commission")) }]
              : []),
            ...(mayPay ? [] : [{ label: t.toPay, value: formatMoney(due.total) }]),
          ]
        }
        footEnd={
          mayPay && due && due.vendors > 0 ? (
            <Compact>
              <Button id={PAY_ID} icon="key" disabled={!canPay} onClick={pay}>
                {t.pay(formatMoney(due.total))}
                <Kbd keys="P" inButton />
              </Button>
            </Compact>
          ) : undefined
        }
        empty={{
          title: t.nothingOwed,
          note: due ? t.nothingOwedNote(due.last) : "",
          ...(due?.last !== null &&
            due?.last !== undefined && {
              action: (
                <Link to={address(paths.payout(due.last))} className={s.link}>
                  {t.openPayout(due.last)}
                </Link>
              ),
            }),
        }}
        failure={
          error && !due ? { title: t.failedDue, note: messageOf(error), onRetry: () => void refetch() } : undefined
        }
      />
      {paying && (
        <PayDialog
          first={paying}
          newest={due ?? paying}
          reading={{ isFailed: error !== null, isRunning: isFetching, retry: () => void refetch() }}
          withStepUp={withStepUp}
          returnTo={PAY_ID}
          onBooked={(answer) => {
            setPaying(null);
            setBooked(answer);
          }}
          onClose={() => setPaying(null)}
        />
      )}
    </PayoutsFrame>
  );
}
