import { cancelOrder } from "@marketday/server/modules/orders/cancel-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT } from "../../lib/cli/exit.ts";
import { destination, formatMoneyBack, hasFailedRefund } from "../../lib/cli/values.ts";
import { idempotencyKey } from "./read-order.ts";
import { oneTarget, type ToteOption, withTote } from "./targets.ts";

/** `market orders cancel`. */
export const cancel = (): Command =>
  command<ToteOption & { to: "card" | "credit"; restock?: boolean }>({
    name: "cancel <order> [date]",
    summary: "cancel an order, refund it, and email the customer",
    about:
      "With a box its add-ons are canceled too. An authorization that was not captured is voided. Before the delivery the units\ngo back on sale, afterwards they do not.",
    examples: [
      'orders cancel 123456789 --reason "truck broke down" --yes',
      'orders cancel carmel 2026-11-26 --tote 7 --reason "truck broke down" --yes',
    ],
    options: (cmd) =>
      withTote(cmd)
        .option("--to <where>", "where captured money is refunded to: card or credit", destination, "card")
        .option("--restock", "put the units back on sale, even after the delivery")
        .option("--no-restock", "do not put the units back on sale"),
    writes: true,
    needsConfirmation: true,
    reason: true,
    async run({ options, out, market, confirm }, ...args) {
      const { number, done } = await market(async (ctx) => {
        const { label, id: number } = await oneTarget(ctx, args, options.tote);
        await confirm(`Cancel ${label}?`);
        const done = await cancelOrder(ctx, number, {
          to: options.to,
          reason: options.reason ?? "",
          key: idempotencyKey("cancel", number),
          dryRun: options.dryRun === true,
          ...(options.restock !== undefined && { restock: options.restock }),
        });
        return { number, done };
      });
      if (hasFailedRefund(done)) process.exitCode = EXIT.refused;
      out.answer({ ...done, dryRun: options.dryRun === true }, () =>
        done.orderIds.length === 0
          ? `Order ${number} was already cancelled; nothing was done.`
          : `${options.dryRun ? "Would cancel" : "Cancelled"} ${done.orderIds.join(", ")}; ${formatMoneyBack(done, done.to)}.`,
      );
    },
  });
