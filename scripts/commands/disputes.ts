import { findDisputes } from "@marketday/server/modules/payments/dispute-store";
import { formatDisputeRow } from "@marketday/server/modules/payments/format-dispute";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";

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
