import { recordPayment } from "@marketday/server/modules/orders/record-payment";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd, whole } from "../../lib/cli/values.ts";
import { wholeOrder } from "./whole-order.ts";

/** `market orders paid`. */
export const paid = (): Command =>
  command({
    name: "paid <order>",
    summary: "note that an order was paid at pickup or at the door",
    examples: ["orders paid 123456789"],
    writes: true,
    reason: "optional",
    async run({ options, out, market }, id) {
      const dryRun = options.dryRun === true;
      const amountCents = await market(async (ctx) => {
        const order = await wholeOrder(ctx, whole(id));
        return recordPayment(ctx, order.id, options.reason, dryRun);
      });
      out.answer({ amountCents, dryRun }, () =>
        amountCents === 0
          ? `Order ${id} was paid already; nothing was done.`
          : `${dryRun ? "Would note" : "Noted"} ${usd(amountCents)} for order ${id}.`,
      );
    },
  });
