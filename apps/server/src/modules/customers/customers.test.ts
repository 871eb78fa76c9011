import { Day, Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import {
  createAddress,
  createCustomer,
  createHub,
  createOrder,
  createProduct,
  setCard,
} from "../../../test/factories.ts";
import { counted, signIn } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { deleteAccount } from "../account/delete-account.ts";
import { collectData } from "../account/export-account.ts";
import { findCustomers } from "../account/find-customers.ts";
import { asCustomerId } from "../identity/context.ts";

const market = await buildTestApp();
const { db, deps, clock } = market;
const [carmel, geist] = [await createHub(db, { name: "Carmel" }), await createHub(db, { name: "Geist" })];
const [eggs, bread] = [
  await createProduct(db, carmel.id, { title: "Duck Eggs", priceCents: 700, inventory: 100 }),
  await createProduct(db, geist.id, { title: "Rye Bread", priceCents: 500, inventory: 100 }),
];

const create = async (data: object = {}, hubId: number | null = carmel.id) => {
  const { id } = await createCustomer(db, { hubId, pepper: deps.env.pepper });
  return db.customer.update({ where: { id }, data });
};
const lead = (hubId: number) => staffOf(market, { role: "hub_lead", hubId });
type Staff = Awaited<ReturnType<typeof lead>>;
const search = async (as: Staff, q: string, more = "") => {
  const { status, body, headers } = await as.get(`/customers?q=${encodeURIComponent(q)}${more}`);
  expect(status, JSON.stringify(body)).toBe(200);
  expect(headers["x-total-results"]).toBe(String(body.total));
  return body.customers as { id: number; found: string | null }[];
};
const ids = async (as: Staff, q: string, more = "") => (await search(as, q, more)).map(({ id }) => id);
const operator = () => ({ deps, now: clock.now(), actor: { type: "operator", name: "ada" } as const });

test("people: are found by name, email, phone in any way of writing it, a card's last four and an order number", async () => {
  const owner = await staffOf(market, "owner");
  const rosa = await create({
    first_name: "Rosalind",
    last_name: "Quince",
    email: "rosalind_q@quince.example",
    phone: "(317) 555-0142",
  });
  const other = await create({ first_name: "Rosa%", last_name: "Quincy", email: "rosalindxq@quince.example" });
  await setCard(db, rosa.id, "4000056655665556");
  const order = await createOrder(db, { customerId: rosa.id, hub: carmel, product: eggs });
  for (const text of ["ROSALIND quince", "  rosalind   Quince ", "rosalind_q@", "alind qui"])
    expect([text, await ids(owner, text)]).toEqual([text, [rosa.id]]);
  expect(await ids(owner, "quince.example")).toEqual([other.id, rosa.id]);
  // A percent sign is itself.
  expect(await ids(owner, "rosa%")).toEqual([other.id]);
  for (const text of ["317 555 0142", "+1 (317) 555-0142", "317.555.0142", "13175550142", "555-0142"])
    expect([text, await ids(owner, text)]).toEqual([text, [rosa.id]]);
  for (const text of ["5556", "card 5556", "**** 5556"])
    expect([text, await search(owner, text)]).toMatchObject([text, [{ id: rosa.id, found: "card 5556" }]]);
  const number = String(order.id);
  const groups = number.replaceAll(/(\d{3})(?=\d)/g, "$1 ");
  for (const text of [number, groups, `#${number}`, `order ${groups}`])
    expect([text, await search(owner, text)]).toMatchObject([text, [{ id: rosa.id, found: `order ${groups}` }]]);
  expect(await ids(owner, String(rosa.id))).toContain(rosa.id);
  expect(await ids(owner, "no such person")).toEqual([]);
  // The command is the same search.
  for (const text of ["5556", groups, "+1 317 555 0142", "rosalind quince"])
    expect((await findCustomers(db, text, 5)).map(({ id }) => id)).toEqual([rosa.id]);
});

test("people: the list shows boxes that were not cancelled, the last day and the credit, newest first, in pages", async () => {
  const owner = await staffOf(market, "owner");
  const who = await Promise.all(
    ["Pageant One", "Pageant Two", "Pageant Three"].map((name, place) =>
      create({
        first_name: name,
        last_name: "",
        credit_cents: 0,
        created_at: new Date(Date.now() + Day.ms + place * Minute.ms),
      }),
    ),
  );
  const [one] = who;
  for (const status of ["closed", "open", "cancelled"] as const)
    await createOrder(db, { customerId: one!.id, hub: carmel, product: eggs, status });
  const first = await owner.get("/customers?q=pageant&perPage=2");
  expect([first.headers["x-total-results"], first.body.customers.map(({ id }: { id: number }) => id)]).toEqual([
    "3",
    [who[2]!.id, who[1]!.id],
  ]);
  const second = await owner.get("/customers?q=pageant&perPage=2&page=2");
  expect(second.body).toEqual({
    total: 3,
    customers: [
      {
        id: one!.id,
        name: "Pageant One",
        email: one!.email,
        phone: "",
        hub: { id: carmel.id, slug: carmel.slug, name: "Carmel", timeZone: carmel.time_zone },
        orders: 2,
        lastDay: carmel.deliveries[0]!.day.toISOString().slice(0, 10),
        credit: 0,
        found: null,
      },
    ],
  });
  // Without a text: the newest. Those of other tests are from today at the latest.
  expect((await ids(owner, "")).slice(0, 3)).toEqual(who.map(({ id }) => id).toReversed());
});

test(
  "people: of another market are neither found nor read nor changed; who ordered there is read without the other orders",
  { tags: ["fail:G1"] },
  async () => {
    const [mine, theirs, both] = [await create(), await create({}, geist.id), await create({}, geist.id)];
    await setCard(db, theirs.id, "4000056655660008");
    const elsewhere = await createOrder(db, { customerId: both.id, hub: geist, product: bread, quantity: 3 });
    const hidden = await createOrder(db, { customerId: theirs.id, hub: geist, product: bread });
    const own = await createOrder(db, { customerId: both.id, hub: carmel, product: eggs });
    await db.problem_report.createMany({
      data: [elsewhere, own].map(({ id }) => ({ order_id: id, customer_id: both.id, message: `Broken ${id}` })),
    });
    await db.ledger_transaction.create({
      data: {
        kind: "refund",
        order_id: elsewhere.id,
        note: `order ${elsewhere.id}: stale bread`,
        created_at: clock.now(),
        entries: {
          createMany: {
            data: [
              { account: "store_credit", customer_id: both.id, amount_cents: 300 },
              { account: "refunds", amount_cents: -300 },
            ],
          },
        },
      },
    });
    await db.customer.update({ where: { id: both.id }, data: { credit_cents: 300 } });
    const as = await lead(carmel.id);
    for (const { email } of [mine, both]) expect(await ids(as, email!)).toHaveLength(1);
    for (const text of [theirs.email!, "0008", String(hidden.id), String(elsewhere.id)])
      expect([text, await ids(as, text)]).toEqual([text, []]);
    // A short number is in other people's addresses too.
    expect(await ids(as, String(theirs.id))).not.toContain(theirs.id);
    expect(await ids(as, both.email!, `&hub=${geist.slug}`)).toEqual([]);
    expect(await ids(await staffOf(market, "owner"), both.email!, `&hub=${geist.slug}`)).toEqual([both.id]);
    const day = geist.deliveries[0]!.id;
    const calls = [
      as.get(`/customers/${theirs.id}`),
      as.get(`/customers/${theirs.id}/boxes`),
      as.post(`/customers/${theirs.id}/credit`, { amount: 1, reason: "None" }),
      as.put(`/customers/${theirs.id}/skips/${day}`, { isSkipped: true }),
      as.put(`/customers/${theirs.id}/pause`, { autoCheckout: "off", expectedVersion: "none" }),
      as.post(`/customers/${theirs.id}/notes`, { text: "None" }),
      as.delete(`/customers/${theirs.id}/notes/1`),
    ];
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 404));

    const { body } = await as.get(`/customers/${both.id}`);
    expect(body).toMatchObject({ orderCount: 1, spent: 7, credit: 3, can: { grant: true, skip: false } });
    expect(body.orders).toMatchObject([{ id: own.id, units: 1, total: 7, status: "delivered" }]);
    expect(body.creditEntries).toMatchObject([{ what: "refund", reason: "", orderId: null, amount: 3 }]);
    expect(body.problems).toMatchObject([{ orderId: own.id, message: `Broken ${own.id}`, isOpen: true }]);
    // Their boxes come from the other market.
    expect((await as.get(`/customers/${both.id}/boxes`)).body).toEqual([]);
    const skipped = await as.put(`/customers/${both.id}/skips/${day}`, { isSkipped: true });
    expect([skipped.status, skipped.body[0]]).toEqual([403, "You may not do that in Geist."]);
    const all = await (await staffOf(market, "owner")).get(`/customers/${both.id}`);
    expect(all.body).toMatchObject({ orderCount: 2, spent: 22 });
    expect(all.body.creditEntries).toMatchObject([
      { what: "refund", reason: "stale bread", orderId: elsewhere.id, amount: 3 },
    ]);
  },
);

