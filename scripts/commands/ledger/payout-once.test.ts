import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { type AnyTx, execute, queryOne, sql, transaction } from "@marketday/db";
import { payVendors } from "@marketday/server/modules/ledger/pay-vendors";
import { lockPayouts } from "@marketday/server/modules/ledger/payout-sql";
import { buildTestApp } from "@marketday/server/testing/app";
import { behindProxy } from "@marketday/server/testing/proxy";
import { expect, test, vi } from "vitest";

import { closedDay } from "../../test/closed-day.ts";
import { type OperatedMarket, operatedMarket } from "../../test/market.ts";

const TO = "2099-12-31";
const PAY = ["--to", TO, "--yes", "--include-future"];

/** `./market ledger payouts FILE` in another process. */
function startPayout(market: OperatedMarket, file: string, url = market.url) {
  const env = { ...process.env, DATABASE_URL: url, DATA_DIR: market.dir, NODE_ENV: "test", RATE_LIMITS: "off" };
  const child = spawn(process.execPath, ["scripts/market.ts", "ledger", "payouts", file, ...PAY], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "exit")]);
  return { child, ended: ended.then(([out, err, [code]]) => ({ out, err, code: code as number | null })) };
}

/** The address of the market's database, for commands that wait there until a test goes on. */
function patientUrl(market: OperatedMarket): string {
  const url = new URL(market.url);
  for (const name of ["lock_timeout", "statement_timeout", "query_timeout"]) url.searchParams.set(name, "120000");
  return url.href;
}

/** Resolves when a command waits for a lock. */
const waitsForLock = (market: OperatedMarket, pid: number) =>
  vi.waitUntil(
    async () =>
      (await queryOne(
        market.db,
        sql`select 1 from pg_stat_activity where application_name = ${`marketday command ${pid}`} and wait_event_type = 'Lock'`,
      )) !== null,
    { timeout: 120_000, interval: 20 },
  );

/** Runs `meanwhile` in a transaction that holds what `lock` takes. */
const holding = (market: OperatedMarket, lock: (tx: AnyTx) => Promise<unknown>, meanwhile: () => Promise<void>) =>
  transaction(
    market.db,
    async (tx) => {
      await lock(tx);
      await meanwhile();
    },
    { retries: 0, timeoutMs: 120_000 },
  );

/** Runs `meanwhile` while a command waits for the lock of payouts: it has listed and booked nothing. */
const beforeItLists = (market: OperatedMarket, pid: number, meanwhile: () => void) =>
  holding(market, lockPayouts, async () => {
    await waitsForLock(market, pid);
    meanwhile();
  });

const lockCommits = (tx: AnyTx) => execute(tx, sql`select pg_advisory_xact_lock(1)`);

/**
 * Starts a command and runs `meanwhile` while Postgres executes its COMMIT of a payout: a deferred trigger waits for a lock, which
 * a dry run never reaches. Resolves after the COMMIT.
 */
async function whileItCommits<T extends { child: ChildProcess }>(
  market: OperatedMarket,
  start: () => T,
  meanwhile: (started: T) => void,
): Promise<T> {
  const { db } = market;
  await execute(
    db,
    sql`create or replace function wait_at_commit() returns trigger language plpgsql set lock_timeout = 0 as $$
        begin perform pg_advisory_xact_lock(1); return null; end $$`,
  );
  await execute(
    db,
    sql`create constraint trigger wait_at_commit after insert on ledger_transaction deferrable initially deferred
        for each row execute function wait_at_commit()`,
  );
  let started: T | undefined;
  await holding(market, lockCommits, async () => {
    started = start();
    await waitsForLock(market, started.child.pid!);
    meanwhile(started);
  });
  await vi.waitUntil(async () => (await bookedPayouts(market)).length > 0, { timeout: 60_000, interval: 20 });
  await execute(db, sql`drop trigger wait_at_commit on ledger_transaction`);
  return started!;
}

/** A market that owes a vendor the share of a box for each of `boxes`. */
async function owingMarket(...boxes: [number, ...number[]]) {
  const market = await operatedMarket();
  const { vendor } = await closedDay(market, { slug: "carmel", title: "Eggs", boxes: boxes.map((box) => [box]) });
  await market.db.vendor.update({ where: { id: vendor.id }, data: { email: "farm@example.com" } });
  return { market, vendor };
}

/** The booked payouts, oldest first, with what each vendor was paid, and the lines that their file must have. */
async function bookedPayouts({ db }: OperatedMarket) {
  const booked = await db.ledger_transaction.findMany({
    where: { kind: "payout" },
    orderBy: { id: "asc" },
    select: {
      id: true,
      entries: {
        where: { account: "payouts" },
        select: { amount_cents: true, vendor: { select: { slug: true, name: true, email: true } } },
      },
    },
  });
  return booked.map(({ id, entries }) => ({
    id,
    totalCents: entries.reduce((sum, entry) => sum + entry.amount_cents, 0),
    file: [
      "\uFEFFvendor,name,email,amount,payout",
      ...entries.map(({ amount_cents: amount, vendor }) =>
        [vendor!.slug, vendor!.name, vendor!.email ?? "", (amount / 100).toFixed(2), id].join(","),
      ),
      "",
    ].join("\n"),
  }));
}

