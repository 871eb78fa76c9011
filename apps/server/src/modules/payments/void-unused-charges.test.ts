import { randomUUID } from "node:crypto";

import { addMs, Hour, Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub } from "../../../test/factories.ts";
import { voidUnusedCharges } from "./void-charge.ts";

const market = await buildTestApp();
const { db, deps } = market;

test("void sweep: of more charges without an order than one run handles, the oldest are voided first", async () => {
  const hub = await createHub(db);
  const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const now = market.clock.now();
  const ids = Array.from({ length: 51 }, () => randomUUID());
  const endedAt = (index: number) => addMs(now, -Hour.ms - index * Minute.ms);
  await db.payment.createMany({
    data: ids.map((id, index) => ({
      id,
      charge_key: id,
      customer_id: customer.id,
      provider: "test",
      state: "created",
      amount_cents: 100,
      created_at: endedAt(index),
    })),
  });
  await db.checkout_attempt.createMany({
    data: ids.map((id, index) => ({
      id: randomUUID(),
      customer_id: customer.id,
      hub_id: hub.id,
      delivery_id: hub.deliveries[0]!.id,
      state: "failed",
      choice: {},
      plan: {},
      order_total_cents: 100,
      amount_due_cents: 100,
      payment_id: id,
      lease_until: endedAt(index),
      expires_at: endedAt(index),
      created_at: endedAt(index),
      finished_at: endedAt(index),
    })),
  });
  const sweep = () => voidUnusedCharges({ now, actor: { type: "system", job: "test" }, deps });
  const waiting = async () => (await db.payment.findMany({ where: { state: "created" } })).map(({ id }) => id);
  expect(await sweep()).toBe(50);
  // The first id is of the attempt that ended last.
  expect(await waiting()).toEqual([ids[0]]);
  expect(await sweep()).toBe(1);
  expect(await waiting()).toEqual([]);
});
