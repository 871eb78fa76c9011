import { lineName } from "@marketday/domain/cart";
import { needsAnswer } from "@marketday/domain/dispute";
import { cleanCode } from "@marketday/domain/text";
import type { Deps } from "@marketday/server/deps";
import { findMissingSizes } from "@marketday/server/modules/doctor/find-missing-sizes";
import { findUnmatchedHolds, type UnmatchedHold } from "@marketday/server/modules/doctor/find-unmatched-holds";
import { findUncleanEmails } from "@marketday/server/modules/doctor/unclean-email-sql";
import { audit } from "@marketday/server/modules/doctor/violation-sql";
import { findFailures, type JobFailure } from "@marketday/server/modules/job-failures/failure-sql";
import { findDisputes } from "@marketday/server/modules/payments/dispute-store";
import { findUnrecorded } from "@marketday/server/modules/payments/fetch-moved-money";
import { findSetAside, type SetAside } from "@marketday/server/modules/payments/set-aside-store";
import { findUnresolvedRefunds } from "@marketday/server/modules/payments/unresolved-store";
import { settingWarnings } from "@marketday/server/setting-warnings";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { formatDispute } from "../lib/cli/dispute.ts";
import { EXIT } from "../lib/cli/exit.ts";
import { usd } from "../lib/cli/values.ts";
import { formatDisputeRow } from "./disputes.ts";
import { formatUnresolved } from "./refunds.ts";

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
const UNPAID =
  "Could not be charged. Charge it again (market orders charge ORDER), mark it as paid (market orders paid ORDER), or write it off (market orders write-off ORDER).";

const minuteOf = (at: Date): string => at.toISOString().slice(0, 16).replace("T", " ");

/** Warnings about settings, as on start. They do not affect the exit code. */
const SETTINGS = "settings";
const CHANGE_SETTINGS = "Change these in .env, and start the server again.";

/** One line for an order that could not be charged. */
const formatUnpaid = ({ id, hub, day, due_cents: cents, reason, next_at: nextAt }: SetAside): string =>
  `order ${id} of ${hub}, ${day}: ${usd(cents)}. ${reason} ${nextAt === null ? "Not charged again automatically." : `Charged again at ${minuteOf(nextAt)} UTC.`}`;

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
      return `The provider holds ${usd(amountCents)} (${names}), which no payment here knows.`;
    case "ended":
      return `The provider holds ${usd(amountCents)} (${names}), and its payment here is ${hold.state}.`;
    case "missing":
      return `A payment here counts on ${usd(amountCents)} (${names}), and at the provider it is ${hold.state ?? "not there"}.`;
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
          `refund ${ref} of ${usd(amountCents)} for payment ${paymentId} ${failure === null ? "was made" : "failed"} at the provider`,
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

/** What an operator can do about an account whose owner cannot log in (docs/operating.md). */
const UNCLEAN =
  "The stored email contains characters that are removed from what people type: its owner can't log in, and another account may have the same address. Look at both (market customers find), and delete the one that is not used (market customers delete ID).";

/** Everything but plain letters as its code: "ada@example.com<U+200B>". */
const escapeInvisible = (text: string): string =>
  text.replace(/[^!-~]/gu, (char) => `<U+${char.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}>`);

/** Products without a size. They do not affect the exit code. */
const SIZE = "size";
const NAME_SIZES =
  "Shoppers don't see how much they buy. Write the size as the unit, such as 8 oz, or each for what is sold by the piece (market products set SLUG --variant TITLE --unit UNIT, or an import: docs/operating.md, Vendors and products).";
/** How many of them are named. */
const NAMED_SIZES = 20;

