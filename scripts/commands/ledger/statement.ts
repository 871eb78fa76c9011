import { findDues, findPaid } from "@marketday/server/modules/ledger/payout-store";
import { findVendorShares, type VendorShare } from "@marketday/server/modules/ledger/share-sql";
import { findVendorBySlug } from "@marketday/server/modules/ledger/store";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { EXIT, CliError } from "../../lib/cli/exit.ts";
import { day, usd } from "../../lib/cli/values.ts";

const sums = (rows: readonly VendorShare[]) => ({
  itemsCents: rows.reduce((sum, row) => sum + row.items_cents, 0),
  commissionCents: rows.reduce((sum, row) => sum + row.commission_cents, 0),
  compensationCents: rows.reduce((sum, row) => sum + row.compensation_cents, 0),
  shareCents: rows.reduce((sum, row) => sum + row.share_cents, 0),
});

/** `market ledger vendor`. */
export const statement = (): Command =>
  command<{ from: string; to: string }>({
    name: "vendor <vendor>",
    summary: "print a vendor's statement: sales, commission and share per order, and payouts",
    about:
      "The vendor is a slug. Only orders whose cutoff has passed, without units that came short or were removed. Compensation is what\nthe market bore for the vendor, or with a minus the vendor for the market. Followed by the\npayouts since --from, and the amount owed for all delivery days up to --to.",
    examples: ["ledger vendor millstone-acres --from 2026-11-01 --to 2026-11-30"],
    options: (cmd) =>
      cmd
        .requiredOption("--from <date>", "first delivery day", day)
        .requiredOption("--to <date>", "last delivery day, inclusive", day),
    async run({ options: { from, to }, out, market }, slug) {
      if (from > to) throw new CliError(EXIT.usage, "--from is after --to.");
      const report = await market(async ({ deps: { db } }) => {
        const vendor = await findVendorBySlug(db, slug);
        if (!vendor) throw new CliError(EXIT.refused, `There is no vendor ${slug}.`);
        const orders = await findVendorShares(db, { vendorId: vendor.id, from, to });
        const payouts = await findPaid(db, { vendorId: vendor.id, from });
        const [due] = await findDues(db, to, vendor.id);
        return { vendor, from, to, orders, ...sums(orders), payouts, owedCents: due?.due_cents ?? 0 };
      });
      out.answer(report, () =>
        [
          `${report.vendor.name}, delivery days ${from} to ${to}`,
          out.table(
            ["day", "hub", "order", "items", "commission", "compensation", "share"],
            report.orders.map((row) => [
              row.day,
              row.hub_name,
              row.order_id,
              usd(row.items_cents),
              usd(row.commission_cents),
              usd(row.compensation_cents),
              usd(row.share_cents),
            ]),
            ["order", "items", "commission", "compensation", "share"],
          ),
          `Sold ${usd(report.itemsCents)}, commission ${usd(report.commissionCents)}${report.compensationCents === 0 ? "" : `, compensation ${usd(report.compensationCents)}`}, share ${usd(report.shareCents)}`,
          ...report.payouts.map(
            (row) =>
              `Payout ${row.payout} of ${row.paid_at.toISOString().slice(0, 10)}, ${row.note}: ${usd(row.amount_cents)}${row.taken_back ? ", reversed" : ""}`,
          ),
          `Owed for delivery days up to ${to}: ${usd(report.owedCents)}`,
        ].join("\n"),
      );
    },
  });
