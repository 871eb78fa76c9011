import { REFERRAL_CREDIT } from "@marketday/domain/limits";
import { undoPayments } from "@marketday/server/modules/orders/undo-payment";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd } from "../../lib/cli/values.ts";
import { manyTargets, runOnTargets, type ToteOption, withTote } from "./targets.ts";

/** `market orders undo-paid`. */
export const undoPaid = (): Command =>
  command<ToteOption>({
    name: "undo-paid <order...>",
    summary: "undo `orders paid`: mark orders as not paid at the door after all",
    about:
      "For the whole box, like `orders paid`. Until a vendor was paid for the order, or money of it was given back. The orders are\nwhat they were before: to be paid at the door, not charged, or written off. A card that was not charged is charged again with\n`orders charge`, or when the shopper saves a card or chooses another default one; not automatically. Referral credit that was\ngiven for the payment is taken back, unless it was spent. All are checked first: if one cannot be undone, none is. Refused\nfor a deleted account.",
    examples: [
      'orders undo-paid 123456789 --reason "wrong tote"',
      'orders undo-paid carmel 2026-11-26 --tote 3,5 --reason "check bounced"',
    ],
    options: withTote,
    writes: true,
    reason: true,
    async run({ options, out, market }, args) {
      const dryRun = options.dryRun === true;
      const { targets, done } = await market(async (ctx) => {
        const targets = await manyTargets(ctx, args as unknown as string[], options.tote);
        const undo = (ids: number[]) => undoPayments(ctx, ids, options.reason ?? "", dryRun);
        return { targets, done: await runOnTargets(targets, undo) };
      });
      const amountCents = done.reduce((sum, { cents }) => sum + cents, 0);
      out.answer({ amountCents, orders: done, dryRun }, () => {
        const labels = new Map(targets.map(({ id, label }) => [id, label]));
        const undone = done.filter(({ orderIds }) => orderIds.length > 0);
        const unchanged = done.filter(({ orderIds }) => orderIds.length === 0);
        const credit = usd(REFERRAL_CREDIT);
        return [
          ...(undone.length > 0
            ? [
                `${dryRun ? "Would mark" : "Marked"} as not paid ${usd(amountCents)}: ${undone.map(({ orderId, cents }) => `${labels.get(orderId)} ${usd(cents)}`).join(", ")}.`,
              ]
            : []),
          ...done.flatMap(({ referrals }) =>
            referrals.map(({ referrerId, isKept }) =>
              isKept
                ? `Customer ${referrerId} has spent the referral credit of ${credit} and keeps it.`
                : `${dryRun ? "Would take" : "Took"} the referral credit of ${credit} back from customer ${referrerId}.`,
            ),
          ),
          ...(unchanged.length > 0
            ? [`Not marked as paid: ${unchanged.map(({ orderId }) => labels.get(orderId)).join(", ")}.`]
            : []),
          ...(undone.length > 0 ? [] : ["There is nothing to undo. Nothing was done."]),
        ].join("\n");
      });
    },
  });
