import { cancelOrder } from "@marketday/server/modules/orders/cancel-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { destination, usd } from "../../lib/cli/values.ts";
import { oneTarget, type ToteOption, withTote } from "./targets.ts";
import { keyOf } from "./whole-order.ts";

/** `market orders cancel`. */
export const cancel = (): Command =>
  command<ToteOption & { to: "card" | "credit"; restock?: boolean }>({
    name: "cancel <order> [date]",
    summary: "cancel an order and give its money back, with a mail",
    about:
      "With a box its add-ons go too. Before the charge the hold on the card is let go. The units go back on sale until the\ndelivery, after it they do not.",
    examples: [
      'orders cancel 123456789 --reason "truck broke down" --yes',
      'orders cancel carmel 2026-11-26 --tote 7 --reason "truck broke down" --yes',
    ],
    options: (made) =>
      withTote(made)
        .option("--to <where>", "where money that was taken goes: card or credit", destination, "card")
        .option("--restock", "the units go back on sale whatever the day")
        .option("--no-restock", "they do not"),
    writes: true,
    asks: true,
    reason: true,
    async run({ options, out, market, sure }, ...words) {
      const { number, done } = await market(async (ctx) => {
        const { label, id: number } = await oneTarget(ctx, words, options.tote);
        await sure(`Cancel ${label}?`);
        const done = await cancelOrder(ctx, number, {
          to: options.to,
          reason: options.reason ?? "",
          key: keyOf("cancel", number),
          dryRun: options.dryRun === true,
          ...(options.restock !== undefined && { restock: options.restock }),
        });
        return { number, done };
      });
      out.answer({ ...done, dryRun: options.dryRun === true }, () =>
        done.orderIds.length === 0
          ? `Order ${number} was cancelled already; nothing was done.`
          : `${options.dryRun ? "Would cancel" : "Cancelled"} ${done.orderIds.join(", ")}; ${usd(done.backCents)} back to ${options.to === "card" ? "the card" : "store credit"}.`,
      );
    },
  });