test("people: a person is shown with everything, sums agree, and text is text", async () => {
  const as = await lead(carmel.id);
  const hostile = "<img src=x onerror=alert(1)>";
  const friend = await create({ first_name: "Fay", last_name: "Oak" });
  const who = await create({ first_name: hostile, referred_by_id: friend.id, is_vegan: true });
  await createAddress(db, who.id);
  await setCard(db, who.id);
  await db.wagon_pass.create({
    data: {
      customer_id: who.id,
      plan: "yearly",
      status: "active",
      started_on: new Date("2026-01-02"),
      renews_on: new Date("2027-01-02"),
    },
  });
  const orders = [];
  for (const [place, status] of (["closed", "open", "cancelled"] as const).entries())
    orders.push(
      await createOrder(db, {
        customerId: who.id,
        hub: carmel,
        product: eggs,
        quantity: place + 1,
        status,
        createdAt: new Date(clock.now().getTime() + place * Minute.ms),
      }),
    );
  const addOn = await createOrder(db, { customerId: who.id, hub: carmel, product: eggs, status: "open" });
  await db.order.update({ where: { id: addOn.id }, data: { add_on_to_id: orders[1]!.id } });
  for (const amount of [500, 250])
    await as.post(`/customers/${who.id}/credit`, { amount: amount / 100, reason: hostile });
  await as.post(`/customers/${who.id}/notes`, { text: hostile });
  const { body } = await as.get(`/customers/${who.id}`);
  expect(body).toMatchObject({
    name: `${hostile} Baker`,
    addresses: [{ address: "12 Main Street", isDefault: true }],
    cards: [expect.stringMatching(/^Visa ending 4242, expires 12\/\d\d$/)],
    consent: { orderEmails: true, marketEmails: false, texts: false },
    autoCheckout: "off",
    isGlutenFree: false,
    isVegan: true,
    passUntil: "2027-01-02",
    referredBy: { id: friend.id, name: "Fay Oak" },
    deletedAt: null,
    orderCount: 3,
    spent: 28,
    credit: 7.5,
    notes: [{ text: hostile, by: "Ada Kowalski" }],
    can: { grant: true, grantLimit: 200, skip: true, export: false, delete: false },
  });
  expect(
    body.orders.map((order: { id: number; status: string; units: number; total: number }) => [
      order.id,
      order.status,
      order.units,
      order.total,
    ]),
  ).toEqual([
    [orders[2]!.id, "cancelled", 3, 21],
    [orders[1]!.id, "open", 3, 21],
    [orders[0]!.id, "delivered", 1, 7],
  ]);
  const entries = body.creditEntries as { amount: number; reason: string }[];
  expect(entries.reduce((sum, { amount }) => sum + amount, 0)).toBe(body.credit);
  expect(entries.map(({ amount, reason }) => [amount, reason])).toEqual([
    [2.5, hostile],
    [5, hostile],
  ]);
  const history = body.history as { kind: string; what: string; who: string | null }[];
  expect(history.filter(({ kind }) => kind === "audit").map(({ what, who: by }) => [what, by])).toEqual([
    ["customers note", "Ada Kowalski"],
    ["credit grant", "Ada Kowalski"],
    ["credit grant", "Ada Kowalski"],
  ]);
  expect(history.filter(({ what }) => what === "credit-granted")).toHaveLength(2);
});

