/** What the states of a dispute mean, in the words of the payment provider (docs/product.md §7). */

const CLOSED: ReadonlySet<string> = new Set([
  "won",
  "lost",
  "warning_closed",
  "prevented",
  "charge_refunded",
  "fraud_warning_closed",
]);

/** Whether a dispute is over. */
export const isDisputeClosed = (status: string): boolean => CLOSED.has(status);

/**
 * Whether the shopper's bank has the money: while a chargeback is open, and after it is lost. An inquiry (`warning_…`) and a
 * warning of fraud take nothing.
 */
export const holdsMoney = (status: string): boolean =>
  status === "lost" ||
  !(isDisputeClosed(status) || status.startsWith("warning_") || status.startsWith("fraud_warning"));

/** Whether the market has to do something about it: send evidence, or refund. */
export const needsAnswer = (status: string): boolean =>
  !isDisputeClosed(status) && (status.endsWith("needs_response") || status === "fraud_warning");

/** What an operator calls it. */
export const disputeKind = (status: string): "chargeback" | "inquiry" | "fraud warning" =>
  status.startsWith("fraud_warning") ? "fraud warning" : status.startsWith("warning_") ? "inquiry" : "chargeback";

/** "open, answer it", "lost": the state of a dispute in plain words. */
export function formatDisputeState(status: string): string {
  switch (status) {
    case "won":
      return "won: the money is back";
    case "lost":
      return "lost: the bank keeps the money";
    case "warning_closed":
      return "closed without a chargeback";
    case "fraud_warning_closed":
      return "over";
    default:
      return isDisputeClosed(status) ? `closed (${status})` : needsAnswer(status) ? "open" : "open, the bank decides";
  }
}

/** Whether a state replaces the stored one: a later one does, and of the same instant one that is over. */
export const supersedes = (after: { status: string; at: Date }, before: { status: string; at: Date }): boolean =>
  after.at.getTime() > before.at.getTime() ||
  (after.at.getTime() === before.at.getTime() && (isDisputeClosed(after.status) || !isDisputeClosed(before.status)));