const owedCents = async (market: OperatedMarket, slug: string) =>
  (await market.json<{ owedCents: number }>("ledger", "vendor", slug, "--from", "2000-01-01", "--to", TO)).owedCents;

const ifMissing = (payout: number) => `If its file is missing, \`ledger payouts FILE --again ${payout}\` writes it.\n`;

const csvIn = (market: OperatedMarket): string[] =>
  readdirSync(market.dir)
    .filter((name) => name.includes(".csv"))
    .toSorted();

/** One email to the vendor, with the amount of the payout. */
async function expectOneMail({ db }: OperatedMarket, { id, totalCents }: { id: number; totalCents: number }) {
  const mails = await db.mail.findMany({
    where: { template: "vendor-payout" },
    select: { to_email: true, data: true },
  });
  expect(mails.filter(({ data }) => (data as { payout: number }).payout === id)).toMatchObject([
    { to_email: "farm@example.com", data: { amountCents: totalCents } },
  ]);
}

test(
  "payouts: three commands at once book one payout, and only its command writes a file",
  { tags: ["fail:N12"] },
  async () => {
    const { market, vendor } = await owingMarket(3, 2);
    const owed = await owedCents(market, vendor.slug);
    const names = ["one.csv", "two.csv", "three.csv"];
    const started = names.map((name) => startPayout(market, join(market.dir, name), patientUrl(market)));
    await holding(market, lockPayouts, async () => {
      await Promise.all(started.map(({ child }) => waitsForLock(market, child.pid!)));
    });
    const results = await Promise.all(started.map(({ ended }) => ended));
    const booked = await bookedPayouts(market);
    expect(booked).toMatchObject([{ totalCents: owed }]);
    const [payout] = booked;
    expect(csvIn(market)).toHaveLength(1);
    const [written] = csvIn(market);
    expect(readFileSync(join(market.dir, written!), "utf8")).toBe(payout!.file);
    for (const [place, { code, out, err }] of results.entries()) {
      if (names[place] === written)
        expect({ code, out, err }).toMatchObject({ code: 0, out: expect.stringContaining(`Payout ${payout!.id}`) });
      else if (code === 0) expect(out).toContain(`The last payout was ${payout!.id}. ${ifMissing(payout!.id)}`);
      else
        expect({ code, err }).toEqual({
          code: 1,
          err: `What vendors are owed has changed since it was listed. Nothing was booked: run it again.\n`,
        });
    }
    await expectOneMail(market, payout!);
    expect(await owedCents(market, vendor.slug)).toBe(0);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "payouts: two people approve the list that both saw on two servers: one payout, the other is refused and nothing is booked for it",
  { tags: ["fail:N12"] },
  async () => {
    const { market, vendor } = await owingMarket(3);
    const servers = [await buildTestApp({ url: market.url }), await buildTestApp({ url: market.url })];
    const people = servers.map(({ deps }, place) => ({
      now: new Date(),
      actor: { type: "operator", name: ["ada", "bob"][place]! } as const,
      deps,
    }));
    const lists = await Promise.all(people.map((ctx) => payVendors(ctx, { to: TO, dryRun: true })));
    const results = await Promise.allSettled(
      people.map((ctx, place) => payVendors(ctx, { to: TO, dryRun: false, expected: lists[place]!.paid })),
    );
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(results.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { status: 409, details: { code: "amounts_changed" } },
    });
    expect(await bookedPayouts(market)).toMatchObject([{ totalCents: lists[0]!.totalCents }]);
    expect(await owedCents(market, vendor.slug)).toBe(0);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "payouts: killed before the booking is committed, nothing is booked or written; the same command then pays once",
  { tags: ["fail:N12"] },
  async () => {
    const { market } = await owingMarket(3);
    const file = join(market.dir, "bank.csv");
    const { child, ended } = startPayout(market, file);
    await beforeItLists(market, child.pid!, () => child.kill("SIGKILL"));
    expect(await ended).toMatchObject({ code: null });
    expect([await bookedPayouts(market), csvIn(market)]).toEqual([[], []]);
    expect(await market.run("ledger", "payouts", file, ...PAY)).toMatchObject({ code: 0 });
    const [payout, ...others] = await bookedPayouts(market);
    expect(others).toEqual([]);
    expect(readFileSync(file, "utf8")).toBe(payout!.file);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "payouts: killed between the booking and the file: the next run books nothing again, and names the payout whose file is missing",
  { tags: ["fail:N12"] },
  async () => {
    const { market, vendor } = await owingMarket(3);
    const file = join(market.dir, "bank.csv");
    const { ended } = await whileItCommits(
      market,
      () => startPayout(market, file),
      ({ child }) => child.kill("SIGKILL"),
    );
    expect(await ended).toEqual({ code: null, out: "", err: "" });
    const [payout] = await bookedPayouts(market);
    expect(csvIn(market)).toEqual([]);

    expect(await market.run("ledger", "payouts", file, ...PAY)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`The last payout was ${payout!.id}. ${ifMissing(payout!.id)}`),
    });
    expect([await bookedPayouts(market), existsSync(file)]).toEqual([[payout], false]);

    // When there is more to pay by then, that is all that is booked, and the first payout is named.
    await closedDay(market, { slug: "fishers", title: "Flour", boxes: [[2]] });
    const next = join(market.dir, "next.csv");
    expect(await market.run("ledger", "payouts", next, ...PAY)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`The payout before it was ${payout!.id}. ${ifMissing(payout!.id)}`),
    });
    const [first, second, ...others] = await bookedPayouts(market);
    expect([first, others, readFileSync(next, "utf8")]).toEqual([payout, [], second!.file]);

    await expectOneMail(market, payout!);
    expect(await market.run("ledger", "payouts", file, "--again", String(payout!.id))).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toBe(payout!.file);
    expect(await owedCents(market, vendor.slug)).toBe(0);
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "payouts: the database goes away after the COMMIT: the command does not claim that nothing was booked, and a repeat pays nothing twice",
  { tags: ["fail:N12"] },
  async () => {
    const { market } = await owingMarket(3);
    const { proxy, url } = await behindProxy(market.url);
    const file = join(market.dir, "bank.csv");
    const { ended } = await whileItCommits(
      market,
      () => startPayout(market, file, url),
      () => proxy.cut(),
    );
    const { code, err } = await ended;
    expect({ code, err }).toEqual({
      code: 4,
      err: expect.stringMatching(
        /^The database went away \(.+\)\. The payout may be booked\. Run it again to see: the same command line pays nothing twice\.\n$/,
      ),
    });
    const booked = await bookedPayouts(market);
    expect(booked).toHaveLength(1);
    expect(csvIn(market)).toEqual([]);
    expect(await market.run("ledger", "payouts", file, ...PAY)).toMatchObject({
      code: 0,
      out: expect.stringContaining(ifMissing(booked[0]!.id)),
    });
    expect(await bookedPayouts(market)).toEqual(booked);
    expect(await market.audit()).toEqual([]);
  },
);

