import { size } from "@marketday/db/testing";
import { addMs, Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp, type TestMarket } from "../../../test/app.ts";
import { countOf, dueHub } from "../../../test/due-hub.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { ownPostgres } from "../../../test/own-postgres.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { resumeAbandoned } from "../checkout/resume-attempt.ts";

/** Failpoints at which the database is killed, one after the other, each when some carts are ordered and others in progress. */
const POINTS = [
  "checkout:paid",
  "checkout:before-commit",
  "auto:ordered",
  "checkout:holding",
  "auto:claimed",
  "checkout:placed",
  "checkout:booked",
  "checkout:asking",
];

test(
  "auto-checkout: Postgres is killed several times while two servers order, and every cart is ordered once",
  { tags: ["fail:C6", "fail:D1", "fail:V8", "fail:V9"] },
  async () => {
    const postgres = await ownPostgres();
    try {
      const points = failpoints();
      const now = new Date().toISOString();
      const one = await buildTestApp({ url: postgres.url, now, overrides: { failpoint: points.at } });
      const two = await buildTestApp({ url: postgres.url, now });
      const servers = [one, two];
      const kills = POINTS.slice(0, size(2, POINTS.length, 3));
      const carts = size(24, 1000, 36);
      const { delivery } = await dueHub(one, carts);
      const job = ({ clock, deps }: TestMarket) => ({
        now: clock.now(),
        actor: { type: "system" as const, job: "test" },
        deps,
      });
      const run = () => Promise.allSettled(servers.map((server) => runAutoCheckouts(job(server))));
      /** Advances the clocks beyond every lease. */
      const passLeases = () => servers.forEach(({ clock }) => clock.set(addMs(clock.now(), 2 * Minute.ms)));
      const ordered = async () =>
        (await one.db.order.findMany({ where: { delivery_id: delivery.id }, select: { id: true } })).map(
          ({ id }) => id,
        );

      // The checkout is due by the test's clock, too.
      passLeases();
      for (const [place, point] of kills.entries()) {
        // How many carts the first server orders before the kill.
        const killed = Promise.withResolvers<void>();
        const reached = Promise.withResolvers<void>();
        let left = Math.floor(carts / (kills.length + 1) / 3);
        points.plan[point] = {
          get until() {
            left -= 1;
            if (left > 0) return Promise.resolve();
            reached.resolve();
            return killed.promise;
          },
        };
        const running = run();
        await Promise.race([reached.promise, running]);
        const before = await ordered();
        expect(before.length, `kill ${place}`).toBeLessThan(carts);
        postgres.kill();
        killed.resolve();
        delete points.plan[point];
        await running;
        await postgres.restart();
        // Orders that were committed before the kill are still there.
        expect(await ordered()).toEqual(expect.arrayContaining(before));
        passLeases();
      }
      const step = { delivery_id: delivery.id, step: "auto_checkout" };
      const state = async () =>
        (await one.db.delivery_run.findUnique({ where: { delivery_id_step: step } }))?.state ?? "not begun";
      while (["running", "not begun"].includes(await state())) {
        await Promise.all(servers.map((server) => resumeAbandoned(job(server))));
        await run();
        passLeases();
      }
      expect(await state()).toBe("done");
      expect(await countOf(one, delivery.id)).toEqual({ customers: carts, orders: carts, late: 0 });
      expect(await one.db.mail.count({ where: { template: "order-confirmation" } })).toBe(carts);
      expect(await one.db.test_charge.count({ where: { state: "authorized" } })).toBe(carts);
      expect(await one.audit()).toEqual([]);
      await Promise.all(servers.map((server) => server.close()));
    } finally {
      await postgres.stop();
    }
  },
);
