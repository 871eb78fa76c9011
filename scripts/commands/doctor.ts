import { audit } from "@marketday/server/modules/audit/audit";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";

/** What an operator does about each invariant that is broken. */
const ADVICE: Record<string, string> = {
  V1: "Stock does not add up. Compare the offer's adjustments with its orders, and book the difference with a reason.",
  V2: "An attempt and its orders disagree. Let the server run for a minute: the sweep finishes attempts it finds.",
  V3: "Money of an order does not add up. Do not edit rows: find the order's bookings, and book a correction.",
  V4: "Money was asked for and not let go, or a refund does not arrive. The sweeps settle this within minutes of the provider's return; if it stays, look at the payment there.",
  V5: "Store credit differs from the ledger. The ledger is right.",
  V6: "A discount code counts its uses wrongly.",
  V8: "A cutoff is not over an hour after its time, or came late (named for a day), or an automatic order came after it. Is a server running? `pnpm market jobs run` catches up.",
  V7: "A referral was used by someone else's order, or credited to people who look like one. Look at both accounts and their orders.",
  V9: "A mail was not written or does not go out. Look at its last error, and at SMTP_URL.",
  V10: "Somebody is logged in to a deleted account, or with a password that was changed. End those sessions.",
  V11: "Something secret stands in a table. Empty that column, and tell whoever develops Marketday.",
  V12: "Something was left lying. Is a server running? Its sweeps clear this within a minute.",
};

/** `market doctor`: what `audit()` finds, and what to do. Exit code 1 when something is wrong. */
export const doctorCommand = (): Command =>
  command({
    name: "doctor",
    summary: "check that stock, orders and money add up",
    about: "Changes nothing. Says what is wrong, and what to do about it. Run it daily.",
    examples: ["doctor"],
    async run({ out, market }) {
      const found = (await market(({ deps, now }) => audit(deps.db, now))).map((violation) => ({
        ...violation,
        advice: ADVICE[violation.invariant] ?? "",
      }));
      if (found.length > 0) process.exitCode = EXIT.refused;
      out.answer(found, () => {
        if (found.length === 0) return out.color.green("Everything adds up.");
        const groups = Map.groupBy(found, ({ invariant, advice }) => `${out.color.red(invariant)}: ${advice}`);
        return [...groups]
          .flatMap(([title, problems]) => [title, ...problems.map(({ problem }) => `  ${problem}`)])
          .join("\n");
      });
    },
  });
