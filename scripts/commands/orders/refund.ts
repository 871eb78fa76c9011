import { refundOrder } from "@marketday/server/modules/orders/refund-order";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT } from "../../lib/cli/exit.ts";
import { destination, dollars, usd, whereRefunded } from "../../lib/cli/values.ts";
import { idempotencyKey } from "./read-order.ts";
import { oneOrder, type ToteOption, withTote } from "./targets.ts";

/** `market orders refund`. */
export const refund = (): Command =>
  command<ToteOption & { to: "card" | "credit"; bearer?: string }>({
    name: "refund <order> <dollars...>",
    summary: "refund part of an order without changing its sale, and email the customer",
    about:
      "A goodwill refund at the market's expense, or with --bearer at a vendor's, whose share is reduced. For units that did not arrive use `orders short`, which also reduces the vendors'\nshares. The same command line refunds once; for a second refund of the same amount give another reason.",
    examples: [
      'orders refund 123456789 5.00 --to credit --reason "bruised peaches" --yes',
      'orders refund carmel 2026-11-26 5.00 --tote 7 --to credit --reason "bruised peaches" --yes',
    ],
    options: (cmd) =>
      withTote(cmd)
        .option("--to <where>", "card or credit", destination, "card")
        .option("--bearer <vendor>", "slug of the vendor who bears it (default: the market)"),
    writes: true,
    needsConfirmation: true,
    reason: true,
    async run({ options, out, market, confirm }, first, rest) {
      const args = [first, ...(rest as unknown as string[])];
      const amountCents = dollars(args.pop() ?? "");
      const { number, result } = await market(async (ctx) => {
        const number = await oneOrder(ctx, args, options.tote);
        await confirm(`Refund ${usd(amountCents)} of order ${number}?`);
        const words = ["refund", number, amountCents, options.to, options.reason];
        const key = idempotencyKey(...words, ...(options.bearer === undefined ? [] : [options.bearer]));
        const result = await refundOrder(ctx, number, {
          amountCents,
          to: options.to,
          bearer: options.bearer,
          reason: options.reason ?? "",
          key,
          dryRun: options.dryRun === true,
        });
        return { number, result };
      });
      if (result.state === "failed") process.exitCode = EXIT.refused;
      out.answer({ ...result, dryRun: options.dryRun === true }, () => {
        const card = whereRefunded({ ...result, id: result.refundId ?? "" }, "the card");
        const where = result.destination === "card" ? card : "to store credit";
        if (!result.isNew && result.state === "failed")
          return `${usd(result.amountCents)} of order ${number} ${card}. Nothing was done now.`;
        if (!result.isNew)
          return `${usd(result.amountCents)} was already refunded for order ${number} (${result.destination}, ${result.state}); nothing was done. To refund the same amount again, give another reason.`;
        return options.dryRun
          ? `Would refund ${usd(result.amountCents)} of order ${number} (${result.destination}).`
          : result.state === "done"
            ? `Refunded ${usd(result.amountCents)} of order ${number} (${result.destination}, ${result.state}).`
            : `${usd(result.amountCents)} of order ${number} ${where}.`;
      });
    },
  });
