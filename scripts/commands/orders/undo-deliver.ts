import { undoDeliveries } from "@marketday/server/modules/orders/undo-delivery";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { manyTargets, runOnTargets, type ToteOption, withTote } from "./targets.ts";

/** `market orders undo-deliver`. */
export const undoDeliver = (): Command =>
  command<ToteOption>({
    name: "undo-deliver <order...>",
    summary: "undo `orders deliver`: mark orders as not delivered after all",
    about:
      "For the whole box, like `orders deliver`, and also for orders that closed at the end of their delivery day: they are\npending again. Until a vendor was paid for the order. After the end of the day they stay pending until you mark them as\ndelivered. All are checked first: if one cannot be undone, none is.",
    examples: [
      'orders undo-deliver 123456789 --reason "wrong tote"',
      'orders undo-deliver carmel 2026-11-26 --tote 3,5 --reason "still in the van"',
    ],
    options: withTote,
    writes: true,
    reason: true,
    async run({ options, out, market }, args) {
      const dryRun = options.dryRun === true;
      const { targets, done } = await market(async (ctx) => {
        const targets = await manyTargets(ctx, args as unknown as string[], options.tote);
        const undo = (ids: number[]) => undoDeliveries(ctx, ids, options.reason ?? "", dryRun);
        return { targets, done: await runOnTargets(targets, undo) };
      });
      const orderIds = done.flatMap((box) => box.orderIds);
      out.answer({ orderIds, orders: done, dryRun }, () => {
        const labels = new Map(targets.map(({ id, label }) => [id, label]));
        const unchanged = done.filter((box) => box.orderIds.length === 0).map(({ orderId }) => labels.get(orderId));
        return [
          ...(orderIds.length > 0
            ? [`${dryRun ? "Would mark" : "Marked"} as not delivered ${orderIds.join(", ")}.`]
            : []),
          ...(unchanged.length > 0 ? [`Not marked as delivered: ${unchanged.join(", ")}.`] : []),
          ...(orderIds.length > 0 ? [] : ["There is nothing to undo. Nothing was done."]),
        ].join("\n");
      });
    },
  });
