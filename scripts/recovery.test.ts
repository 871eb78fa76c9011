import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";

import { createDb, type Db, execute, query, sql, sqlTransaction } from "@marketday/db";
import { type Embedded, startEmbedded } from "@marketday/db/embedded";
import { migrate } from "@marketday/db/migrate";
import { audit } from "@marketday/server/modules/doctor/violation-sql";
import { createHub, createProduct } from "@marketday/server/testing/factories";
import { afterAll, expect, test, vi } from "vitest";

const home = mkdtempSync(join(tmpdir(), "marketday-recovery-"));
// Postgres runs as a different user.
chmodSync(home, 0o755);
const archive = join(home, "archive");
let running: Embedded | undefined;
let db: Db | undefined;
afterAll(async () => {
  await db?.close();
  await running?.stop();
  rmSync(home, { recursive: true, force: true });
});

const queryValue = async <T>(statement: ReturnType<typeof sql>): Promise<T> =>
  (await query<{ value: T }>(db!, statement))[0]!.value;

/** Starts the market's Postgres as docs/operating.md configures it, with an archive of its write-ahead log. */
async function open(): Promise<Embedded> {
  running = await startEmbedded({ dataDir: join(home, "postgres") });
  db = createDb({ url: running.url });
  return running;
}
async function close(): Promise<void> {
  await db?.close();
  await running?.stop();
  [db, running] = [undefined, undefined];
}
/** Gives a folder and everything below it the owner of `like`: Postgres must own its files. */
function copyOwner(path: string, like: string): void {
  const { uid, gid } = statSync(like);
  chownSync(path, uid, gid);
  for (const name of readdirSync(path, { recursive: true, encoding: "utf8" })) chownSync(join(path, name), uid, gid);
}

test(
  "point-in-time recovery: a wrong DELETE is undone with a copy of the folder and the archive",
  { tags: ["fail:L6"] },
  async () => {
    const { dataDir: folder } = await open();
    await migrate({ url: running!.url });
    await close();
    mkdirSync(archive);
    copyOwner(archive, folder);
    const settings = [
      "archive_mode = on",
      `archive_command = 'test ! -f ${archive}/%f && cp %p ${archive}/%f'`,
      "archive_timeout = 60",
      "",
    ].join("\n");
    writeFileSync(join(folder, "postgresql.auto.conf"), settings);

    await open();
    const hub = await createHub(db!);
    const before = await createProduct(db!, hub.id);
    // A copy of the folder while the market runs.
    const copy = join(home, "copy");
    const [stop] = await sqlTransaction(db!, async (tx) => {
      await tx.client.query("set local idle_in_transaction_session_timeout = 0; set local statement_timeout = 0");
      await query(tx, sql`select pg_backup_start('drill', true)`);
      cpSync(folder, copy, {
        recursive: true,
        filter: (path) => !["postmaster.pid", "postmaster.opts"].includes(basename(path)),
      });
      return query<{ label: string }>(tx, sql`select labelfile as label from pg_backup_stop(false)`);
    });
    rmSync(join(copy, "pg_wal"), { recursive: true });
    mkdirSync(join(copy, "pg_wal"), { mode: 0o700 });
    writeFileSync(join(copy, "backup_label"), stop!.label);

    // More changes, then a wrong DELETE, then changes before it is noticed.
    const later = await createProduct(db!, hub.id);
    const instant = await queryValue<string>(sql`select clock_timestamp()::text as value`);
    await execute(db!, sql`delete from stock_adjustment`);
    await execute(db!, sql`delete from offer`);
    const lost = await createProduct(db!, hub.id);
    expect(await db!.offer.count()).toBe(1);
    const last = await queryValue<string>(sql`select pg_walfile_name(pg_switch_wal()) as value`);
    await vi.waitUntil(
      async () =>
        (await queryValue<string | null>(sql`select last_archived_wal as value from pg_stat_archiver`))?.localeCompare(
          last,
        ) !== -1,
      { timeout: 120_000, interval: 50 },
    );
    await close();

    // The copy replaces the folder, and the archive is replayed up to that instant.
    renameSync(folder, `${folder}.wrong`);
    cpSync(copy, folder, { recursive: true });
    const recovery = [
      `restore_command = 'cp ${archive}/%f %p'`,
      `recovery_target_time = '${instant}'`,
      "recovery_target_action = 'promote'",
      "",
    ].join("\n");
    writeFileSync(join(folder, "postgresql.auto.conf"), settings + recovery);
    writeFileSync(join(folder, "recovery.signal"), "");
    chmodSync(folder, 0o700);
    copyOwner(folder, `${folder}.wrong`);
    await open();
    await vi.waitUntil(async () => !(await queryValue<boolean>(sql`select pg_is_in_recovery() as value`)), {
      timeout: 120_000,
      interval: 50,
    });
    const products = await db!.product.findMany({ select: { id: true }, orderBy: { id: "asc" } });
    expect(products.map(({ id }) => id)).toEqual([before.id, later.id]);
    expect(products.some(({ id }) => id === lost.id)).toBe(false);
    expect(await db!.offer.count()).toBe(2);
    expect(await audit(db!, new Date())).toEqual([]);
    // The recovered database is writable.
    await createProduct(db!, hub.id);
    expect(await db!.offer.count()).toBe(3);
  },
);
