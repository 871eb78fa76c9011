import { formatUnresolved } from "@marketday/server/modules/payments/format-unresolved";
import { closeRefund, resendRefund } from "@marketday/server/modules/payments/resolve-refund";
import { findUnresolvedRefunds } from "@marketday/server/modules/payments/unresolved-store";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";
import { destination, usd, whereRefunded } from "../lib/cli/values.ts";

/** `market refunds …`: refunds that did not go back to the card. */
export const refundsCommand = (): Command =>
  group("refunds", "refunds that did not go back to the card", [
    command({
      name: "list",
      summary: "list refunds that the card or the payment provider did not accept",
      about:
        "The market has this money until it is given in another way. Nothing becomes store credit automatically. A refund that is\nmerely delayed is not listed: it is requested again automatically, and `doctor` names it.",
      examples: ["refunds list"],
      async run({ out, market }) {
        const rows = await market(({ deps }) => findUnresolvedRefunds(deps.db));
        out.answer(rows, () => (rows.length === 0 ? "None." : rows.map(formatUnresolved).join("\n")));
      },
    }),
    command<{ to: "card" | "credit" }>({
      name: "send <refund>",
      summary: "give a refund that failed again: to the card, or as store credit",
      about: "The shopper gets an email. A refund is given once, however often this runs.",
      examples: ['refunds send 0b0f7f5a-5a3c-4c7e-9d0e-2f6f0a1b2c3d --to credit --reason "card was closed" --yes'],
      options: (cmd) => cmd.requiredOption("--to <where>", "card or credit", destination),
      writes: true,
      needsConfirmation: true,
      reason: true,
      async run({ options, out, market, confirm }, id) {
        const dryRun = options.dryRun === true;
        const { to } = options;
        const where = to === "card" ? "to the card" : "as store credit";
        const refund = await market(async (ctx) => {
          const planned = await resendRefund(ctx, id, { to, reason: options.reason ?? "", dryRun: true });
          if (dryRun) return planned;
          await confirm(`Give ${usd(planned.amountCents)} ${where}?`);
          return resendRefund(ctx, id, { to, reason: options.reason ?? "", dryRun: false });
        });
        if (refund.state === "failed") process.exitCode = EXIT.refused;
        out.answer({ ...refund, to, dryRun }, () =>
          dryRun
            ? `Would give ${usd(refund.amountCents)} ${where}.`
            : `${usd(refund.amountCents)} ${to === "credit" ? "is store credit now" : whereRefunded(refund, "the card")}.`,
        );
      },
    }),
    command({
      name: "close <refund>",
      summary: "close a refund that failed: it was given by hand, or nothing is due",
      about: "No money moves, and the shopper gets no email. A vendor who was to bear it does not.",
      examples: ['refunds close 0b0f7f5a-5a3c-4c7e-9d0e-2f6f0a1b2c3d --reason "gave 5.00 in cash" --yes'],
      writes: true,
      needsConfirmation: true,
      reason: true,
      async run({ options, out, market, confirm }, id) {
        const dryRun = options.dryRun === true;
        const amountCents = await market(async (ctx) => {
          const planned = await closeRefund(ctx, id, options.reason ?? "", true);
          if (dryRun) return planned;
          await confirm(`Close this refund of ${usd(planned)} without giving it?`);
          return closeRefund(ctx, id, options.reason ?? "", false);
        });
        out.answer(
          { id, amountCents, dryRun },
          () => `${dryRun ? "Would close" : "Closed"} the refund of ${usd(amountCents)}.`,
        );
      },
    }),
  ]);
