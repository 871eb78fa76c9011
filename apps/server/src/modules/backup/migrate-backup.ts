import { createDb, withScratchDatabase } from "@marketday/db";
import { migrate, migrateTo } from "@marketday/db/migrate";

import type { Deps } from "../../deps.ts";
import type { BackupHow } from "./back-up.ts";
import { type Content, contentOf, contentOfMarket, fill, withLongTransaction } from "./fill-tables.ts";
import type { Manifest } from "./manifest.ts";

/**
 * Runs `work` with the rows of an older backup as this version's tables hold them. A temporary database beside `db` gets the
 * tables of that version and the backup's rows, and is then migrated as at the start of a server; `db` is not changed.
 * @throws RoleError when the role of `db` may not create databases
 */
export const withMigrated = <T>(
  { db, log }: Pick<Deps, "db" | "log">,
  folder: string,
  manifest: Manifest,
  how: BackupHow,
  work: (content: Content, migrated: string[]) => Promise<T>,
): Promise<T> =>
  withScratchDatabase(
    db,
    async (url) => {
      await migrateTo(url, manifest.migrations);
      const scratch = createDb({ url, poolSize: 2, applicationName: "marketday restore", statementTimeoutMs: 0 });
      try {
        await withLongTransaction(scratch, how.signal, (tx) => fill(tx, contentOf(folder, manifest), how));
        how.signal.throwIfAborted();
        how.onProgress?.(0, manifest.tables.length, "bringing the backup up to date");
        const { applied } = await migrate({ url });
        how.signal.throwIfAborted();
        return await withLongTransaction(scratch, how.signal, async (tx) => work(await contentOfMarket(tx), applied));
      } finally {
        await scratch.close();
      }
    },
    (database, err) => log.warn({ err, database }, "a temporary database is left, which the next restore drops"),
  );
