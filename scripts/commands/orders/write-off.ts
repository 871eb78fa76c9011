import { writeOffOrder } from "@marketday/server/modules/orders/write-off-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd } from "../../lib/cli/values.ts";
import { oneOrder, type ToteOption, withTote } from "./targets.ts";

/** `market orders write-off`. */
export const writeOff = (): Command =>
  command<ToteOption>({
    name: "write-off <order> [date]",
    summary: "write off the unpaid amount of an order",
    about:
      "At the market's expense: vendors keep their shares, the card is no longer charged. If it is paid later, `orders paid` reverses this.",
    examples: [
      'orders write-off 123456789 --reason "moved away" --yes',
      'orders write-off carmel 2026-11-26 --tote 7 --reason "moved away" --yes',
    ],
    options: withTote,
    writes: true,
    needsConfirmation: true,
    reason: true,
    async run({ options, out, market, confirm }, ...args) {
      const dryRun = options.dryRun === true;
      const { id, amountCents } = await market(async (ctx) => {
        const id = await oneOrder(ctx, args, options.tote);
        await confirm(`Write off the unpaid amount of order ${id}?`);
        return { id, amountCents: await writeOffOrder(ctx, id, options.reason ?? "", dryRun) };
      });
      out.answer({ amountCents, dryRun }, () =>
        amountCents === 0
          ? `Order ${id} was already written off; nothing was done.`
          : `${dryRun ? "Would write off" : "Wrote off"} ${usd(amountCents)} of order ${id}.`,
      );
    },
  });