/** "jam: Strawberry jam, Each (Oak Farm)"; of many the first, and how many more there are. */
async function findSizeGaps({ db }: Deps): Promise<Finding[]> {
  const rows = await findMissingSizes(db);
  const named = rows
    .slice(0, NAMED_SIZES)
    .map((row) => `${row.slug}: ${lineName(row.product_title, row.variant_title)} (${row.vendor})`);
  const more = rows.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more.toLocaleString("en-US")} more`] : [])].map((problem) => ({
    invariant: SIZE,
    problem,
    advice: NAME_SIZES,
  }));
}

const OPENING = "opening";
const NOT_OPEN = "No one can order yet (docs/operating.md, Opening a market from nothing).";

/** What an operator can do about failed work that is retried. */
const FAILED =
  "Work that failed; it is retried automatically, with increasing delays. If it keeps failing, fix the reason. `./market jobs run` retries everything now.";

/** "wagon-passes, pass 7: The payment provider did not answer. Tried 3 times since 2026-12-23 06:00 UTC." */
const formatFailure = ({ job, subject, reason, tries, since }: JobFailure): string =>
  `${job}, ${subject}: ${reason} Tried ${tries === 1 ? "once" : `${tries} times`} since ${minuteOf(since)} UTC.`;

interface Finding {
  invariant: string;
  problem: string;
  advice: string;
}

/** What is missing before anyone can order, with the command that imports it. These do not affect the exit code. */
async function findOpeningGaps({ db }: Deps): Promise<Finding[]> {
  const isPublished = { where: { is_published: true } };
  const gaps = [
    { problem: "There is no hub.", count: await db.hub.count(isPublished), from: "market hubs import FILE" },
    { problem: "There is no vendor.", count: await db.vendor.count(isPublished), from: "market vendors import FILE" },
    {
      problem: "No hub offers a product.",
      count: await db.offer.count(isPublished),
      from: "market products import FILE, with the columns hub and price",
    },
  ];
  return gaps
    .filter(({ count }) => count === 0)
    .map(({ problem, from }) => ({
      invariant: OPENING,
      problem: `${problem} Import with: ${from}`,
      advice: NOT_OPEN,
    }));
}

/** `market doctor`: the findings of `audit()`, and what to do about them. Exit code 1 when something is wrong. */
export const doctorCommand = (): Command =>
  command({
    name: "doctor",
    summary: "check that stock, orders and money add up",
    about:
      "Changes nothing. Lists what is wrong, and what to do about it. Run it daily. Orders that could not be charged are listed until they are charged, paid or written off, other failed work until it succeeds. Open disputes are listed with the day to answer by, and refunds that did not go back until they are settled. Open authorizations, refunds and disputes are compared with the payment provider's; if it does not answer, that is listed, and the rest is checked. This, disputes that a bank decides, warnings about settings, products on sale without a size, and what is missing before the market can open are listed with exit code 0.",
    examples: ["doctor"],
    async run({ out, market }) {
      const found = await market<Finding[]>(async ({ deps, now }) => [
        ...(await audit(deps.db, now)).map((violation) => ({
          ...violation,
          advice: ADVICE[violation.invariant] ?? "",
        })),
        ...(await compareHolds(deps)),
        ...(await compareMovedMoney(deps, now)),
        ...(await findOpenDisputes(deps)),
        ...(await findUnresolvedRefunds(deps.db)).map((refund) => ({
          invariant: "refund",
          problem: formatUnresolved(refund),
          advice: UNRETURNED,
        })),
        ...(await findSetAside(deps.db, null)).map((order) => ({
          invariant: "unpaid",
          problem: formatUnpaid(order),
          advice: UNPAID,
        })),
        ...(await findFailures(deps.db, now)).map((failure) => ({
          invariant: "failed",
          problem: formatFailure(failure),
          advice: FAILED,
        })),
        ...(await findUncleanEmails(deps.db)).map(({ id, email }) => ({
          invariant: "email",
          problem: `customer ${id}: ${escapeInvisible(email)} is ${cleanCode(email)} when it is typed`,
          advice: UNCLEAN,
        })),
        ...settingWarnings(deps.env).map(({ message }) => ({
          invariant: SETTINGS,
          problem: message,
          advice: CHANGE_SETTINGS,
        })),
        ...(await findOpeningGaps(deps)),
        ...(await findSizeGaps(deps)),
      ]);
      const addsUp = found.every(({ invariant }) =>
        [SETTINGS, OPENING, SIZE, NOT_COMPARED, UNDER_REVIEW].includes(invariant),
      );
      if (!addsUp) process.exitCode = EXIT.refused;
      out.answer(found, () => {
        const groups = Map.groupBy(found, ({ invariant, advice }) => `${out.color.red(invariant)}: ${advice}`);
        return [
          ...(addsUp ? [out.color.green("Everything adds up.")] : []),
          ...[...groups].flatMap(([title, problems]) => [title, ...problems.map(({ problem }) => `  ${problem}`)]),
        ].join("\n");
      });
    },
  });
