import { dateInZone } from "@marketday/domain/calendar-date";
import { disputeKind, formatDisputeState, isDisputeClosed, needsAnswer } from "@marketday/domain/dispute";
import { cents, formatUsd } from "@marketday/domain/money";
import { formatClock } from "@marketday/domain/order";

import type { DisputeRow } from "./dispute-store.ts";

/** "2026-12-05 6:59PM", in a zone. */
const localTime = (at: Date | string, zone: string): string =>
  `${dateInZone(new Date(at), zone)} ${formatClock(new Date(at), zone)}`;

/** A dispute as commands print it; cents. */
interface PrintedDispute {
  ref: string;
  amountCents: number;
  status: string;
  reason: string;
  dueBy: Date | string | null;
  closedAt: Date | string | null;
}

/** "chargeback dp_1 of $25.00 (fraudulent): open, answer by 2026-12-05 6:59PM", times in this zone. */
export function formatDispute(dispute: PrintedDispute, zone: string): string {
  const { ref, amountCents, status, reason, dueBy, closedAt } = dispute;
  const what = `${disputeKind(status)} ${ref} of ${formatUsd(cents(amountCents))}${reason === "" ? "" : ` (${reason})`}`;
  const closed = isDisputeClosed(status) && closedAt !== null ? `, closed on ${localTime(closedAt, zone)}` : "";
  const due =
    isDisputeClosed(status) || dueBy === null
      ? ""
      : `, ${needsAnswer(status) ? "answer by" : "evidence was due by"} ${localTime(dueBy, zone)}`;
  return `${what}: ${formatDisputeState(status)}${due}${closed}`;
}

/** What a dispute is about: "order 123, not delivered yet". */
function formatDisputed({ order_ids: ids, purchase, customer_id: id, is_undelivered: isUndelivered }: DisputeRow) {
  if (ids.length > 0) return `order ${ids.join(", ")}${isUndelivered ? ", not delivered yet" : ""}`;
  return `${purchase === null ? "a charge without an order" : `a ${purchase.replace("-", " ")}`}${id === null ? "" : ` of customer ${id}`}`;
}

/** A line about a stored dispute, with its times in UTC. */
export const formatDisputeRow = (row: DisputeRow): string =>
  `${formatDispute(
    {
      ref: row.ref,
      amountCents: row.amount_cents,
      status: row.status,
      reason: row.reason,
      dueBy: row.due_by,
      closedAt: row.closed_at,
    },
    "UTC",
  )}${row.closed_at === null && row.due_by === null ? "" : " UTC"}; ${formatDisputed(row)}`;
