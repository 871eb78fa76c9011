import { deleteAccount } from "@marketday/server/modules/account/delete-account";
import { exportByHand } from "@marketday/server/modules/account/export-by-hand";
import { customerNamed, findCustomers } from "@marketday/server/modules/account/find-customers";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT } from "../lib/cli/exit.ts";
import { usd, whole } from "../lib/cli/values.ts";
import { writeText } from "../lib/files/write.ts";

const find = (): Command =>
  command<{ most: number }>({
    name: "find <text>",
    summary: "find customers by id, or by a part of e-mail, name or phone",
    examples: ["customers find rosa"],
    options: (made) => made.option("--most <rows>", "at most so many", whole, 50),
    async run({ options, out, market }, text) {
      const rows = await market(({ deps }) => findCustomers(deps.db, text, options.most));
      if (rows.length === 0) process.exitCode = EXIT.refused;
      out.answer(rows, () =>
        rows.length === 0
          ? "Nobody."
          : out.table(
              ["id", "e-mail", "name", "phone", "hub", "orders", "credit", "since"],
              rows.map((row) => [
                row.id,
                row.email ?? "(deleted)",
                row.name,
                row.phone,
                row.hub,
                row.orders,
                usd(row.credit_cents),
                row.created_at.toISOString().slice(0, 10),
              ]),
              ["id", "orders", "credit"],
            ),
      );
    },
  });

const exported = (): Command =>
  command({
    name: "export <customer> [file]",
    summary: "write all that the market keeps about a customer, as JSON",
    about:
      "The customer is their whole e-mail or id. Without a file: to standard output. Nothing of anybody else is in it.",
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
          () =>
            `${dryRun ? "Would write" : "Wrote"} what is kept about customer ${id} to ${path ?? "standard output"}.`,
        );
    },
  });

const deleted = (): Command =>
  command({
    name: "delete <customer>",
    summary: "delete a customer's account for good, with a mail",
    about:
      "The person is emptied out, their orders stay without them. Refused while something is still to be delivered or paid.",
    examples: ['customers delete rosa@little-wagon.example --reason "asked by mail" --yes'],
    writes: true,
    asks: true,
    reason: true,
    async run({ options, out, market, sure }, who) {
      await sure(`Delete the account of ${who} for good?`);
      const dryRun = options.dryRun === true;
      const { customerId, wasThere } = await market(async (ctx) => {
        const customer = await customerNamed(ctx.deps.db, who);
        await deleteAccount(ctx, customer.id, options.reason, dryRun);
        return { customerId: customer.id, wasThere: customer.email !== null };
      });
      out.answer({ customerId, isNew: wasThere, dryRun }, () =>
        wasThere
          ? `${dryRun ? "Would delete" : "Deleted"} the account of customer ${customerId}.`
          : `The account of customer ${customerId} was deleted already; nothing was done.`,
      );
    },
  });

/** `market customers …`. */
export const customersCommand = (): Command =>
  group("customers", "find, export and delete customers", [find(), exported(), deleted()]);
