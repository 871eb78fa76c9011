import { disputeKind, formatDisputeState, isDisputeClosed, needsAnswer } from "@marketday/domain/dispute";

import { localTime, usd } from "./values.ts";

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
  const what = `${disputeKind(status)} ${ref} of ${usd(amountCents)}${reason === "" ? "" : ` (${reason})`}`;
  const closed = isDisputeClosed(status) && closedAt !== null ? `, closed on ${localTime(closedAt, zone)}` : "";
  const due =
    isDisputeClosed(status) || dueBy === null
      ? ""
      : `, ${needsAnswer(status) ? "answer by" : "evidence was due by"} ${localTime(dueBy, zone)}`;
  return `${what}: ${formatDisputeState(status)}${due}${closed}`;
}
