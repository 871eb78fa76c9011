import { fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

import { query, sql } from "@marketday/db";
import { atEnd } from "@marketday/db/testing";
import type { InjectOptions } from "fastify";
import { expect } from "vitest";

import type { TestMarket } from "./app.ts";
import { START_OPTIONS, START_VARIABLES } from "./start-settings.ts";

/** What a server does: a job of the timetable, or a request to it. */
export type Work = { job: string } | { request: InjectOptions };

/** What the process in `killed.ts` is started with. */
export interface Doomed {
  url: string;
  /** Of its connections to the database, and of no others. */
  applicationName: string;
  /** The instant at which its clock stands. */
  now: string;
  env: Record<string, string>;
  failpoint: string;
  work: Work;
}

/**
 * Starts another server of a market whose provider is Stripe, at the same instant, and lets it do the work until SIGKILL ends it at
 * the failpoint. Resolves when its connections are gone: until then Postgres keeps the locks of its transaction. Fails when the work
 * ends without passing the point.
 */
export async function killAt(market: TestMarket, failpoint: string, work: Work): Promise<void> {
  const { env } = market.deps;
  const doomed: Doomed = {
    url: market.url,
    applicationName: `killed ${randomUUID()}`,
    now: market.clock.now().toISOString(),
    env: {
      DATA_DIR: market.dataDir,
      SESSION_SECRET: env.sessionSecrets.join(","),
      PASSWORD_PEPPER: env.pepper,
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: env.stripe!.secretKey,
      STRIPE_PUBLISHABLE_KEY: env.stripe!.publishableKey,
      STRIPE_WEBHOOK_SECRET: env.stripe!.webhookSecret,
      STRIPE_API_URL: env.stripeApiUrl!,
    },
    failpoint,
    work,
  };
  const child = fork(fileURLToPath(new URL("killed.ts", import.meta.url)), [], {
    env: { ...process.env, ...START_VARIABLES, DOOMED: JSON.stringify(doomed) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    execArgv: START_OPTIONS,
  });
  const gone = once(child, "exit");
  atEnd(() => {
    child.kill("SIGKILL");
    return gone;
  });
  expect([failpoint, ...(await gone)]).toEqual([failpoint, null, "SIGKILL"]);
  const connections = sql`select pid from pg_stat_activity where application_name = ${doomed.applicationName}`;
  await expect.poll(() => query(market.db, connections)).toEqual([]);
}
