import { chargeNow } from "@marketday/server/modules/orders/charge-now";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd } from "../../lib/cli/values.ts";
import { oneOrder, type ToteOption, withTote } from "./targets.ts";

/** `market orders charge`. */
export const charge = (): Command =>
  command<ToteOption>({
    name: "charge <order> [date]",
    summary: "retry the charge of an order that failed at its cutoff",
    about: "Captures the authorization, or charges the customer's default card. A second run does not charge again.",
    examples: ["orders charge 123456789", "orders charge carmel 2026-11-26 --tote 7"],
    options: withTote,
    writes: true,
    reason: "optional",
    async run({ options, out, market }, ...args) {
      const dryRun = options.dryRun === true;
      const { id, amountCents } = await market(async (ctx) => {
        const id = await oneOrder(ctx, args, options.tote);
        return { id, amountCents: await chargeNow(ctx, id, options.reason, dryRun) };
      });
      out.answer({ amountCents, dryRun }, () =>
        amountCents === 0
          ? `Order ${id} is already paid; nothing was done.`
          : `${dryRun ? "Would charge" : "Charged"} ${usd(amountCents)} for order ${id}.`,
      );
    },
  });
