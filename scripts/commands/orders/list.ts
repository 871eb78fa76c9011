import { findOrders } from "@marketday/server/modules/orders/find-orders";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { day, usd, whole } from "../../lib/cli/values.ts";

/** `market orders list`. */
export const list = (): Command =>
  command<{ hub?: string; day?: string; status?: string; customer?: string; most: number }>({
    name: "list",
    summary: "list orders, newest delivery day first",
    examples: ["orders list --hub carmel --day 2026-11-26", "orders list --customer rosa@little-wagon.example"],
    options: (cmd) =>
      cmd
        .option("--hub <hub>", "slug or id")
        .option("--day <date>", "delivery day", day)
        .option("--status <status>", "future, open, pending, closed or cancelled")
        .option("--customer <who>", "full email or id")
        .option("--most <rows>", "maximum number of rows", whole, 100),
    async run({ options, out, market }) {
      const { hub = null, day: on = null, status = null, customer = null, most } = options;
      const rows = await market(({ deps }) => findOrders(deps.db, { hub, day: on, status, customer, most }));
      out.answer(rows, () =>
        rows.length === 0
          ? "No orders."
          : out.table(
              ["order", "hub", "day", "status", "type", "customer", "items", "total"],
              rows.map((row) => [
                row.id,
                row.hub,
                row.day,
                row.status,
                row.type,
                row.customer,
                row.items,
                usd(row.order_total_cents),
              ]),
              ["items", "total"],
            ),
      );
    },
  });
