import type { Deps } from "@marketday/server/deps";
import { findFailures, type JobFailure } from "@marketday/server/lib/job-failures";
import { audit } from "@marketday/server/modules/audit/audit";
import { findSetAside, type SetAside } from "@marketday/server/modules/payments/order-charge-store";
import { settingWarnings } from "@marketday/server/setting-warnings";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";
import { usd } from "../lib/cli/values.ts";

/** What an operator does about each invariant that is broken. */
const ADVICE: Record<string, string> = {
  V1: "Stock does not add up. Compare the offer's adjustments with its orders, and book the difference with a reason.",
  V2: "An attempt and its orders disagree. Let the server run for a minute: the sweep finishes attempts it finds.",
  V3: "Money of an order does not add up. Do not edit rows: find the order's bookings, and book a correction.",
  V4: "Money was asked for and not let go, or a refund does not arrive. The sweeps settle this within minutes of the provider's return; if it stays, look at the payment there.",
  V5: "Store credit differs from the ledger. The ledger is right.",
  V6: "A discount code counts its uses wrongly.",
  V8: "A cutoff is not over an hour after its time, or came late (named for a day), or an automatic order came after it. Is a server running? `./market jobs run` catches up.",
  V7: "A referral was used by someone else's order, or credited to people who look like one. Look at both accounts and their orders.",
  V9: "A mail was not written or does not go out. Look at its last error, and at SMTP_URL.",
  V10: "Somebody is logged in to a deleted account, or with a password that was changed. End those sessions.",
  V11: "Something secret stands in a table. Empty that column, and tell whoever develops Marketday.",
  V14: "A closed order is not paid, and nothing says so. Charge it: market orders charge ORDER. If that is refused, market orders paid or write-off.",
  V12: "Something was left lying. Is a server running? Its sweeps clear this within a minute.",
};

/** What an operator does about an order that could not be charged (docs/operating.md). */
const UNPAID =
  "Could not be charged. Charge it again (market orders charge ORDER), note that it was paid (market orders paid ORDER), or give its money up (market orders write-off ORDER).";

const minuteOf = (at: Date): string => at.toISOString().slice(0, 16).replace("T", " ");

/** A setting that the start warns about. It is named here again, and is no finding: the exit code does not count it. */
const SETTINGS = "settings";
const CHANGE_SETTINGS = "Change these in .env, and start the server again.";

/** An order that could not be charged, in a line. */
const unpaidWords = ({ id, hub, day, due_cents: cents, reason, next_at: nextAt }: SetAside): string =>
  `order ${id} of ${hub}, ${day}: ${usd(cents)}. ${reason} ${nextAt === null ? "Not charged again automatically." : `Charged again at ${minuteOf(nextAt)} UTC.`}`;

const OPENING = "opening";
const NOT_OPEN = "Nobody can order yet (docs/operating.md, Opening a market from nothing).";

/** What an operator does about work that failed and is tried again. */
const FAILED =
  "Work that failed; it is tried again automatically, after growing pauses. If the reason does not go away, mend what it names. `./market jobs run` tries everything at once.";

/** "wagon-passes, pass 7: The payment provider did not answer. Tried 3 times since 2026-12-23 06:00 UTC." */
const failureWords = ({ job, subject, reason, tries, since }: JobFailure): string =>
  `${job}, ${subject}: ${reason} Tried ${tries === 1 ? "once" : `${tries} times`} since ${minuteOf(since)} UTC.`;

interface Finding {
  invariant: string;
  problem: string;
  advice: string;
}

/** What the market lacks before anyone can order, with the command that brings it. Nothing is wrong with such a market. */
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
      problem: `${problem} It comes with: ${from}`,
      advice: NOT_OPEN,
    }));
}

/** `market doctor`: what `audit()` finds, and what to do. Exit code 1 when something is wrong. */
export const doctorCommand = (): Command =>
  command({
    name: "doctor",
    summary: "check that stock, orders and money add up",
    about:
      "Changes nothing. Says what is wrong, and what to do about it. Run it daily. Orders that could not be charged are in it until they are charged, paid or written off; other work that failed until it succeeds. Settings that the start warns about, and what a market lacks to open, are named too, with exit code 0.",
    examples: ["doctor"],
    async run({ out, market }) {
      const found = await market<Finding[]>(async ({ deps, now }) => [
        ...(await audit(deps.db, now)).map((violation) => ({
          ...violation,
          advice: ADVICE[violation.invariant] ?? "",
        })),
        ...(await findSetAside(deps.db, null)).map((order) => ({
          invariant: "unpaid",
          problem: unpaidWords(order),
          advice: UNPAID,
        })),
        ...(await findFailures(deps.db, now)).map((failure) => ({
          invariant: "failed",
          problem: failureWords(failure),
          advice: FAILED,
        })),
        ...settingWarnings(deps.env).map(({ message }) => ({
          invariant: SETTINGS,
          problem: message,
          advice: CHANGE_SETTINGS,
        })),
        ...(await findOpeningGaps(deps)),
      ]);
      const addsUp = found.every(({ invariant }) => invariant === SETTINGS || invariant === OPENING);
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
