import { Hour, Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct, setInventory } from "../../test/factories.ts";
import { mailsIn } from "../../test/mails.ts";
import type { Context } from "../modules/identity/context.ts";
import { sendDueMail } from "../modules/mail/send-mail.ts";
import { runWeek, sendReminders } from "./week.ts";

const market = await buildTestApp();
const { db, deps, dataDir } = market;
/** When orders close for the first delivery, and when automatic checkout orders for it. */
const CUTOFF = new Date("2026-11-25T06:00:00Z").getTime();
const AUTO = CUTOFF - 36 * Hour.ms;
const OPENED = "2026-11-21T12:00:00Z";
const GONE = { deleted_at: new Date(OPENED), email: null, password_hash: null };

const contextAt = (at: number | string): Context => {
  market.clock.set(new Date(at).toISOString());
  return { now: market.clock.now(), actor: { type: "system", job: "test" }, deps };
};
async function openHub() {
  const hub = await createHub(db, { now: new Date("2026-11-20T12:00:00Z") });
  await runWeek(contextAt(OPENED));
  return { hub, eggs: await createProduct(db, hub.id, { inventory: 50 }) };
}
type Hub = Awaited<ReturnType<typeof openHub>>;

interface About {
  auto?: boolean;
  wants?: boolean;
  cart?: { quantity?: number; watching?: boolean } | null;
  change?: object;
}
async function reader({ hub, eggs }: Hub, { auto = false, wants = true, cart = {}, change = {} }: About = {}) {
  const row = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  await db.customer.update({
    where: { id: row.id },
    data: { auto_checkout_status: auto ? 2 : 0, subscribed_all_messages: wants },
  });
  if (cart)
    await db.cart.create({
      data: {
        customer_id: row.id,
        updated_at: new Date(OPENED),
        items: {
          create: {
            variant_id: eggs.variant.id,
            quantity: 1,
            seen_price_cents: 650,
            created_at: new Date(OPENED),
            ...cart,
          },
        },
      },
    });
  // After its rows: a deleted customer gets none.
  await db.customer.update({ where: { id: row.id }, data: change });
  return row;
}
const mailsTo = async (email: string | null) =>
  (await db.mail.findMany({ where: { to_email: email! }, orderBy: { id: "asc" } })).map(({ template }) => template);

test.for<[template: string, auto: boolean, instant: number]>([
  ["auto-checkout-soon", true, AUTO],
  ["order-by-soon", false, CUTOFF],
])(
  "reminder %s: goes out once, from 24 hours before its instant until just before it",
  async ([template, auto, instant]) => {
    const early = await openHub();
    const who = await reader(early, { auto });
    await sendReminders(contextAt(instant - 24 * Hour.ms - 1));
    expect(await mailsTo(who.email)).toEqual([]);
    await sendReminders(contextAt(instant - 24 * Hour.ms));
    expect(await mailsTo(who.email)).toEqual([template]);
    await Promise.all([1, 2].map(() => sendReminders(contextAt(instant - Hour.ms))));
    expect(await mailsTo(who.email)).toEqual([template]);

    const late = await openHub();
    const last = await reader(late, { auto });
    await sendReminders(contextAt(instant - 1));
    expect(await mailsTo(last.email)).toEqual([template]);

    const hidden = await openHub();
    await db.hub.update({ where: { id: hidden.hub.id }, data: { is_published: false } });
    const ofHidden = await reader(hidden, { auto });
    await sendReminders(contextAt(instant - 1));
    expect(await mailsTo(ofHidden.email)).toEqual([]);

    // The market was down the whole day: at the instant it is too late to remind.
    const missed = await openHub();
    const tooLate = await reader(missed, { auto });
    await sendReminders(contextAt(instant));
    expect(await mailsTo(tooLate.email)).toEqual([]);
    expect(
      await db.delivery_run.count({ where: { delivery: { hub_id: missed.hub.id }, step: { startsWith: "remind" } } }),
    ).toBe(0);
  },
);

