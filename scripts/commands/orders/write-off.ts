import { writeOffOrder } from "@marketday/server/modules/orders/write-off-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd, whole } from "../../lib/cli/values.ts";
import { wholeOrder } from "./whole-order.ts";

/** `market orders write-off`. */
export const writeOff = (): Command =>
  command({
    name: "write-off <order>",
    summary: "write off the money of an order that was not paid",
    about:
      "The market bears it: vendors keep their shares, the card is not charged any more. Paid after all? `orders paid` takes it back.",
    examples: ['orders write-off 123456789 --reason "moved away" --yes'],
    writes: true,
    asks: true,
    reason: true,
    async run({ options, out, market, sure }, id) {
      const number = whole(id);
      await sure(`Write off what order ${number} was not paid?`);
      const dryRun = options.dryRun === true;
      const amountCents = await market(async (ctx) => {
        const order = await wholeOrder(ctx, number);
        return writeOffOrder(ctx, order.id, options.reason ?? "", dryRun);
      });
      out.answer({ amountCents, dryRun }, () =>
        amountCents === 0
          ? `Order ${id} was written off already; nothing was done.`
          : `${dryRun ? "Would write off" : "Wrote off"} ${usd(amountCents)} of order ${id}.`,
      );
    },
  });
