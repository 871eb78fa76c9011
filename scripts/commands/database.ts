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
    summary: "give a database role exactly the rights that the server needs",
    about:
      "For a server whose role owns nothing (docs/security.md). Signs in with MIGRATE_DATABASE_URL, else DATABASE_URL, which must be\nthe address of the role that owns the tables; an empty database is set up first. The role may then read and write rows,\nalso of tables that later versions add. It may not create, change, empty or drop a table, nor change the ledger and the\naudit log.",
    examples: [
      "database grant marketday_app --dry-run",
      "database grant marketday_app",
      "database grant marketday_app --create",
    ],
    options: (made) =>
      made.option(
        "--create",
        "create the role when there is none, with the password of DATABASE_URL, which signs in as it",
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

/** `market database grant`: rights of the role that the server signs in as. */
export const databaseCommand = (): Command => group("database", "the server's database role", [grant()]);
