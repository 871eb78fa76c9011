import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createDb, execute, MOVABLE_JOB_CLOCK, openQueues, poolOf, sql } from "@marketday/db";
import { startEmbedded } from "@marketday/db/embedded";
import { migrate } from "@marketday/db/migrate";
import { createDeps } from "@marketday/server/create-deps";
import type { Deps } from "@marketday/server/deps";
import { type Env, parseEnv } from "@marketday/server/env";
import { type Clock, databaseClock } from "@marketday/server/lib/clock";
import { createLogger } from "@marketday/server/lib/logger";
import { backUp } from "@marketday/server/modules/backup/back-up";
import { restore } from "@marketday/server/modules/backup/restore";

import { locateDatabase } from "./database.ts";
import { applicationName, stoppable } from "./market-deps.ts";

/** A copy of the market with a separate Postgres, settings, mails and clock. */
export interface Rehearsal {
  deps: Deps;
  /** Removed at the end: files to keep must be copied from it. */
  folder: string;
  /** The folder its mails are written to, one file each. */
  mailDir: string;
  /** Moves its clock forward; an earlier instant has no effect. */
  moveTo(instant: Date): void;
}

/**
 * The settings of a rehearsal. No database, mail server, payment provider, webhook, geocoder or storage of the real
 * settings can be reached with them. Only the name and contacts that mails and sheets show are copied, and whether orders are
 * paid at the door: without a card they are placed only there.
 */
function rehearsalEnv(
  folder: string,
  real: Pick<Env, "marketName" | "supportEmail" | "supportPhone" | "payments">,
): Env {
  return parseEnv({
    NODE_ENV: "development",
    DATA_DIR: join(folder, "data"),
    PUBLIC_URL: "http://rehearsal.invalid",
    PAYMENTS: real.payments === "offline" ? "offline" : "test",
    DEMO: "off",
    MARKET_NAME: real.marketName,
    SUPPORT_EMAIL: real.supportEmail,
    SUPPORT_PHONE: real.supportPhone,
    SESSION_SECRET: randomBytes(48).toString("base64url"),
    PASSWORD_PEPPER: randomBytes(48).toString("base64url"),
  });
}

/** The database's clock with an offset that only grows. */
function createMovableClock(base: Clock): Clock & { moveTo(instant: Date): void } {
  let aheadMs = 0;
  const now = () => new Date(base.now().getTime() + aheadMs);
  return {
    ...base,
    now,
    offset: () => base.offset() + aheadMs,
    moveTo(instant) {
      aheadMs += Math.max(0, instant.getTime() - now().getTime());
    },
  };
}

/** Starts a process that removes the folder and stops its Postgres when this process is gone, however it ended. */
function startCleaner(folder: string): ChildProcess {
  const cleaner = spawn(process.execPath, [fileURLToPath(new URL("rehearsal-cleaner.ts", import.meta.url)), folder], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: process.env["PATH"] ?? "" },
  });
  cleaner.on("error", () => undefined);
  cleaner.unref();
  return cleaner;
}

/** Moves the copy's cards and open charges to the provider `test`, so that the cutoff can charge them. */
async function useTestPayments(deps: Deps): Promise<void> {
  const number = Buffer.from("4242424242424242").toString("base64url");
  await execute(
    deps.db,
    sql`update payment_method set provider = 'test', provider_ref = 'tpm_' || ${number} || '.copy' || id where provider not in ('test', 'offline')`,
  );
  await execute(
    deps.db,
    sql`with charge as (
          update payment set provider = 'test' where provider not in ('test', 'offline')
          returning charge_key::text as charge_key, state, amount_cents, created_at)
        insert into test_charge (id, idempotency_key, state, amount_cents, card_last4, card_brand, card_fingerprint, created_at)
        select 'tch_' || left(md5(charge_key), 24), charge_key, 'authorized', amount_cents, '4242', 'visa', '', created_at
        from charge where state = 'authorized' on conflict (idempotency_key) do nothing`,
  );
}

/** Copies the database into a backup folder. The real one is only read, even when it is of an older version. */
async function copyMarket(real: Env, env: Env, folder: string, signal: AbortSignal): Promise<void> {
  const database = await locateDatabase(real);
  try {
    const db = createDb({ url: database.url, applicationName, statementTimeoutMs: 0 });
    try {
      // With the rehearsal's settings: only the database is the real one, and no picture is copied.
      const deps = await createDeps(env, database.url, createLogger("silent", false, 2), { db });
      const ctx = { now: deps.clock.now(), actor: { type: "operator" as const, name: "rehearsal" }, deps };
      await stoppable(signal, database.url, () => backUp(ctx, folder, { signal })).finally(() => deps.clock.stop());
    } finally {
      await db.close();
    }
  } finally {
    await database.close();
  }
}

/**
 * Copies the market into a separate Postgres, runs `work` on the copy, and removes it.
 * @param backup a backup to copy instead of the database
 * @throws the signal's reason when it is interrupted; BackupError | EmbeddedError
 */
export async function rehearse<T>(
  real: Env,
  { backup, signal, onStep }: { backup: string | null; signal: AbortSignal; onStep: (step: string) => void },
  work: (rehearsal: Rehearsal) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "marketday-rehearsal-"));
  const cleaner = startCleaner(folder);
  try {
    const env = rehearsalEnv(folder, real);
    const copy = backup ?? join(folder, "copy");
    onStep("copying the market");
    if (backup === null) await copyMarket(real, env, copy, signal);
    signal.throwIfAborted();
    const postgres = await startEmbedded({ dataDir: join(folder, "postgres"), throwaway: true });
    try {
      signal.throwIfAborted();
      await migrate({ url: postgres.url, log: () => undefined });
      const db = createDb({ url: postgres.url, applicationName, statementTimeoutMs: 0 });
      const clock = createMovableClock(await databaseClock(db));
      try {
        await poolOf(db).query(MOVABLE_JOB_CLOCK);
        const queues = openQueues(db, () => clock.now());
        const deps = await createDeps(env, postgres.url, createLogger("silent", false, 2), { db, clock, queues });
        return await stoppable(signal, postgres.url, async () => {
          const ctx = { now: clock.now(), actor: { type: "operator" as const, name: "rehearsal" }, deps };
          await restore(ctx, copy, { signal, replace: true, dryRun: false });
          if (env.payments === "test") await useTestPayments(deps);
          return work({ deps, folder, mailDir: join(env.dataDir, "mail"), moveTo: clock.moveTo });
        });
      } finally {
        clock.stop();
        await db.close();
      }
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
    cleaner.stdin?.end();
  }
}
