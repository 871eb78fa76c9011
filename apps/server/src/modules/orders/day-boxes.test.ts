import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { staffOf } from "../../../test/staff.ts";

const market = await buildTestApp({ env: { PAYMENTS: "offline" } });
const { db, deps } = market;

test("boxes of a day: an order of an open day is listed, and is read by its number", async () => {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 50, priceCents: 700 });
  const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const { id } = await createOrder(db, { customerId, hub, product: eggs, quantity: 2, status: "open" });
  const lead = await staffOf(market, { role: "depot_lead", hubId: hub.id });
  const day = await lead.get(`/hubs/${hub.slug}/days/2026-11-26/boxes`);
  const box = await lead.get(`/orders/${id}`);
  expect([day.status, box.status]).toEqual([200, 200]);
});
