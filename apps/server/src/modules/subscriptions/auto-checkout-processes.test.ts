import { setTimeout as pause } from "node:timers/promises";

import { query, sql } from "@marketday/db";
import { isLarge, size } from "@marketday/db/testing";
import { addMs, Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { countOf, dueHub } from "../../../test/due-hub.ts";
import { senderDied } from "../../../test/pauses.ts";
import { startProcess, type ServerProcess } from "../../../test/processes.ts";

/** Starts another server process on the market's database, its clock off by `skewMs`. */
const serve = (
  market: Awaited<ReturnType<typeof buildTestApp>>,
  failpoints: Record<string, "kill" | "stop"> = {},
  skewMs = 0,
): Promise<ServerProcess> =>
  startProcess({
    databaseUrl: market.url,
    dataDir: market.dataDir,
    failpoints,
    env: {
      SESSION_SECRET: market.deps.env.sessionSecrets.join(","),
      PASSWORD_PEPPER: market.deps.env.pepper,
      PAYMENTS: "test",
      CLOCK_SKEW_MS: String(skewMs),
    },
  });

/** As if a server had died, or been stopped, ten minutes ago: its jobs and its leases of attempts have expired. */
async function expire({ db }: Awaited<ReturnType<typeof buildTestApp>>): Promise<void> {
  await db.checkout_attempt.updateMany({
    where: { state: "held" },
    data: { lease_until: addMs(new Date(), -9 * Minute.ms) },
  });
  await senderDied(db, "auto-checkout");
}

test(
  "auto-checkout: servers with clocks an hour apart, of which some are killed, order every cart once and in time",
  { tags: ["fail:C1", "fail:C6", "fail:C8", "fail:V8", "fail:V9", "fail:V12"] },
  async () => {
    const market = await buildTestApp({ now: new Date().toISOString() });
    const carts = size(30, 1000, 60);
    const { delivery } = await dueHub(market, carts);
    const start = (skewMs: number, failpoints: Record<string, "kill"> = {}) => serve(market, failpoints, skewMs);
    // Each of these servers dies at its failpoint, in its first cart.
    const points = ["checkout:paid", "auto:claimed", "checkout:held", "checkout:before-commit", "auto:ordered"];
    for (const point of points.slice(0, size(1, points.length)))
      await start(0, { [point]: "kill" }).then(
        ({ gone }) => gone,
        () => undefined,
      );
    const { length: held } = await query(
      market.db,
      sql`select 1 from pgboss.job where name = 'auto-checkout' and state = 'active'`,
    );
    expect(held).toBeGreaterThanOrEqual(1);
    // At the larger sizes they expire in real time.
    if (!isLarge) await expire(market);
    const hour = 3_600_000;
    const servers = await Promise.all([start(hour), start(-hour)]);
    let victim = await start(0);
    const kills = size(1, 12, 2);
    for (let killed = 0; killed < kills; killed += 1) {
      while ((await countOf(market, delivery.id)).orders < (carts * (killed + 1)) / (kills + 1)) await pause(20);
      await victim.kill("SIGKILL");
      if (!isLarge) await expire(market);
      victim = await start(0);
    }
    const run = () => market.db.delivery_run.findFirst({ where: { delivery_id: delivery.id, step: "auto_checkout" } });
    // Jobs of the dead servers are taken over when they expire.
    while ((await run())?.state !== "done") await pause(200);
    expect(await countOf(market, delivery.id)).toEqual({ customers: carts, orders: carts, late: 0 });
    for (const { address } of servers) {
      const { clockSkewMs, clockWarning } = (await (await fetch(`${address}/readyz`)).json()) as {
        clockSkewMs: number;
        clockWarning: boolean;
      };
      expect([Math.round(Math.abs(clockSkewMs) / hour), clockWarning]).toEqual([1, true]);
    }
    const mails = await market.db.mail.count({ where: { template: "order-confirmation" } });
    expect(mails).toBe(carts);
    const charges = await market.db.test_charge.groupBy({ by: ["state"], _count: true });
    expect(charges.filter(({ state }) => state === "authorized").map(({ _count }) => _count)).toEqual([carts]);
    market.clock.set(new Date());
    await Promise.all([...servers, victim].map((server) => server.kill("SIGTERM")));
    expect(await market.audit()).toEqual([]);
  },
);

test(
  "auto-checkout: a server that is stopped during a try and continues long after its job was taken over changes nothing",
  { tags: ["fail:C7"] },
  async () => {
    const points = ["checkout:held", "checkout:paid", "auto:ordered", "auto:claimed", "checkout:asking"];
    for (const point of points.slice(0, size(2, points.length))) {
      const market = await buildTestApp({ now: new Date().toISOString() });
      const { delivery } = await dueHub(market, 1);
      const sleeper = await serve(market, { [point]: "stop" });
      while (!(await sleeper.sleeps())) await pause(50);
      await expire(market);
      const other = await serve(market);
      const result = () => market.db.auto_checkout_result.findFirstOrThrow();
      while ((await result()).done_at === null) await pause(100);
      const done = await result();
      expect(await countOf(market, delivery.id)).toEqual({ customers: 1, orders: 1, late: 0 });
      const written = async () => ({
        result: await result(),
        attempts: await market.db.checkout_attempt.findMany({ orderBy: { created_at: "asc" } }),
        orders: await market.db.order.findMany(),
        stock: (await market.db.offer.findFirstOrThrow()).inventory,
        mails: await market.db.mail.findMany({ where: { sent_at: null } }).then((rows) => rows.length),
        ledger: await market.db.ledger_entry.count(),
      });
      while ((await market.db.mail.count({ where: { sent_at: null } })) > 0) await pause(100);
      const before = await written();
      expect(["placed", "already"]).toContain(done.outcome);
      sleeper.wake();
      // It exits after its jobs: by then it has made all its writes.
      await sleeper.kill("SIGTERM");
      expect(await written()).toEqual(before);
      const charges = await market.db.test_charge.groupBy({ by: ["state"], _count: true });
      expect(charges.filter(({ state }) => state === "authorized").map(({ _count }) => _count)).toEqual([1]);
      expect(await market.db.mail.count({ where: { template: "order-confirmation" } })).toBe(1);
      await other.kill("SIGTERM");
      market.clock.set(new Date());
      expect(await market.audit()).toEqual([]);
      await market.close();
    }
  },
);
