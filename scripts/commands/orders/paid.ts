import { recordPayments } from "@marketday/server/modules/orders/record-payment";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd } from "../../lib/cli/values.ts";
import { doToAll, manyTargets, type ToteOption, withTote } from "./targets.ts";

/** `market orders paid`. */
export const paid = (): Command =>
  command<ToteOption>({
    name: "paid <order...>",
    summary: "note that orders were paid at pickup or at the door",
    about:
      "What the box of each order has to collect, add-ons too, as the driver's sheet prints it. All are checked first: when one\ncannot be noted, none is.",
    examples: ["orders paid 123456789 123456790", "orders paid carmel 2026-11-26 --tote 1-15,18"],
    options: withTote,
    writes: true,
    reason: "optional",
    async run({ options, out, market }, words) {
      const dryRun = options.dryRun === true;
      const { targets, done } = await market(async (ctx) => {
        const targets = await manyTargets(ctx, words as unknown as string[], options.tote);
        return { targets, done: await doToAll(targets, (ids) => recordPayments(ctx, ids, options.reason, dryRun)) };
      });
      const amountCents = done.reduce((sum, { cents }) => sum + cents, 0);
      out.answer({ amountCents, orders: done, dryRun }, () => {
        const labels = new Map(targets.map(({ id, label }) => [id, label]));
        const [noted, before] = [true, false].map((isNew) =>
          done
            .filter(({ orderIds }) => orderIds.length > 0 === isNew)
            .map(({ orderId, cents }) => `${labels.get(orderId)}${isNew ? ` ${usd(cents)}` : ""}`),
        ) as [string[], string[]];
        return [
          ...(noted.length > 0 ? [`${dryRun ? "Would note" : "Noted"} ${usd(amountCents)}: ${noted.join(", ")}.`] : []),
          ...(before.length > 0 ? [`Paid already: ${before.join(", ")}.`] : []),
          ...(noted.length > 0 ? [] : ["Nothing was done."]),
        ].join("\n");
      });
    },
  });
