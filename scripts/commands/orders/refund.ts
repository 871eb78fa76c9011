import { refundOrder } from "@marketday/server/modules/orders/refund-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT } from "../../lib/cli/exit.ts";
import { destination, dollars, usd, whole } from "../../lib/cli/values.ts";
import { keyOf, wholeOrder } from "./whole-order.ts";

/** `market orders refund`. */
export const refund = (): Command =>
  command<{ to: "card" | "credit" }>({
    name: "refund <order> <dollars>",
    summary: "give money back for an order whose sale stays as it is, with a mail",
    about:
      "A kindness the market bears. For units that did not come use `orders short`, which lowers the vendors' shares too.\nThe same command line gives once; for a second refund of the same amount give another reason.",
    examples: ['orders refund 123456789 5.00 --to credit --reason "bruised peaches" --yes'],
    options: (made) => made.option("--to <where>", "card or credit", destination, "card"),
    writes: true,
    asks: true,
    reason: true,
    async run({ options, out, market, sure }, id, amount) {
      const [number, amountCents] = [whole(id), dollars(amount)];
      await sure(`Give ${usd(amountCents)} back for order ${number}?`);
      const given = await market(async (ctx) => {
        await wholeOrder(ctx, number);
        const key = keyOf("refund", number, amountCents, options.to, options.reason);
        return refundOrder(ctx, number, {
          amountCents,
          to: options.to,
          reason: options.reason ?? "",
          key,
          dryRun: options.dryRun === true,
        });
      });
      if (given.state === "failed") process.exitCode = EXIT.refused;
      out.answer({ ...given, dryRun: options.dryRun === true }, () => {
        if (!given.isNew)
          return `${usd(given.amountCents)} was given back for order ${number} already (${given.destination}, ${given.state}); nothing was done. To give the same amount again, give another reason.`;
        return options.dryRun
          ? `Would give ${usd(given.amountCents)} back for order ${number} (${given.destination}).`
          : `Gave ${usd(given.amountCents)} back for order ${number} (${given.destination}, ${given.state}).`;
      });
    },
  });
