import { useMarketNow } from "@marketday/client/clock.ts";
import { messageOf } from "@marketday/client/messages.ts";
import { dateInZone } from "@marketday/domain/calendar-date";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { SidePanel } from "@marketday/ui/admin/side-panel.tsx";
import { StatusMark } from "@marketday/ui/admin/status-mark.tsx";
import { VendorMark } from "@marketday/ui/admin/vendor-mark.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { Skeleton, SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";

import * as t from "#messages/payouts";

import { paths } from "../../lib/paths.ts";
import { isMissing } from "../orders/api.ts";
import { useCan } from "../session/api.ts";
import { StaleNote } from "../shell/stale-note.tsx";
import { type BookedPayout, isId, type PayoutPart, payoutQuery, type PayoutSummary } from "./api.ts";
import { BankFile } from "./bank-file.tsx";
import { longDay, shortDayOf } from "./format.ts";
import { ReverseForm } from "./reverse-form.tsx";
import { useAddress } from "./use-address.ts";
import { panelTitleId, type usePanel } from "./use-panel.ts";

import s from "./payouts.module.css";

type PanelProps = ReturnType<typeof usePanel>["panel"];

interface PayoutPanelProps extends PanelProps {
  /** The number of the address. */
  id: string;
  /** Its row, from which the head is known before it has loaded. */
  row: PayoutSummary | undefined;
  zone: string;
}

/** A payout that was booked: what each vendor got, the file for the bank, and the parts that were reversed. */
export function PayoutPanel({ id, row, zone, ...panel }: PayoutPanelProps) {
  const now = useMarketNow();
  const to = useAddress();
  const query = useQuery({ ...payoutQuery(id), enabled: isId(id) });
  const { data, error, refetch } = query;
  const isGone = !isId(id) || (!data && isMissing(error));
  const head = data ?? row;
  const today = dateInZone(now, zone);
  return (
    <SidePanel
      {...panel}
      label={t.payoutNumber(id)}
      link={to(paths.payout(id))}
      titleId={panelTitleId(id)}
      title={isGone ? t.noPayout : head ? formatMoney(head.total) : t.payoutNumber(id)}
      note={
        head && (
          <p>
            {t.headNote(shortDayOf(head.bookedAt, zone, now), head.by)}
            <br />
            {t.headDay(longDay(head.to, today))}
          </p>
        )
      }
      end={
        head &&
        head.reversed > 0 && (
          <StatusMark shape="back" pill>
            {t.reversedAmount(formatMoney(head.reversed))}
          </StatusMark>
        )
      }
      foot={
        data && (
          <div className={s.foot}>
            {data.parts.some(({ reversal }) => reversal === null) ? (
              <BankFile payout={data.id} />
            ) : (
              <p className={s.quiet}>{t.allReversed}</p>
            )}
          </div>
        )
      }
    >
      {data ? (
        <>
          <StaleNote query={query} zone={zone} />
          <Parts payout={data} zone={zone} now={now} />
        </>
      ) : isGone ? (
        <p>{t.noPayoutHelp}</p>
      ) : error ? (
        <ErrorState message={t.failedPayout} onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorState>
      ) : (
        <Skeleton label={t.loadingPayout}>
          <SkeletonPart kind="title" width="third" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
          <SkeletonPart kind="row" />
        </Skeleton>
      )}
    </SidePanel>
  );
}

const reverseId = (vendorId: number): string => `payouts-reverse-${vendorId}`;
const partId = (vendorId: number): string => `payouts-part-${vendorId}`;

function Parts({ payout, zone, now }: { payout: BookedPayout; zone: string; now: Date }) {
  const mayPay = useCan("payouts.write", "all");
  const [reversing, setReversing] = useState<number | null>(null);
  const close = (vendorId: number) => {
    setReversing(null);
    // Its button is gone when the part was reversed: then the part has the focus.
    requestAnimationFrame(() =>
      (document.getElementById(reverseId(vendorId)) ?? document.getElementById(partId(vendorId)))?.focus(),
    );
  };
  return (
    <ul className={s.parts} aria-label={t.parts} data-verbs={mayPay ? "" : undefined}>
      {payout.parts.map((part) => {
        const { vendor } = part;
        const canReverse = mayPay && part.reversal === null;
        return (
          <li key={vendor.id} id={partId(vendor.id)} tabIndex={-1} className={s.part}>
            <Part part={part} zone={zone} now={now} />
            {canReverse && reversing !== vendor.id && (
              <Compact size="sm">
                <Button
                  kind="outline"
                  id={reverseId(vendor.id)}
                  aria-label={t.reverseLabel(vendor.name)}
                  onClick={() => setReversing(vendor.id)}
                >
                  {t.reverse}
                </Button>
              </Compact>
            )}
            {/* An open form outlasts the reversal by someone else, with what was typed. */}
            {reversing === vendor.id && <ReverseForm payout={payout.id} part={part} onClose={() => close(vendor.id)} />}
          </li>
        );
      })}
    </ul>
  );
}

const Part = ({ part: { vendor, amount, reversal }, zone, now }: { part: PayoutPart; zone: string; now: Date }) => (
  <>
    <span className={s.partVendor}>
      <VendorMark id={vendor.id} name={vendor.name} />
    </span>
    <span translate="no" className={s.partAmount} data-reversed={reversal ? "" : undefined}>
      {formatMoney(amount)}
    </span>
    {reversal && (
      <div className={s.reversal}>
        <StatusMark shape="back" quiet>
          {t.reversedBy(shortDayOf(reversal.at, zone, now), reversal.by)}
        </StatusMark>
        <p>{reversal.reason}</p>
      </div>
    )}
  </>
);
