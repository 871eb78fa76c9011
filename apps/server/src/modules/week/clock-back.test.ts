import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createAddress, createHub, createProduct, setCard } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { timetable } from "../../jobs/index.ts";

const market = await buildTestApp({ env: { PUBLIC_URL: "http://market.example" } });
const { db, deps } = market;
const RUN = "2026-11-23T18:00:00Z";
const CUTOFF = "2026-11-25T06:00:00Z";

/** Runs every scheduled job at an instant. */
async function tick(at: string): Promise<void> {
  market.clock.set(at);
  for (const job of timetable)
    await job.run({ now: market.clock.now(), actor: { type: "system", job: job.name }, deps });
}

/** The results of the scheduled jobs so far. */
const results = async () => ({
  runs: await db.delivery_run.findMany({ orderBy: [{ delivery_id: "asc" }, { step: "asc" }] }),
  orders: await db.order.findMany({ orderBy: { id: "asc" } }),
  mails: (await db.mail.findMany({ orderBy: { id: "asc" } })).map(({ key, sent_at }) => [key, sent_at !== null]),
  charges: await db.test_charge.findMany({ orderBy: { id: "asc" } }),
  entries: await db.ledger_entry.count(),
  lines: await db.snapshot_line.count(),
  adjustments: await db.stock_adjustment.count(),
  results: await db.auto_checkout_result.findMany(),
  carts: await db.cart_item.count(),
});

test(
  "week: after the database's clock jumps back an hour, no work is repeated, no closed day reopens and tokens stay used",
  { tags: ["fail:D15"] },
  async () => {
    market.clock.set(MONDAY);
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 50, priceCents: 700 });
    await db.offer.updateMany({ where: { variant_id: eggs.variant.id }, data: { weekly_inventory: 60 } });
    await tick(MONDAY);
    const regular = await signIn(market, { hubId: hub.id });
    await createAddress(db, regular.customer.id);
    await setCard(db, regular.customer.id);
    await regular.put("/subscriptions/status", { enabled: true, status: 1 });
    await regular.put("/cart", [eggs.line(2)]);
    const other = await signIn(market, { hubId: hub.id });
    await other.put("/cart", [eggs.line(1)]);
    const { orderTotal } = (await other.post("/checkout/quote", CHOICE)).body;
    expect((await other.post("/checkout", { ...CHOICE, expectedTotal: orderTotal })).status).toBe(201);

    await tick(RUN);
    const afterRun = await results();
    expect(afterRun.orders).toHaveLength(2);
    await tick("2026-11-23T17:00:01Z");
    await tick("2026-11-23T17:30:00Z");
    await tick("2026-11-23T18:00:30Z");
    expect(await results()).toEqual(afterRun);

    await other.put("/cart", [eggs.line(1)]);
    await tick("2026-11-24T06:01:00Z");
    await tick(CUTOFF);
    await tick("2026-11-25T06:00:30Z");
    expect((await db.order.findMany()).map(({ status }) => status)).toEqual(["pending", "pending"]);
    const email = other.customer.email!;
    await market.shopper().post("/auth/forgot", { email });
    await market.app.settled();
    const mail = await db.mail.findFirstOrThrow({ where: { to_email: email, template: "password-reset" } });
    const { token } = mail.data as { token: string };
    const reset = () => market.shopper().post(`/auth/reset/${token}`, { password: "blue-wheelbarrow-7" });
    expect((await reset()).body).toBe(true);
    await tick("2026-11-25T06:01:00Z");
    const afterCutoff = await results();
    for (const back of ["2026-11-25T05:01:00Z", "2026-11-25T05:30:00Z", "2026-11-25T05:59:59Z"]) await tick(back);
    expect(await results()).toEqual(afterCutoff);
    expect((await reset()).body).toBe("EXPIRED");

    // The day stays closed, although its cutoff is in the future again.
    const late = market.shopper();
    await late.post("/auth/login", { username: email, password: "blue-wheelbarrow-7" });
    expect((await late.post("/checkout/quote", CHOICE)).body.deliveryDate).toBe("2026-12-03");
    const [{ id, items }] = (await late.get("/orders")).body.payload;
    const edit = await late.post("/orders/edit-order", {
      order: { id, items: items.map((item: any) => ({ ...item, quantity: 0 })) },
    });
    expect([edit.status, edit.body[1].code]).toEqual([409, "past_cutoff"]);
    await tick("2026-11-25T06:02:00Z");
    expect(await results()).toEqual(afterCutoff);
    expect(await market.audit()).toEqual([]);
  },
);