test("people: the list and a person are one statement each at 1, 10 and 100 orders", async () => {
  const as = await staffOf(market, "owner");
  const who = await create();
  await as.get("/customers");
  let made = 0;
  for (const count of [1, 10, 100]) {
    for (; made < count; made += 1)
      await createOrder(db, { customerId: who.id, hub: carmel, product: eggs, status: "closed" });
    for (const url of [`/customers?q=${who.email!}`, "/customers", `/customers/${who.id}`]) {
      const { statements, answer } = await counted(market, () => as.get(url));
      expect(answer.status).toBe(200);
      const own = statements.filter((text) => !text.includes("staff_session"));
      expect([url, count, own.length]).toEqual([url, count, 1]);
    }
  }
  const { body } = await as.get(`/customers/${who.id}`);
  expect([body.orders.length, body.orderCount, body.spent]).toEqual([50, 100, 700]);
});

test("people: subscriptions and next boxes are those that the shopper's own page shows", async () => {
  clock.set(MONDAY);
  const hub = await createHub(db, { name: "Fishers" });
  const honey = await createProduct(db, hub.id, { title: "Honey", priceCents: 900, inventory: 50 });
  const milk = await createProduct(db, hub.id, { title: "Milk", priceCents: 400, inventory: 50 });
  const who = await signIn(market, { hubId: hub.id });
  await createAddress(db, who.customer.id);
  await setCard(db, who.customer.id);
  for (const [product, weeks, qty] of [
    [honey, 1, 2],
    [milk, 2, 1],
  ] as const) {
    const { status } = await who.post("/subscriptions", {
      productId: product.id,
      variantId: product.variant.id,
      qty,
      subscription_interval: weeks,
    });
    expect(status).toBe(200);
  }
  await who.put("/subscriptions/status", { enabled: true, status: 2 });
  const as = await lead(hub.id);
  const check = async () => {
    const own = (await who.get("/subscriptions/next-boxes")).body;
    const boxes = (await as.get(`/customers/${who.customer.id}/boxes`)).body;
    expect(boxes).toHaveLength(3);
    expect(boxes.map((box: Record<string, unknown>) => ({ ...box, deliveryId: undefined, isOpen: undefined }))).toEqual(
      own.map((box: Record<string, any>) => ({
        day: box["deliveryDate"],
        cutoffAt: box["cutoff"],
        autoCheckoutAt: box["autoCheckoutAt"],
        state: box["state"],
        isSkipped: box["isSkipped"],
        orderId: box["orderIds"][0] ?? null,
        items: box["lines"].map((line: { quantity: number; title: string }) => `${line.quantity} × ${line.title}`),
        total: box["orderTotal"],
      })),
    );
    const listed = (await who.get("/subscriptions")).body;
    const { subscriptions } = (await as.get(`/customers/${who.customer.id}`)).body;
    const nextOf = (rows: { title: string; next: string | null }[]) => rows.map(({ title, next }) => [title, next]);
    expect(nextOf(subscriptions)).toEqual(listed.map((row: any) => [row.product.title, row.nextDate]));
    return { boxes, subscriptions };
  };
  const { boxes, subscriptions } = await check();
  expect(subscriptions).toMatchObject([
    { kind: "product", title: "Honey", quantity: 2, every: 1, isPaused: false, next: boxes[0].day },
    { kind: "product", title: "Milk", quantity: 1, every: 2, isPaused: false, next: boxes[0].day },
  ]);
  expect(boxes.map(({ items }: { items: string[] }) => items.length)).toEqual([2, 1, 2]);
  await who.post("/subscriptions/skip", { deliveryDate: boxes[0].day, skip: true });
  expect((await check()).boxes[0]).toMatchObject({ state: "skipped", isSkipped: true, items: [] });
  await who.post("/subscriptions/pause", { variantId: honey.variant.id, until: "2026-12-20" });
  expect((await check()).subscriptions[0]).toMatchObject({ isPaused: true });
});

