import { type DisputeRow, findDisputes } from "@marketday/server/modules/payments/dispute-store";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { formatDispute } from "../lib/cli/dispute.ts";

/** What a dispute is about: "order 123, not delivered yet". */
export function formatDisputed({
  order_ids: ids,
  purchase,
  customer_id: id,
  is_undelivered: isUndelivered,
}: DisputeRow) {
  if (ids.length > 0) return `order ${ids.join(", ")}${isUndelivered ? ", not delivered yet" : ""}`;
  return `${purchase === null ? "a charge without an order" : `a ${purchase.replace("-", " ")}`}${id === null ? "" : ` of customer ${id}`}`;
}

/** A line about a stored dispute, with its times in UTC. */
export const formatDisputeRow = (row: DisputeRow): string =>
  `${formatDispute(
    {
      ref: row.ref,
      amountCents: row.amount_cents,
      status: row.status,
      reason: row.reason,
      dueBy: row.due_by,
      closedAt: row.closed_at,
    },
    "UTC",
  )}${row.closed_at === null && row.due_by === null ? "" : " UTC"}; ${formatDisputed(row)}`;

/** `market disputes …`. */
export const disputesCommand = (): Command =>
  group("disputes", "charges that shoppers' banks dispute", [
    command<{ all?: boolean }>({
      name: "list",
      summary: "list open disputes, the one to answer first on top",
      about:
        "A dispute is answered in the payment provider's dashboard. What a bank has taken back is never refunded again; orders are not\ncanceled automatically (docs/operating.md, A customer disputes a charge).",
      examples: ["disputes list", "disputes list --all"],
      options: (cmd) => cmd.option("--all", "include closed ones"),
      async run({ options, out, market }) {
        const rows = await market(({ deps }) => findDisputes(deps.db, { closed: options.all === true }));
        out.answer(rows, () => (rows.length === 0 ? "No open disputes." : rows.map(formatDisputeRow).join("\n")));
      },
    }),
  ]);
