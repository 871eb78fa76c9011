import { reversePayout } from "@marketday/server/modules/ledger/pay-vendors";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd, whole } from "../../lib/cli/values.ts";

/** `market ledger reverse`. */
export const reverse = (): Command =>
  command({
    name: "reverse <payout> <vendor>",
    summary: "take a vendor's part of a payout back: it did not arrive, or was wrong; they are owed it again",
    about: "The vendor is their slug, the payout its number; `ledger list` lists them. Once is enough.",
    examples: ['ledger reverse 812 millstone-acres --reason "account closed" --yes'],
    writes: true,
    asks: true,
    reason: true,
    async run({ options, out, market, sure }, number, vendor) {
      const payout = whole(number);
      const { reason = "", dryRun = false } = options;
      await sure(`Take the part of ${vendor} in payout ${payout} back?`);
      const amountCents = await market((ctx) => reversePayout(ctx, { payout, vendor, reason, dryRun }));
      out.answer({ payout, vendor, amountCents, dryRun }, () =>
        amountCents === 0
          ? `The part of ${vendor} in payout ${payout} was taken back already; nothing was done.`
          : `${dryRun ? "Would take" : "Took"} ${usd(amountCents)} of ${vendor} in payout ${payout} back: it is owed again.`,
      );
    },
  });