test(
  "people: a deleted account is found by its id and an order, and shown as deleted without data",
  { tags: ["fail:L2"] },
  async () => {
    const as = await lead(carmel.id);
    const who = await create({ first_name: "Gone", last_name: "Girl", phone: "317 555 7777" });
    const order = await createOrder(db, { customerId: who.id, hub: carmel, product: eggs });
    await createAddress(db, who.id);
    await as.post(`/customers/${who.id}/notes`, { text: "Her dog bites" });
    await as.post(`/customers/${who.id}/credit`, { amount: 3, reason: "Late" });
    const exported = await collectData(db, deps.env.dataDir, asCustomerId(who.id), clock.now());
    expect(exported["customer_note"]).toMatchObject([{ text: "Her dog bites" }]);
    expect(JSON.stringify(exported)).not.toContain(as.person.email);
    await deleteAccount(operator(), asCustomerId(who.id), "by request");
    for (const text of [who.email!, "Gone Girl", "317 555 7777"]) expect(await ids(as, text)).toEqual([]);
    expect(await search(as, String(order.id))).toMatchObject([{ id: who.id, name: "", email: "", phone: "" }]);
    expect(await ids(as, String(who.id))).toContain(who.id);
    const { body } = await as.get(`/customers/${who.id}`);
    expect(body).toMatchObject({
      name: "",
      email: "",
      phone: "",
      addresses: [],
      cards: [],
      notes: [],
      deletedAt: clock.now().toISOString(),
      orderCount: 1,
      can: { grant: false, skip: false, delete: false },
    });
    expect(JSON.stringify([body, await as.get("/actions").then((answer) => answer.body)])).not.toMatch(
      /Gone Girl|dog bites|Main Street|555 7777/,
    );
    expect((await as.get(`/customers/${who.id}/boxes`)).body).toEqual([]);
    const day = carmel.deliveries[0]!.id;
    const writes = await Promise.all([
      as.put(`/customers/${who.id}/skips/${day}`, { isSkipped: true }),
      as.put(`/customers/${who.id}/pause`, { autoCheckout: "cart", expectedVersion: body.version }),
      as.post(`/customers/${who.id}/notes`, { text: "Back again" }),
    ]);
    expect(writes.map((answer) => [answer.status, answer.body[0]])).toEqual(
      writes.map(() => [409, "This account is deleted."]),
    );
  },
);
