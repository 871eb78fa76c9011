import { needsAnswer } from "@marketday/domain/dispute";
import { cents, formatUsd } from "@marketday/domain/money";
import { cleanCode } from "@marketday/domain/text";

import type { Deps } from "../../deps.ts";
import type { Context } from "../identity/context.ts";
import { findFailures, type JobFailure } from "../job-failures/failure-sql.ts";
import { findDisputes } from "../payments/dispute-store.ts";
import { findUnrecorded } from "../payments/fetch-moved-money.ts";
import { formatDispute, formatDisputeRow } from "../payments/format-dispute.ts";
import { formatUnresolved } from "../payments/format-unresolved.ts";
import { findSetAside, type SetAside } from "../payments/set-aside-store.ts";
import { findUnresolvedRefunds } from "../payments/unresolved-store.ts";
import { findUnmatchedHolds, type UnmatchedHold } from "./find-unmatched-holds.ts";
import { findUncleanEmails } from "./unclean-email-sql.ts";
import { audit } from "./violation-sql.ts";

/** Something that does not add up, or that an operator should know. */
export interface Finding {
  /** V1 … of docs/failures.md, or a word. */
  invariant: string;
  problem: string;
  advice: string;
}

/** What an operator can do about each broken invariant. */
const ADVICE: Record<string, string> = {
  V1: "Stock does not add up. Compare the offer's adjustments with its orders, and book the difference with a reason.",
  V2: "An attempt and its orders disagree. Let the server run for a minute: the sweep finishes open attempts.",
  V3: "The money of an order does not add up. Do not edit rows: find the order's bookings, and book a correction.",
  V4: "An authorization was not voided, or a refund was not paid out. The sweeps settle this within minutes once the provider is back; if it stays, look at the payment there.",
  V5: "Store credit differs from the ledger. The ledger is right.",
  V6: "The use count of a discount code is wrong.",
  V8: "A cutoff is not finished an hour after its time, or was late (reported for a day), or an automatic order was placed after it. Is a server running? `./market jobs run` catches up.",
  V7: "A referral was used by someone else's order, or both accounts seem to be the same person. Look at both accounts and their orders.",
  V9: "An email was not queued or cannot be sent. Look at its last error, and at SMTP_URL.",
  V10: "A session belongs to a deleted account, or was opened with a password that has changed. End those sessions.",
  V11: "A table contains a secret. Clear that column, and report it to the developers of Marketday.",
  V14: "A closed order is not paid, and is not marked as unpaid. Charge it: market orders charge ORDER. If that is refused: market orders paid or write-off.",
  V15: "A vendor's account differs from the vendor's order lines. Do not pay it out before it is clear: compare the order's lines with its bookings, and report it to the developers of Marketday.",
  V12: "Expired work was not cleaned up. Is a server running? Its sweeps clear this within a minute.",
};

/** What an operator can do about an order that could not be charged (docs/operating.md). */
const UNPAID = "unpaid";
const CHARGE_AGAIN =
  "Could not be charged. Charge it again (market orders charge ORDER), mark it as paid (market orders paid ORDER), or write it off (market orders write-off ORDER).";

const minuteOf = (at: Date): string => at.toISOString().slice(0, 16).replace("T", " ");

/** One line for an order that could not be charged. */
const formatUnpaid = ({ id, hub, day, due_cents: dueCents, reason, next_at: nextAt }: SetAside): string =>
  `order ${id} of ${hub}, ${day}: ${formatUsd(cents(dueCents))}. ${reason} ${nextAt === null ? "Not charged again automatically." : `Charged again at ${minuteOf(nextAt)} UTC.`}`;

const PROVIDER = "provider";
/** What an operator can do about an authorization that only one side has. */
const UNMATCHED =
  "An authorization is at the payment provider alone, or here alone. Look for it in the provider's dashboard by its id. One that pays for no order: cancel it there. One that the provider no longer has: the order is charged on the saved card at its cutoff.";
