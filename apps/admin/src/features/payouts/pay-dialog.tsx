import { useAction } from "@marketday/client/forms/use-action.ts";
import { messageOf } from "@marketday/client/messages.ts";
import * as calls from "@marketday/contracts/admin/calls";
import { calendarDate } from "@marketday/domain/calendar-date";
import { Button } from "@marketday/ui/button.tsx";
import { Dialog, DialogBody, DialogTitle } from "@marketday/ui/dialog.tsx";
import { Stack } from "@marketday/ui/layout.tsx";
import { formatMoney } from "@marketday/ui/money.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";

import * as t from "#messages/payouts";

import { call } from "../../lib/api.ts";
import { AlertBox } from "../session/alert-box.tsx";
import { isUndecided } from "../session/request-key.ts";
import type { useStepUp } from "../session/step-up.tsx";
import { type DuePayout, isChanged, rereadPayouts } from "./api.ts";
import type { Booked } from "./booked-notice.tsx";
import { ChangedAmounts, type Reading } from "./changed-amounts.tsx";
import { amountsOf, isOther, longDay, paidLines } from "./format.ts";

import s from "./payouts.module.css";

interface PayDialogProps {
  /** What the list showed when it was opened. */
  first: DuePayout;
  /** What it shows now. */
  newest: DuePayout;
  reading: Reading;
  /** Of the screen: after a lost answer the same payment is the same request, also in a dialog that was opened again. */
  withStepUp: ReturnType<typeof useStepUp>;
  returnTo: string;
  onBooked: (booked: Booked) => void;
  onClose: () => void;
}

/**
 * Before vendors are paid: the whole amount in a sentence, what leaves the market as a receipt, and then the proof of identity. What is
 * sent is what is shown. When it changes meanwhile, nothing is paid until the new amounts have been shown. It stays until the answer is here.
 */
export function PayDialog({ first, newest, reading, withStepUp, returnTo, onBooked, onClose }: PayDialogProps) {
  const client = useQueryClient();
  const [shown, setShown] = useState(first);
  // What was sent may have been booked: there is no answer yet that tells.
  const [isUnsure, setIsUnsure] = useState(false);
  const { running, error, failure, attempt, clearError } = useAction();
  const effect = useRef<HTMLParagraphElement>(null);
  const subject = subjectOf(shown);
  const pay = async () => {
    const sent = { body: { to: shown.to, amounts: amountsOf(shown) } };
    try {
      const answer = await withStepUp(
        subject,
        (idempotencyKey) => call(calls.bookPayout, sent, { idempotencyKey }),
        // The same amounts after another payout, or its reversal, are another payment.
        { ...sent, last: shown.last },
      );
      if (!answer) return;
      onBooked(answer);
      void rereadPayouts(client);
    } catch (cause) {
      setIsUnsure((before) => isUndecided(cause) || (before && !isChanged(cause)));
      // Other amounts are owed, or after a lost answer it may have been booked.
      const read = rereadPayouts(client);
      if (isChanged(cause)) await read;
      throw cause;
    }
  };
  const isRefused = isChanged(failure);
  // After a lost answer the same is sent again, whatever is owed by now: it is booked once.
  const isOld = running === null && !isUnsure && ((isRefused && reading.isFailed) || isOther(shown, newest));
  const alert = error ?? (isUnsure && running === null ? t.payUnknown : null);
  return (
    <Dialog onClose={onClose} isHeld={running !== null} returnTo={returnTo}>
      <DialogTitle>{subject.title}</DialogTitle>
      <DialogBody>
        <Stack gap={4}>
          {isOld ? (
            <ChangedAmounts
              shown={shown}
              newest={newest}
              isRefused={isRefused}
              reading={reading}
              onShow={() => {
                clearError();
                setShown(newest);
                // Not to the button that pays: a second press would be one of amounts that no one has read.
                requestAnimationFrame(() => effect.current?.focus());
              }}
            />
          ) : (
            <p ref={effect} tabIndex={-1}>
              {subject.effect}
            </p>
          )}
          {!isOld && <Receipt facts={subject.facts} />}
          {!isOld && (
            <Button
              size="lg"
              wide
              icon="key"
              busy={running !== null && t.paying}
              onClick={() =>
                void attempt("pay", pay, (cause) => (isUndecided(cause) ? t.payUnknown : messageOf(cause)))
              }
            >
              {subject.action}
            </Button>
          )}
          <Button kind="quiet" wide disabled={running !== null} onClick={onClose}>
            {t.notNow}
          </Button>
          {alert && !(isOld && isRefused) && <AlertBox key={alert}>{alert}</AlertBox>}
        </Stack>
      </DialogBody>
    </Dialog>
  );
}

/** What is confirmed, in the dialog and in the proof of identity. */
function subjectOf(due: DuePayout) {
  const total = formatMoney(due.total);
  const day = longDay(due.to, calendarDate(due.today));
  const carried = due.lines.filter((line) => line.due < 0).map(({ vendor }) => vendor.name);
  const unmailed = paidLines(due)
    .filter(({ vendor }) => vendor.email === null)
    .map(({ vendor }) => vendor.name);
  return {
    title: t.payTitle(due.vendors),
    effect: t.payEffect(total, due.vendors, day),
    action: t.pay(total),
    facts: [
      { label: t.upTo, value: day },
      ...(carried.length > 0 ? [{ label: t.carriedOver, value: t.names(carried) }] : []),
      ...(unmailed.length > 0 ? [{ label: t.noEmail, value: t.names(unmailed) }] : []),
      { label: t.toVendors(due.vendors), value: total },
    ],
  };
}

/** The last line is the total. */
const Receipt = ({ facts }: { facts: readonly { label: string; value: string }[] }) => (
  <dl className={s.receipt}>
    {facts.map(({ label, value }) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
