import { deliverOrders } from "@marketday/server/modules/orders/deliver-orders";
import { findFutureDays } from "@marketday/server/modules/orders/support-store";
import type { Command } from "commander";

import { command, FUTURE, includeFuture } from "../../lib/cli/command.ts";
import { runOnTargets, manyTargets, type ToteOption, withTote } from "./targets.ts";

const notYet = (days: string): string => `${days} has not come yet.`;

/** `market orders deliver`. */
export const deliver = (): Command =>
  command<ToteOption>({
    name: "deliver <order...>",
    summary: "mark orders as delivered",
    about:
      "The number of an add-on means its whole box. Orders close automatically at the end of their delivery day; this closes\nthem now. All are checked first: if one cannot be closed, none is. For a day that has not come yet it asks first.\n`orders undo-deliver` undoes it.",
    examples: ["orders deliver 123456789 123456790", "orders deliver carmel 2026-11-26 --tote 1-15,18"],
    options: (cmd) => includeFuture(withTote(cmd)),
    writes: true,
    reason: "optional",
    async run({ options, out, market, confirm }, args) {
      const dryRun = options.dryRun === true;
      const { targets, done, early } = await market(async (ctx) => {
        const targets = await manyTargets(ctx, args as unknown as string[], options.tote);
        const deliver = (isTried: boolean) =>
          runOnTargets(targets, (ids) => deliverOrders(ctx, ids, options.reason, isTried));
        const planned = await deliver(true);
        const days = await findFutureDays(
          ctx.deps.db,
          planned.flatMap(({ orderIds }) => orderIds),
          ctx.now,
        );
        const early = days.map(({ hub, day }) => `${hub} on ${day}`).join(", ");
        if (early !== "") await confirm(`${notYet(early)} Mark its orders as delivered?`, FUTURE);
        return { targets, done: dryRun ? planned : await deliver(false), early };
      });
      const orderIds = done.flatMap((box) => box.orderIds);
      out.answer({ orderIds, orders: done, dryRun }, () => {
        const labels = new Map(targets.map(({ id, label }) => [id, label]));
        const alreadyClosed = done.filter((box) => box.orderIds.length === 0).map(({ orderId }) => labels.get(orderId));
        return [
          ...(dryRun && early !== "" ? [notYet(early)] : []),
          ...(orderIds.length > 0 ? [`${dryRun ? "Would close" : "Closed"} ${orderIds.join(", ")}.`] : []),
          ...(alreadyClosed.length > 0 ? [`Already closed: ${alreadyClosed.join(", ")}.`] : []),
          ...(orderIds.length > 0 ? [] : ["Nothing was done."]),
        ].join("\n");
      });
    },
  });