/** The provider did not answer. It does not affect the exit code. */
const NOT_COMPARED = "not compared";
const COMPARE_AGAIN =
  "Open authorizations were not compared with the payment provider's. Run the doctor again when it answers.";

/** "The provider holds $117.25 (pi_1, key …), which no payment here knows." */
function formatUnmatched(hold: UnmatchedHold): string {
  const { key, ref, amountCents } = hold;
  const names = [ref, key === null ? "without a key" : `key ${key}`].filter((name) => name !== null).join(", ");
  switch (hold.kind) {
    case "unknown":
      return `The provider holds ${formatUsd(cents(amountCents))} (${names}), which no payment here knows.`;
    case "ended":
      return `The provider holds ${formatUsd(cents(amountCents))} (${names}), and its payment here is ${hold.state}.`;
    case "missing":
      return `A payment here counts on ${formatUsd(cents(amountCents))} (${names}), and at the provider it is ${hold.state ?? "not there"}.`;
  }
}

/** Compares open authorizations with the provider's; if it does not answer, that is the finding. */
async function compareHolds(deps: Deps): Promise<Finding[]> {
  try {
    const { unmatched, uncheckedCount } = await findUnmatchedHolds(deps);
    const problems = unmatched.map(formatUnmatched);
    if (uncheckedCount > 0)
      problems.push(
        `The provider's list lacks ${uncheckedCount} more authorizations. Does its key belong to this market?`,
      );
    return problems.map((problem) => ({ invariant: PROVIDER, problem, advice: UNMATCHED }));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    return [{ invariant: NOT_COMPARED, problem, advice: COMPARE_AGAIN }];
  }
}

const DISPUTE = "dispute";
/** What an operator can do about an open dispute (docs/operating.md). */
const DISPUTED =
  "A shopper's bank disputes a charge. Answer it in the payment provider's dashboard before its day; an order that is not delivered yet comes unless you cancel it (docs/operating.md, A customer disputes a charge).";
/** Evidence was sent: nothing is to be done. It does not affect the exit code. */
const UNDER_REVIEW = "dispute under review";
const WAIT = "The shopper's bank decides. It keeps the money until then.";
const REFUND = "refund";
const UNRETURNED =
  "A refund did not go back to the card, and the market still has the money. Give it again or as store credit (market refunds send REFUND --to card|credit), or close it (market refunds close REFUND).";
const UNRECORDED =
  "The payment provider has this, and its webhook did not come. `./market jobs run` records it. Are the events of docs/payments.md switched on for the webhook?";

/** Open disputes: those to answer, and those that the bank decides. */
async function findOpenDisputes({ db }: Deps): Promise<Finding[]> {
  return (await findDisputes(db)).map((row) => {
    const problem = formatDisputeRow(row);
    return needsAnswer(row.status)
      ? { invariant: DISPUTE, problem, advice: DISPUTED }
      : { invariant: UNDER_REVIEW, problem, advice: WAIT };
  });
}

/** Compares disputes and refunds with the provider's; if it does not answer, that is the finding. */
async function compareMovedMoney(deps: Deps, now: Date): Promise<Finding[]> {
  try {
    const { disputes, refunds } = await findUnrecorded(deps, now);
    const problems = [
      ...disputes.map((dispute) =>
        formatDispute({ ...dispute, amountCents: dispute.amountCents ?? 0, closedAt: null }, "UTC"),
      ),
      ...refunds.map(
        ({ ref, amountCents, failure, paymentId }) =>
          `refund ${ref} of ${formatUsd(cents(amountCents))} for payment ${paymentId} ${failure === null ? "was made" : "failed"} at the provider`,
      ),
    ];
    return problems.map((problem) => ({ invariant: PROVIDER, problem, advice: UNRECORDED }));
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    const advice =
      "Refunds and disputes were not compared with the payment provider's. Run the doctor again when it answers; a restricted key needs to read Disputes and Charges.";
    return [{ invariant: NOT_COMPARED, problem, advice }];
  }
}

