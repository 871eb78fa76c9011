import { reversePayout } from "@marketday/server/modules/ledger/pay-vendors";
import { findPaid } from "@marketday/server/modules/ledger/payout-store";
import type { Command } from "commander";

import { command, group } from "../../lib/cli/command.ts";
import { usd, whole } from "../../lib/cli/values.ts";
import { payouts } from "./payouts.ts";
import { statement } from "./statement.ts";

/** `market ledger list`. */
const list = (): Command =>
  command({
    name: "list",
    summary: "list payouts, newest first",
    examples: ["ledger list"],
    async run({ out, market }) {
      const rows = await market(({ deps }) => findPaid(deps.db));
      const payouts = [...Map.groupBy(rows, ({ payout }) => payout)].map(([payout, parts]) => ({
        payout,
        paidAt: parts[0]!.paid_at.toISOString(),
        what: parts[0]!.note,
        totalCents: parts.reduce((sum, part) => sum + part.amount_cents, 0),
        vendors: parts.map(({ slug, amount_cents: amountCents, taken_back: takenBack }) => ({
          slug,
          amountCents,
          takenBack,
        })),
      }));
      out.answer(payouts, () =>
        payouts.length === 0
          ? "No payouts."
          : out.table(
              ["payout", "date", "what", "vendors", "amount"],
              payouts.map((row) => [
                row.payout,
                row.paidAt.slice(0, 10),
                row.what,
                row.vendors.length,
                usd(row.totalCents),
              ]),
              ["payout", "vendors", "amount"],
            ),
      );
    },
  });

/** `market ledger reverse`. */
const reverse = (): Command =>
  command({
    name: "reverse <payout> <vendor>",
    summary: "reverse a vendor's part of a payout that did not arrive or was wrong; it is owed again",
    about: "The vendor is a slug, the payout a number from `ledger list`. A second run does nothing.",
    examples: ['ledger reverse 812 millstone-acres --reason "account closed" --yes'],
    writes: true,
    needsConfirmation: true,
    reason: true,
    async run({ options, out, market, confirm }, number, vendor) {
      const payout = whole(number);
      const { reason = "", dryRun = false } = options;
      await confirm(`Reverse the part of ${vendor} in payout ${payout}?`);
      const amountCents = await market((ctx) => reversePayout(ctx, { payout, vendor, reason, dryRun }));
      out.answer({ payout, vendor, amountCents, dryRun }, () =>
        amountCents === 0
          ? `The part of ${vendor} in payout ${payout} was already reversed; nothing was done.`
          : `${dryRun ? "Would reverse" : "Reversed"} ${usd(amountCents)} of ${vendor} in payout ${payout}: it is owed again.`,
      );
    },
  });

/** `market ledger …`: vendor earnings and payouts. */
export const ledgerCommand = (): Command =>
  group("ledger", "vendor earnings and payouts", [statement(), payouts(), list(), reverse()]);
