import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { countOf, dueHub } from "../../test/due-hub.ts";
import { startJobs } from "./index.ts";

const market = await buildTestApp();
const { deps } = market;

test("jobs: after a stop, a notification starts no run", async () => {
  let reads = 0;
  const now = () => {
    reads += 1;
    return deps.clock.now();
  };
  const jobs = startJobs({ ...deps, clock: { ...deps.clock, now } });
  const before = reads;
  jobs.notify("clean-up");
  expect(reads).toBe(before + 1);
  await jobs.stop();
  const stopped = reads;
  for (const name of ["clean-up", "week"]) jobs.notify(name);
  expect(reads).toBe(stopped);
});

test("jobs: a stop waits for the automatic orders that are being placed, and the next start places the others", async () => {
  const own = await buildTestApp({ now: new Date().toISOString() });
  const carts = 40;
  const { delivery } = await dueHub(own, carts);
  own.clock.set(new Date().toISOString());
  const gate = Promise.withResolvers<void>();
  const busy = Promise.withResolvers<void>();
  let begun = 0;
  const slow: typeof own.deps.payments = Object.create(own.deps.payments);
  slow.authorize = async (request) => {
    begun += 1;
    if (begun === 3) busy.resolve();
    await gate.promise;
    return own.deps.payments.authorize(request);
  };
  const jobs = startJobs({ ...own.deps, payments: slow });
  await busy.promise;
  const stopped = jobs.stop();
  gate.resolve();
  await stopped;
  expect(begun).toBe(3);
  expect(await countOf(own, delivery.id)).toEqual({ customers: 3, orders: 3, late: 0 });

  const restarted = startJobs(own.deps);
  await expect.poll(() => countOf(own, delivery.id)).toEqual({ customers: carts, orders: carts, late: 0 });
  await restarted.stop();
  expect(await own.audit()).toEqual([]);
});
