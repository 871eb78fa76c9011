import { findOrders, type OrderFilter } from "@marketday/server/modules/orders/list-orders-sql";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import { day, usd, whole } from "../../lib/cli/values.ts";

/** `market orders list`. */
export const list = (): Command =>
  command<Partial<Omit<OrderFilter, "most">> & { most: number }>({
    name: "list",
    summary: "list orders, newest delivery day first",
    examples: [
      "orders list --hub carmel --day 2026-11-26",
      "orders list --product brown-eggs --status open",
      "orders list --find rivera",
      "orders list --owing",
      "orders list --customer rosa@little-wagon.example",
    ],
    options: (cmd) =>
      cmd
        .option("--hub <hub>", "slug or id")
        .option("--day <date>", "delivery day", day)
        .option("--status <status>", "future, open, pending, closed or cancelled")
        .option("--customer <who>", "full email or id")
        .option("--find <text>", "part of a name, email, phone, order number, address or delivery note")
        .option("--product <slug>", "orders with this product")
        .option("--vendor <slug>", "orders with anything of this vendor")
        .option("--noted", "orders with a delivery note")
        .option("--owing", "orders with something to collect: payable at the door, or the card could not be charged")
        .option("--most <rows>", "maximum number of rows", whole, 100),
    async run({ options, out, market }) {
      const rows = await market(({ deps }) => findOrders(deps.db, options));
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
