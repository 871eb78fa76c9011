import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";

import { listen } from "@marketday/db";
import { Second } from "@marketday/domain/time";
import closeWithGrace from "close-with-grace";
import type { FastifyBaseLogger } from "fastify";

import { buildApp } from "./app.ts";
import { applyChange, CHANGE_CHANNELS, forgetCached, suspendCached } from "./changes.ts";
import { createDeps } from "./create-deps.ts";
import type { Deps } from "./deps.ts";
import { type Env, loadEnv } from "./env.ts";
import { startJobs } from "./jobs/index.ts";
import { createLogger } from "./lib/logger.ts";
import { resanitizeDescriptions } from "./modules/descriptions/resanitize.ts";
import { settingWarnings } from "./setting-warnings.ts";

/** A started server. */
export interface RunningServer {
  /** Its URL: `http://localhost:3000`. */
  address: string;
  mailGoesTo: string;
  /**
   * Serves for `DRAIN_SECONDS` more while `/readyz` returns 503, and finishes the requests in flight. The jobs end meanwhile, each
   * after the items it works on. Then closes everything.
   */
  close(): Promise<void>;
}

/** env → deps → app → listen → jobs, unless `jobs` is false. The schema must be migrated already (`migrate`). */
export async function startServer(
  env: Env,
  options: {
    databaseUrl: string;
    webDist?: string;
    log?: FastifyBaseLogger;
    overrides?: Partial<Deps>;
    jobs?: boolean;
    timeoutFactor?: number;
  },
): Promise<RunningServer> {
  const log = options.log ?? createLogger(env.logLevel, !env.production && process.stdout.isTTY);
  const deps = await createDeps(env, options.databaseUrl, log, options.overrides);
  const app = await buildApp(deps, { webDist: options.webDist, timeoutFactor: options.timeoutFactor });
  const listener = listen(
    options.databaseUrl,
    [...CHANGE_CHANNELS, "mail", "jobs"],
    (channel, payload) => {
      if (channel === "mail") jobs?.notify("mail");
      else if (channel === "jobs") jobs?.notify(payload);
      else applyChange({ app, deps }, channel, payload);
    },
    {
      onLost: () => suspendCached({ app, deps }),
      onReconnect: () => forgetCached({ app, deps }),
      onError: (error) => log.warn({ err: error }, "the connection for notifications was lost"),
    },
  );
  let jobs: ReturnType<typeof startJobs> | undefined;
  try {
    await listener.ready;
    forgetCached({ app, deps });
    await resanitizeDescriptions(deps, deps.clock.now());
    const address = await app.listen({ port: env.port, host: env.host });
    if (options.jobs ?? true) jobs = startJobs(deps);
    return {
      address: address.replace("[::1]", "localhost").replace("127.0.0.1", "localhost"),
      mailGoesTo: deps.mailer.describe(),
      async close() {
        app.startDraining();
        await Promise.all([jobs?.stop(), delay(env.drainSeconds * Second.ms).then(() => app.close())]);
        await listener.close();
        deps.clock.stop();
        await Promise.all([deps.db.close(), deps.readDb.close()]);
      },
    };
  } catch (error) {
    await app.close();
    await listener.close();
    deps.clock.stop();
    await Promise.all([deps.db.close(), deps.readDb.close()]);
    throw error;
  }
}

/**
 * Entry point of the container: settings from the environment, a database that is already migrated. `--web FOLDER`:
 * folder of the app's pages, when it is not the built app (`pnpm dev`).
 */
if (import.meta.main) {
  const env = loadEnv();
  if (!env.databaseUrl) throw new Error("DATABASE_URL must be set: this process starts no database.");
  const { web } = parseArgs({ options: { web: { type: "string" } } }).values;
  const log = createLogger(env.logLevel, !env.production && process.stdout.isTTY);
  for (const { setting, message } of settingWarnings(env)) log.warn({ setting }, message);
  const server = await startServer(env, { databaseUrl: env.databaseUrl, webDist: web, log });
  closeWithGrace({ delay: (env.drainSeconds + 10) * Second.ms }, async ({ err }) => {
    if (err) log.fatal({ err }, "uncaught error: the server exits, to be restarted");
    await server.close();
  });
}
