import { cancelOrder } from "@marketday/server/modules/orders/cancel-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { destination, usd, whole } from "../../lib/cli/values.ts";
import { keyOf, wholeOrder } from "./whole-order.ts";

/** `market orders cancel`. */
export const cancel = (): Command =>
  command<{ to: "card" | "credit"; restock?: boolean }>({
    name: "cancel <order>",
    summary: "cancel an order and give its money back, with a mail",
    about:
      "With a box its add-ons go too. Before the charge the hold on the card is let go. The units go back on sale until the\ndelivery, after it they do not.",
    examples: ['orders cancel 123456789 --reason "truck broke down" --yes'],
    options: (made) =>
      made
        .option("--to <where>", "where money that was taken goes: card or credit", destination, "card")
        .option("--restock", "the units go back on sale whatever the day")
        .option("--no-restock", "they do not"),
    writes: true,
    asks: true,
    reason: true,
    async run({ options, out, market, sure }, id) {
      const number = whole(id);
      await sure(`Cancel order ${number}?`);
      const done = await market(async (ctx) => {
        await wholeOrder(ctx, number);
        return cancelOrder(ctx, number, {
          to: options.to,
          reason: options.reason ?? "",
          key: keyOf("cancel", number),
          dryRun: options.dryRun === true,
          ...(options.restock !== undefined && { restock: options.restock }),
        });
      });
      out.answer({ ...done, dryRun: options.dryRun === true }, () =>
        done.orderIds.length === 0
          ? `Order ${number} was cancelled already; nothing was done.`
          : `${options.dryRun ? "Would cancel" : "Cancelled"} ${done.orderIds.join(", ")}; ${usd(done.backCents)} back to ${options.to === "card" ? "the card" : "store credit"}.`,
      );
    },
  });