test("payouts: to standard output, what is no line of the bank's file is on standard error", async () => {
  const { market } = await owingMarket(3);
  const pay = () => market.run("ledger", "payouts", ...PAY);
  const first = await pay();
  const [payout] = await bookedPayouts(market);
  expect(first).toEqual({ code: 0, out: payout!.file, err: "" });

  expect(await pay()).toEqual({
    code: 0,
    out: "",
    err: `Nothing is owed for deliveries up to ${TO}.\nThe last payout was ${payout!.id}. ${ifMissing(payout!.id)}`,
  });
  await closedDay(market, { slug: "fishers", title: "Flour", boxes: [[2]] });
  const next = await pay();
  const [, second] = await bookedPayouts(market);
  expect(next).toEqual({
    code: 0,
    out: second!.file,
    err: `The payout before it was ${payout!.id}. ${ifMissing(payout!.id)}`,
  });
});

test("payouts: one that was taken back completely is not named again, one that was taken back in part is", async () => {
  const { market, vendor } = await owingMarket(3);
  const file = join(market.dir, "bank.csv");
  const pay = () => market.run("ledger", "payouts", file, ...PAY);
  expect(await pay()).toMatchObject({ code: 0 });
  const { vendor: other } = await closedDay(market, { slug: "fishers", title: "Flour", boxes: [[2]] });
  expect(await pay()).toMatchObject({ code: 0 });
  const [first, second] = await bookedPayouts(market);
  const reverse = (payout: number, slug: string) =>
    market.json("ledger", "reverse", String(payout), slug, "--reason", "account closed", "--yes");
  await reverse(second!.id, other.slug);
  expect(await pay()).toMatchObject({
    code: 0,
    out: expect.stringContaining(`The payout before it was ${first!.id}. ${ifMissing(first!.id)}`),
  });

  // All that was paid is paid again in one payout, of which a part is taken back.
  const third = (await bookedPayouts(market)).at(-1)!;
  await reverse(first!.id, vendor.slug);
  await reverse(third.id, other.slug);
  expect(await pay()).toMatchObject({ code: 0, out: expect.not.stringContaining("The payout before it") });
  const both = (await bookedPayouts(market)).at(-1)!;
  await reverse(both.id, vendor.slug);
  expect(await pay()).toMatchObject({
    code: 0,
    out: expect.stringContaining(`The payout before it was ${both.id}. ${ifMissing(both.id)}`),
  });
});