const EMAIL = "email";
/** What an operator can do about an account whose owner cannot log in (docs/operating.md). */
const UNCLEAN =
  "The stored email contains characters that are removed from what people type: its owner can't log in, and another account may have the same address. Look at both (market customers find), and delete the one that is not used (market customers delete ID).";

/** Everything but plain letters as its code: "ada@example.com<U+200B>". */
const escapeInvisible = (text: string): string =>
  text.replace(/[^!-~]/gu, (char) => `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`);

/** What an operator can do about failed work that is retried. */
const FAILED = "failed";
const RETRIED =
  "Work that failed; it is retried automatically, with increasing delays. If it keeps failing, fix the reason. `./market jobs run` retries everything now.";

/** "wagon-passes, pass 7: The payment provider did not answer. Tried 3 times since 2026-12-23 06:00 UTC." */
const formatFailure = ({ job, subject, reason, tries, since }: JobFailure): string =>
  `${job}, ${subject}: ${reason} Tried ${tries === 1 ? "once" : `${tries} times`} since ${minuteOf(since)} UTC.`;

/** Warnings about settings. */
export const SETTINGS = "settings";
/** What is missing before anyone can order. */
export const OPENING = "opening";
/** Products without a size. */
export const SIZE = "size";
const FOR_INFORMATION = new Set([NOT_COMPARED, UNDER_REVIEW, SETTINGS, OPENING, SIZE]);

/** Whether a finding is something wrong. Others are for information: they do not affect the exit code of `market doctor`. */
export const isProblem = ({ invariant }: Finding): boolean => !FOR_INFORMATION.has(invariant);

/** What waits for an operator, each with a list: nothing is broken. */
const WORK = new Set([DISPUTE, REFUND, UNPAID, FAILED]);

/** "wrong": a failed check. "work": it waits for an operator. "information": for information. */
export const kindOf = (finding: Finding): "wrong" | "work" | "information" =>
  !isProblem(finding) ? "information" : WORK.has(finding.invariant) ? "work" : "wrong";

/**
 * The checks that failed, each in a line: "V1: offer 7 has 3 units too many". That of an email is without the address, because lines are
 * stored, and the deletion of an account does not reach them.
 */
export const failedChecks = (found: readonly Finding[]): string[] =>
  found
    .filter((each) => kindOf(each) === "wrong")
    .map(({ invariant, problem }) => `${invariant}: ${invariant === EMAIL ? problem.replace(/:.*$/s, "") : problem}`);

/**
 * Whether stock, orders and money add up, and work that waits for an operator: every check of `market doctor` that looks at what the market
 * does. Read-only. A provider that does not answer is a finding.
 */
export async function findProblems({ deps, now }: Context): Promise<Finding[]> {
  return [
    ...(await audit(deps.db, now)).map((violation) => ({
      ...violation,
      advice: ADVICE[violation.invariant] ?? "",
    })),
    ...(await compareHolds(deps)),
    ...(await compareMovedMoney(deps, now)),
    ...(await findOpenDisputes(deps)),
    ...(await findUnresolvedRefunds(deps.db)).map((refund) => ({
      invariant: REFUND,
      problem: formatUnresolved(refund),
      advice: UNRETURNED,
    })),
    ...(await findSetAside(deps.db, null)).map((order) => ({
      invariant: UNPAID,
      problem: formatUnpaid(order),
      advice: CHARGE_AGAIN,
    })),
    ...(await findFailures(deps.db, now)).map((failure) => ({
      invariant: FAILED,
      problem: formatFailure(failure),
      advice: RETRIED,
    })),
    ...(await findUncleanEmails(deps.db)).map(({ id, email }) => ({
      invariant: EMAIL,
      problem: `customer ${id}: ${escapeInvisible(email)} is ${cleanCode(email)} when it is typed`,
      advice: UNCLEAN,
    })),
  ];
}