test("reminders: only customers whom a reminder concerns and who want messages get one", async () => {
  const market = await openHub();
  const { hub } = market;
  const other = await openHub();
  const people = {
    automatic: await reader(market, { auto: true }),
    automaticWithoutCart: await reader(market, { auto: true, cart: null }),
    waitingCart: await reader(market),
    noCart: await reader(market, { cart: null }),
    wantsNone: await reader(market, { wants: false }),
    wantsNoneAutomatic: await reader(market, { auto: true, wants: false }),
    deleted: await reader(market, { change: GONE }),
    skipped: await reader(market),
    skippedAutomatic: await reader(market, { auto: true }),
    skippedLater: await reader(market),
    ordered: await reader(market),
    canceled: await reader(market),
    movedAway: await reader(market, { change: { hub_id: other.hub.id } }),
  };
  const [next] = hub.deliveries;
  for (const { id } of [people.skipped, people.skippedAutomatic])
    await db.subscription_skip.create({
      data: { customer_id: id, delivery_id: next!.id, created_at: new Date(OPENED) },
    });
  await db.subscription_skip.create({
    data: {
      customer_id: people.skippedLater.id,
      delivery_id: hub.deliveries[1]!.id,
      created_at: new Date(OPENED),
    },
  });
  const product = market.eggs;
  await createOrder(db, { customerId: people.ordered.id, hub, product, status: "open" });
  await createOrder(db, { customerId: people.canceled.id, hub, product, status: "cancelled" });
  const hidden = await createProduct(db, hub.id);
  await db.vendor.update({ where: { id: hidden.vendor_id }, data: { is_published: false } });
  const ofHiddenVendor = await reader({ hub, eggs: hidden });
  const unsold = await createProduct(db, hub.id, { inventory: 0 });
  const soldOut = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  await db.cart.create({
    data: {
      customer_id: soldOut.id,
      updated_at: new Date(OPENED),
      items: {
        create: { variant_id: unsold.variant.id, quantity: 1, seen_price_cents: 650, created_at: new Date(OPENED) },
      },
    },
  });
  await sendReminders(contextAt(AUTO - Hour.ms));
  await sendReminders(contextAt(CUTOFF - Hour.ms));
  const mails = await Promise.all(
    Object.entries({ ...people, ofHiddenVendor, soldOut }).map(async ([name, { email }]) => [
      name,
      await mailsTo(email),
    ]),
  );
  expect(Object.fromEntries(mails)).toEqual({
    automatic: ["auto-checkout-soon"],
    automaticWithoutCart: ["auto-checkout-soon"],
    waitingCart: ["order-by-soon"],
    noCart: [],
    wantsNone: [],
    wantsNoneAutomatic: [],
    deleted: [],
    skipped: [],
    skippedAutomatic: [],
    skippedLater: ["order-by-soon"],
    ordered: [],
    canceled: ["order-by-soon"],
    movedAway: [],
    ofHiddenVendor: [],
    soldOut: [],
  });
});

test("reminder order-by-soon: a mail that waits is dropped when it no longer concerns its recipient", async () => {
  const market = await openHub();
  const [next] = market.hub.deliveries;
  const content = (customerId: number, at: number) =>
    deps.mailTemplates["order-by-soon"]!.content(deps, { deliveryId: next!.id, customerId }, new Date(at));
  const who = await reader(market);
  expect(await content(who.id, CUTOFF - 1)).toMatchObject({ subject: "Order by 1AM Wednesday" });
  expect(await content(who.id, CUTOFF)).toBeNull();
  const order = await createOrder(db, { customerId: who.id, hub: market.hub, product: market.eggs, status: "open" });
  expect(await content(who.id, CUTOFF - 1)).toBeNull();
  await db.order.update({ where: { id: order.id }, data: { status: "cancelled" } });
  expect(await content(who.id, CUTOFF - 1)).not.toBeNull();
  const elsewhere = await openHub();
  const moved = await reader(market, { change: { hub_id: elsewhere.hub.id } });
  const deleted = await reader(market, { change: GONE });
  for (const { id } of [moved, deleted]) expect(await content(id, CUTOFF - 1)).toBeNull();
  for (const [isPublished, isSent] of [
    [false, false],
    [true, true],
  ] as const) {
    await db.hub.update({ where: { id: market.hub.id }, data: { is_published: isPublished } });
    expect((await content(who.id, CUTOFF - 1)) !== null).toBe(isSent);
  }
  // The day was closed early, like with `market jobs run --at`.
  await runWeek(contextAt(CUTOFF));
  expect(await content(who.id, CUTOFF - 1)).toBeNull();
});

