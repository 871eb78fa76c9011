import { chargeNow } from "@marketday/server/modules/orders/charge-now";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd, whole } from "../../lib/cli/values.ts";
import { wholeOrder } from "./whole-order.ts";

/** `market orders charge`. */
export const charge = (): Command =>
  command({
    name: "charge <order>",
    summary: "charge an order again that could not be charged at its cutoff",
    about: "Captures the hold on the card, or charges the customer's default card. Run again it charges nothing twice.",
    examples: ["orders charge 123456789"],
    writes: true,
    reason: "optional",
    async run({ options, out, market }, id) {
      const dryRun = options.dryRun === true;
      const amountCents = await market(async (ctx) => {
        const order = await wholeOrder(ctx, whole(id));
        return chargeNow(ctx, order.id, options.reason, dryRun);
      });
      out.answer({ amountCents, dryRun }, () =>
        amountCents === 0
          ? `Order ${id} is paid already; nothing was done.`
          : `${dryRun ? "Would charge" : "Charged"} ${usd(amountCents)} for order ${id}.`,
      );
    },
  });
