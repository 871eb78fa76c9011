import { Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createCustomer, createHub } from "../../test/factories.ts";
import { newUuid } from "../lib/tokens.ts";
import { notifyDue } from "../modules/identify/notify-due.ts";
import { insertEvent } from "../modules/identify/store.ts";
import { dueWork } from "./due.ts";
import { runWeek } from "./week.ts";

let isUnavailable = false;
const market = await buildTestApp({
  overrides: {
    identify: {
      send: async () => {
        if (isUnavailable) throw new Error("unavailable");
        return "accepted";
      },
    },
  },
});
const { db, deps, clock } = market;
const due = async () => {
  const work = await dueWork({ now: clock.now(), actor: { type: "system", job: "test" }, deps });
  return Object.fromEntries(work.filter(({ market: of }) => of === null).map(({ job, count }) => [job, count]));
};

test("due: interrupted payments and refunds are due after their lease, events that wait for a retry are not", async () => {
  const hub = await createHub(db, { now: clock.now() });
  const { id } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  expect(await due()).toEqual({});
  const created_at = clock.now();
  const payment = { customer_id: id, provider: "test", amount_cents: 2500, created_at };
  const purpose = { kind: "wagon-pass", plan: "yearly" };
  await db.payment.create({ data: { ...payment, id: newUuid(), state: "created", purpose } });
  const paid = await db.payment.create({ data: { ...payment, id: newUuid(), state: "captured" } });
  await db.refund.create({
    data: {
      id: newUuid(),
      payment_id: paid.id,
      kind: "care",
      destination: "card",
      amount_cents: 100,
      reason: "test",
      state: "created",
      created_at,
    },
  });
  const gone = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  await db.customer.update({
    where: { id: gone.id },
    data: { deleted_at: created_at, email: null, email_normal: null, password_hash: null, stripe_customer_id: "cus_1" },
  });
  await insertEvent(db, { event: "login", customerId: id, visit: null, now: created_at });
  expect(await due()).toEqual({ "forget-payers": 1, identify: 1 });
  clock.advance(20 * Second.ms);
  expect(await due()).toEqual({ purchases: 1, refunds: 1, "forget-payers": 1, identify: 1 });
  isUnavailable = true;
  expect(await notifyDue(deps)).toBe(0);
  expect(await due()).not.toHaveProperty("identify");
});

test("due: closing a day's orders is due from its cutoff until it is done", async () => {
  const hub = await createHub(db, { now: clock.now() });
  const cutoff = hub.deliveries[0]!.cutoff_at;
  const context = () => ({ now: clock.now(), actor: { type: "system" as const, job: "test" }, deps });
  const closing = async () =>
    (await dueWork(context())).filter(({ what, market: of }) => what === "close orders" && of === hub.name).length;
  clock.set(new Date(cutoff.getTime() - 1));
  expect(await closing()).toBe(0);
  clock.set(cutoff);
  expect(await closing()).toBe(1);
  await runWeek(context());
  expect(await closing()).toBe(0);
});
