import { grantRole, migrate } from "@marketday/db/migrate";
import { roleOf } from "@marketday/db/roles";
import { loadEnv } from "@marketday/server/env";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { locateDatabase } from "../lib/database.ts";

const grant = (): Command =>
  command<{ create?: boolean }>({
    name: "grant <role>",
    summary: "grant a database role exactly the rights that the server needs",
    about:
      "For a server whose role does not own the tables (docs/security.md). Signs in with MIGRATE_DATABASE_URL, or DATABASE_URL if that\nis not set, which must be the address of the role that owns the tables; an empty database is set up first. The role may then\nread and write rows, including those of tables that later versions add. It may not create, alter, truncate or drop a table, or\nchange the ledger and the audit log.",
    examples: [
      "database grant marketday_app --dry-run",
      "database grant marketday_app",
      "database grant marketday_app --create",
    ],
    options: (cmd) =>
      cmd.option(
        "--create",
        "create the role if it does not exist, with the password in DATABASE_URL, whose user must be this role",
      ),
    writes: true,
    async run({ options, out }, role) {
      const database = await locateDatabase(loadEnv());
      try {
        if (options.create && roleOf(database.url) !== role)
          throw new CliError(
            EXIT.usage,
            `--create takes the password from DATABASE_URL, which signs in as "${roleOf(database.url) ?? ""}": set it to the address of "${role}", and MIGRATE_DATABASE_URL to the owner's.`,
          );
        const password = decodeURIComponent(new URL(database.url).password) || null;
        if (!options.dryRun) await migrate({ url: database.ownerUrl });
        const { statements, isDone, excess } = await grantRole(database.ownerUrl, role, {
          dryRun: options.dryRun === true,
          ...(options.create && { create: { password } }),
        });
        out.answer({ role, changed: !isDone && !options.dryRun, statements, excess }, () =>
          [
            ...(isDone
              ? [
                  `"${role}" has exactly the rights that the server needs; ${options.dryRun ? "nothing would be" : "nothing was"} done.`,
                ]
              : options.dryRun
                ? statements.map((each) => `${each};`)
                : [`"${role}" has the rights that the server needs now. Set DATABASE_URL to its address.`]),
            ...excess,
          ].join("\n"),
        );
      } finally {
        await database.close();
      }
    },
  });

/** `market database grant`: the rights of the server's database role. */
export const databaseCommand = (): Command => group("database", "the server's database role", [grant()]);
