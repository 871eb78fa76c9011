import { refundOrder } from "@marketday/server/modules/orders/refund-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT } from "../../lib/cli/exit.ts";
import { destination, dollars, usd } from "../../lib/cli/values.ts";
import { oneOrder, type ToteOption, withTote } from "./targets.ts";
import { keyOf } from "./whole-order.ts";

/** `market orders refund`. */
export const refund = (): Command =>
  command<ToteOption & { to: "card" | "credit" }>({
    name: "refund <order> <dollars...>",
    summary: "give money back for an order whose sale stays as it is, with a mail",
    about:
      "A kindness the market bears. For units that did not come use `orders short`, which lowers the vendors' shares too.\nThe same command line gives once; for a second refund of the same amount give another reason.",
    examples: [
      'orders refund 123456789 5.00 --to credit --reason "bruised peaches" --yes',
      'orders refund carmel 2026-11-26 5.00 --tote 7 --to credit --reason "bruised peaches" --yes',
    ],
    options: (made) => withTote(made).option("--to <where>", "card or credit", destination, "card"),
    writes: true,
    asks: true,
    reason: true,
    async run({ options, out, market, sure }, first, rest) {
      const words = [first, ...(rest as unknown as string[])];
      const amountCents = dollars(words.pop() ?? "");
      const { number, given } = await market(async (ctx) => {
        const number = await oneOrder(ctx, words, options.tote);
        await sure(`Give ${usd(amountCents)} back for order ${number}?`);
        const key = keyOf("refund", number, amountCents, options.to, options.reason);
        const given = await refundOrder(ctx, number, {
          amountCents,
          to: options.to,
          reason: options.reason ?? "",
          key,
          dryRun: options.dryRun === true,
        });
        return { number, given };
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
