import { join } from "node:path";

import { startEmbedded } from "@marketday/db/embedded";
import { migrate } from "@marketday/db/migrate";
import type { Env } from "@marketday/server/env";

export type OpenDatabase = {
  /** For the server and for commands. */
  url: string;
  /** Whether a Postgres of somebody else's is used (DATABASE_URL). */
  external: boolean;
  /** Leaves the built-in Postgres, which stops when nobody else uses it. */
  close(): Promise<void>;
};

export type OpenOptions = {
  log?: (line: string) => void;
  /** For servers: restarts the built-in Postgres whenever it is found dead. */
  supervise?: boolean;
};

/**
 * The market's database, migrated: DATABASE_URL where it is set, else the built-in Postgres, joined when a server or
 * another command runs it already.
 * @throws EmbeddedError | MigrateError, each with one sentence for people
 */
export async function openDatabase(
  env: Env,
  { log = () => undefined, supervise = false }: OpenOptions = {},
): Promise<OpenDatabase> {
  const embedded = env.databaseUrl
    ? undefined
    : await startEmbedded({ dataDir: join(env.dataDir, "postgres"), supervise, log });
  const url = env.databaseUrl ?? embedded?.url ?? "";
  try {
    await migrate({ url: env.migrateDatabaseUrl && env.databaseUrl ? env.migrateDatabaseUrl : url, log });
  } catch (error) {
    await embedded?.stop();
    throw error;
  }
  return { url, external: !embedded, close: async () => embedded?.stop() };
}
