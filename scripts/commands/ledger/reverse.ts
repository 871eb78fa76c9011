import { reversePayout } from "@marketday/server/modules/ledger/pay-vendors";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd, whole } from "../../lib/cli/values.ts";

/** `market ledger reverse`. */
export const reverse = (): Command =>
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
