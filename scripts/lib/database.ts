import { join } from "node:path";

import { startEmbedded } from "@marketday/db/embedded";
import { migrate, requireConnection } from "@marketday/db/migrate";
import { roleOf } from "@marketday/db/roles";
import type { Env } from "@marketday/server/env";

export type OpenDatabase = {
  /** For the server and for commands. */
  url: string;
  /** The address of the role that owns the tables: MIGRATE_DATABASE_URL where it is set, else `url`. */
  ownerUrl: string;
  /** Whether an external Postgres is used (DATABASE_URL). */
  external: boolean;
  /** Leaves the built-in Postgres, which stops once no process uses it. */
  close(): Promise<void>;
};

export type OpenOptions = {
  log?: (line: string) => void;
  /** For servers: restarts the built-in Postgres when it died. */
  supervise?: boolean;
};

/**
 * The market's database: DATABASE_URL where it is set, else the built-in Postgres, which is started unless a server or
 * another command runs it already. It may be empty or of an older version.
 * @throws EmbeddedError
 */
export async function locateDatabase(
  env: Env,
  { log = () => undefined, supervise = false }: OpenOptions = {},
): Promise<OpenDatabase> {
  if (env.databaseUrl) {
    const url = env.databaseUrl;
    return { url, ownerUrl: env.migrateDatabaseUrl ?? url, external: true, close: async () => undefined };
  }
  const { url, stop } = await startEmbedded({ dataDir: join(env.dataDir, "postgres"), supervise, log });
  return { url, ownerUrl: url, external: false, close: async () => stop() };
}

/**
 * The market's database, migrated. With a MIGRATE_DATABASE_URL the role of DATABASE_URL is granted what it needs.
 * @throws EmbeddedError | MigrateError | RoleError, each with one sentence for people
 */
export async function openDatabase(env: Env, options: OpenOptions = {}): Promise<OpenDatabase> {
  const database = await locateDatabase(env, options);
  const { url, ownerUrl } = database;
  try {
    const { log } = options;
    await migrate({ url: ownerUrl, ...(log && { log }), ...(ownerUrl !== url && { role: roleOf(url) }) });
    if (ownerUrl !== url) await requireConnection(url);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