test("watched lines: come back once when in stock in the customer's market, with one mail to those who want it", async () => {
  const market = await openHub();
  const elsewhere = await openHub();
  const plums = await createProduct(db, market.hub.id, { inventory: 0, hubs: [market.hub.id, elsewhere.hub.id] });
  const at: Hub = { ...market, eggs: plums };
  const watching = { cart: { watching: true } };
  const [wants, wantsNone, away, gone] = [
    await reader(at, watching),
    await reader(at, { ...watching, wants: false }),
    await reader(at, { ...watching, change: { hub_id: elsewhere.hub.id } }),
    await reader(at, { ...watching, change: GONE }),
  ];
  const isWatching = async ({ id }: { id: number }) =>
    (await db.cart_item.findFirstOrThrow({ where: { cart: { customer_id: id } } })).watching;
  const state = () => Promise.all([wants, wantsNone, away, gone].map(isWatching));
  await sendReminders(contextAt(OPENED));
  expect(await state()).toEqual([true, true, true, true]);

  await setInventory(db, plums.variant.id, market.hub.id, 3);
  await db.product.update({ where: { id: plums.id }, data: { is_published: false } });
  await sendReminders(contextAt(OPENED));
  expect(await state()).toEqual([true, true, true, true]);

  await db.product.update({ where: { id: plums.id }, data: { is_published: true } });
  await db.vendor.update({ where: { id: plums.vendor_id }, data: { is_published: false } });
  await sendReminders(contextAt(OPENED));
  expect(await state()).toEqual([true, true, true, true]);
  await db.vendor.update({ where: { id: plums.vendor_id }, data: { is_published: true } });
  await sendReminders(contextAt(new Date(OPENED).getTime() + Minute.ms));
  expect(await state()).toEqual([false, false, true, true]);
  expect(await Promise.all([wants, wantsNone, away, gone].map(({ email }) => mailsTo(email)))).toEqual([
    ["back-in-stock"],
    [],
    [],
    [],
  ]);
  await sendReminders(contextAt(new Date(OPENED).getTime() + 2 * Minute.ms));
  expect(await mailsTo(wants.email)).toEqual(["back-in-stock"]);
});

test("back in stock: the email names the item once, and is not sent when the item or its vendor was hidden or it sold out meanwhile", async () => {
  const market = await openHub();
  const { hub } = market;
  const quinces = await createProduct(db, hub.id, { title: "Quinces", variants: [{ title: "Quinces" }] });
  const jam = await createProduct(db, hub.id, { title: "Jam", variants: [{ title: "Pint" }] });
  const figs = await createProduct(db, hub.id, { title: "Figs" });
  const pears = await createProduct(db, hub.id, { title: "Pears" });
  const nuts = await createProduct(db, hub.id, { title: "Nuts" });
  const readers = [];
  for (const eggs of [quinces, jam, figs, pears, nuts])
    readers.push(await reader({ hub, eggs }, { cart: { watching: true } }));
  await sendReminders(contextAt(new Date(OPENED).getTime() + 3 * Minute.ms));
  await db.offer.updateMany({ where: { variant_id: figs.variant.id }, data: { is_published: false } });
  await setInventory(db, pears.variant.id, hub.id, 0);
  await db.vendor.update({ where: { id: nuts.vendor_id }, data: { is_published: false } });
  await sendDueMail(deps);
  const sent = await mailsIn(dataDir);
  const subjectsTo = ({ email }: { email: string | null }) =>
    sent.filter(({ to }) => to?.[0]?.address === email).map(({ subject }) => subject);
  expect(readers.map(subjectsTo)).toEqual([["Quinces is back"], ["Jam, Pint is back"], [], [], []]);
  for (const { email } of readers.slice(2)) expect(await mailsTo(email)).toEqual(["back-in-stock"]);
});
