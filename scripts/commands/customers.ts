import { deleteAccount } from "@marketday/server/modules/account/delete-account";
import { exportByHand } from "@marketday/server/modules/account/export-account";
import { customerNamed, findCustomers } from "@marketday/server/modules/account/find-customers";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";
import { usd, whole } from "../lib/cli/values.ts";
import { writeText } from "../lib/files/write.ts";

const findCustomer = (): Command =>
  command<{ most: number }>({
    name: "find <text>",
    summary: "find customers by id, or by part of their email, name or phone",
    examples: ["customers find rosa"],
    options: (cmd) => cmd.option("--most <rows>", "maximum number of rows", whole, 50),
    async run({ options, out, market }, text) {
      const rows = await market(({ deps }) => findCustomers(deps.db, text, options.most));
      if (rows.length === 0) process.exitCode = EXIT.refused;
      out.answer(rows, () =>
        rows.length === 0
          ? "No customers."
          : out.table(
              ["id", "email", "name", "phone", "hub", "receives", "card", "orders", "credit", "since"],
              rows.map((row) => [
                row.id,
                row.email ?? "(deleted)",
                row.name,
                row.phone,
                row.hub,
                row.receives,
                row.card,
                row.orders,
                usd(row.credit_cents),
                row.created_at.toISOString().slice(0, 10),
              ]),
              ["id", "orders", "credit"],
            ),
      );
    },
  });

const exportCustomer = (): Command =>
  command({
    name: "export <customer> [file]",
    summary: "write all data that the market has about a customer, as JSON",
    about:
      "The customer is a full email or an id. Without a file: to standard output. It contains no data of other people.",
    examples: ["customers export rosa@little-wagon.example rosa.json"],
    writes: true,
    reason: "optional",
    async run({ options, out, market }, who, path) {
      const dryRun = options.dryRun === true;
      const { id, data } = await market(async (ctx) => {
        const customer = await customerNamed(ctx.deps.db, who);
        return { id: customer.id, data: await exportByHand(ctx, customer.id, options.reason ?? "", dryRun) };
      });
      if (!dryRun) await writeText(path, `${JSON.stringify(data, null, 2)}\n`);
      if (path !== undefined || dryRun)
        out.answer(
          { customerId: id, file: path ?? null, dryRun },
          () => `${dryRun ? "Would write" : "Wrote"} the data of customer ${id} to ${path ?? "standard output"}.`,
        );
    },
  });

const deleteCustomer = (): Command =>
  command({
    name: "delete <customer>",
    summary: "permanently delete a customer's account, and email them",
    about: "Personal data is removed; orders stay without it. Refused while an order is not yet delivered or paid.",
    examples: ['customers delete rosa@little-wagon.example --reason "requested by email" --yes'],
    writes: true,
    needsConfirmation: true,
    reason: true,
    async run({ options, out, market, confirm }, who) {
      await confirm(`Delete the account of ${who} for good?`);
      const dryRun = options.dryRun === true;
      const { customerId, wasThere } = await market(async (ctx) => {
        const customer = await customerNamed(ctx.deps.db, who);
        await deleteAccount(ctx, customer.id, options.reason, dryRun);
        return { customerId: customer.id, wasThere: customer.email !== null };
      });
      out.answer({ customerId, isNew: wasThere, dryRun }, () =>
        wasThere
          ? `${dryRun ? "Would delete" : "Deleted"} the account of customer ${customerId}.`
          : `The account of customer ${customerId} was already deleted; nothing was done.`,
      );
    },
  });

/** `market customers …`. */
export const customersCommand = (): Command =>
  group("customers", "find, export and delete customers", [findCustomer(), exportCustomer(), deleteCustomer()]);
