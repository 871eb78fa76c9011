import { recordPayments } from "@marketday/server/modules/orders/record-payment";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd } from "../../lib/cli/values.ts";
import { runOnTargets, manyTargets, type ToteOption, withTote } from "./targets.ts";

/** `market orders paid`. */
export const paid = (): Command =>
  command<ToteOption>({
    name: "paid <order...>",
    summary: "mark orders as paid at pickup or at the door",
    about:
      "The amount is what the driver's sheet says to collect for the whole box, including add-ons. All are checked first: if one\ncannot be marked as paid, none is.",
    examples: ["orders paid 123456789 123456790", "orders paid carmel 2026-11-26 --tote 1-15,18"],
    options: withTote,
    writes: true,
    reason: "optional",
    async run({ options, out, market }, args) {
      const dryRun = options.dryRun === true;
      const { targets, done } = await market(async (ctx) => {
        const targets = await manyTargets(ctx, args as unknown as string[], options.tote);
        return {
          targets,
          done: await runOnTargets(targets, (ids) => recordPayments(ctx, ids, options.reason, dryRun)),
        };
      });
      const amountCents = done.reduce((sum, { cents }) => sum + cents, 0);
      out.answer({ amountCents, orders: done, dryRun }, () => {
        const labels = new Map(targets.map(({ id, label }) => [id, label]));
        const [newlyPaid, alreadyPaid] = [true, false].map((isNew) =>
          done
            .filter(({ orderIds }) => orderIds.length > 0 === isNew)
            .map(({ orderId, cents }) => `${labels.get(orderId)}${isNew ? ` ${usd(cents)}` : ""}`),
        ) as [string[], string[]];
        return [
          ...(newlyPaid.length > 0
            ? [`${dryRun ? "Would mark" : "Marked"} as paid ${usd(amountCents)}: ${newlyPaid.join(", ")}.`]
            : []),
          ...(alreadyPaid.length > 0 ? [`Already paid: ${alreadyPaid.join(", ")}.`] : []),
          ...(newlyPaid.length > 0 ? [] : ["Nothing was done."]),
        ].join("\n");
      });
    },
  });
