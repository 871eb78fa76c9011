import { findPaid } from "@marketday/server/modules/ledger/payout-store";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { usd } from "../../lib/cli/values.ts";

/** `market ledger list`. */
export const list = (): Command =>
  command({
    name: "list",
    summary: "list payouts, newest first",
    examples: ["ledger list"],
    async run({ out, market }) {
      const rows = await market(({ deps }) => findPaid(deps.db));
      const payouts = [...Map.groupBy(rows, ({ payout }) => payout)].map(([payout, parts]) => ({
        payout,
        paidAt: parts[0]!.paid_at.toISOString(),
        what: parts[0]!.note,
        totalCents: parts.reduce((sum, part) => sum + part.amount_cents, 0),
        vendors: parts.map(({ slug, amount_cents: amountCents, taken_back: takenBack }) => ({
          slug,
          amountCents,
          takenBack,
        })),
      }));
      out.answer(payouts, () =>
        payouts.length === 0
          ? "No payouts."
          : out.table(
              ["payout", "date", "what", "vendors", "amount"],
              payouts.map((row) => [
                row.payout,
                row.paidAt.slice(0, 10),
                row.what,
                row.vendors.length,
                usd(row.totalCents),
              ]),
              ["payout", "vendors", "amount"],
            ),
      );
    },
  });
