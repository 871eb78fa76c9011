import { OrderList } from "@marketday/contracts/admin/order-list";
import { DayBoxes, OrderBox } from "@marketday/contracts/admin/orders";
import type { Prisma } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { addMs, Minute } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { counted } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { newUuid } from "../../lib/tokens.ts";
import { findRecalled } from "../orders/find-recalled.ts";

const market = await buildTestApp();
const { db, deps } = market;
const [carmel, bloom] = [await createHub(db, { name: "Carmel" }), await createHub(db, { name: "Bloomington" })];
const eggs = await createProduct(db, carmel.id, {
  title: "Brown Eggs",
  priceCents: 700,
  inventory: 500,
  hubs: [bloom.id],
});
const jam = await createProduct(db, carmel.id, { title: "Jam", priceCents: 500, inventory: 500, hubs: [bloom.id] });
const vendorOf = ({ vendor_id: id }: typeof eggs) => db.vendor.findUniqueOrThrow({ where: { id } });
const [eggVendor, jamVendor] = [await vendorOf(eggs), await vendorOf(jam)];
const DAY = dateFromUtc(carmel.deliveries[0]!.day);

type OrderData = Prisma.orderUncheckedUpdateInput;
interface Made {
  name?: string;
  phone?: string;
  email?: string;
  status?: "open" | "pending" | "closed" | "cancelled" | "future";
  product?: typeof eggs;
  hub?: typeof carmel;
  quantity?: number;
  /** Payment's provider and state; a charge that failed; paid by store credit without it. */
  pay?: "held" | "captured" | "door" | "declined" | "none" | "credit" | "written off";
  back?: "done" | "failed";
  of?: number;
  more?: OrderData;
}

let placed = 0;
/** An order of a new customer, or an add-on of theirs (`of`), a minute after the last one. */
async function order(made: Made = {}): Promise<number> {
  const { hub = carmel, product = eggs, pay = "credit" } = made;
  const box = made.of === undefined ? null : await db.order.findUniqueOrThrow({ where: { id: made.of } });
  const [firstName = "Robin", lastName = "Baker"] = (made.name ?? "Robin Baker").split(" ");
  const customerId =
    box?.customer_id ??
    (
      await createCustomer(db, {
        hubId: hub.id,
        firstName,
        pepper: deps.env.pepper,
        ...(made.email && { email: made.email }),
      })
    ).id;
  if (!box)
    await db.customer.update({ where: { id: customerId }, data: { last_name: lastName, phone: made.phone ?? null } });
  placed += 1;
  const createdAt = addMs(market.clock.now(), placed * Minute.ms);
  const { id, order_total_cents: cents } = await createOrder(db, {
    customerId,
    hub,
    product,
    quantity: made.quantity ?? 1,
    status: "open",
    createdAt,
  });
  const paymentId = newUuid();
  const isPaid = ["held", "captured", "door"].includes(pay);
  if (isPaid)
    await db.payment.create({
      data: {
        id: paymentId,
        customer_id: customerId,
        provider: pay === "door" ? "offline" : "test",
        state: pay === "captured" ? "captured" : "authorized",
        amount_cents: cents,
        captured_cents: pay === "captured" ? cents : 0,
        created_at: createdAt,
      },
    });
  await db.order.update({
    where: { id },
    data: {
      status: made.status ?? "open",
      address: {
        address: "1 Main Street",
        address2: "",
        city: "Carmel",
        state: "IN",
        zipCode: "46032",
        instructions: "",
      },
      add_on_to_id: made.of ?? null,
      ...(pay === "credit" && { credit_cents: cents }),
      ...(isPaid && { payment_id: paymentId }),
      ...(pay === "declined" && { charge_failed_at: createdAt, charge_error: "Your card was declined." }),
      ...(pay === "written off" && { written_off_at: createdAt }),
      ...made.more,
    },
  });
  if (made.back)
    await db.refund.create({
      data: {
        id: newUuid(),
        order_id: id,
        destination: isPaid ? "card" : "credit",
        payment_id: isPaid ? paymentId : null,
        kind: "goodwill",
        amount_cents: 100,
        reason: "broken",
        state: made.back,
        ...(made.back === "failed" && { failure: "The card is closed." }),
        created_at: createdAt,
      },
    });
  return id;
}

type Who = Awaited<ReturnType<typeof staffOf>>;
const owner = await staffOf(market, "owner");
const url = (q: string, more = "") => `/orders?q=${encodeURIComponent(q)}${more}`;
async function read(
  q: string,
  { who = owner, more = "&perPage=200" }: { who?: Who; more?: string } = {},
): Promise<OrderList> {
  const { status, body } = await who.get(url(q, more));
  expect([q, status, body]).toEqual([q, 200, expect.anything()]);
  return OrderList.parse(body);
}
const ids = async (q: string, who?: Who): Promise<number[]> =>
  (await read(q, { ...(who && { who }) })).orders.map(({ orderId }) => orderId);
const sorted = (of: readonly number[]) => of.toSorted((a, b) => a - b);

describe("orders list: status, money and sums", async () => {
  const pays = ["held", "captured", "door", "declined", "none", "credit", "written off"] as const;
  const statuses = ["open", "future", "pending", "closed", "cancelled"] as const;
  const hub = await createHub(db, { name: "Everything" });
  const product = await createProduct(db, hub.id, { priceCents: 700, inventory: 9_000 });
  let turn = 0;
  const cycle = <T>(of: readonly T[], step: number): T => of[Math.floor(turn / step) % of.length]!;
  for (; turn < pays.length * statuses.length * 2; turn += 1) {
    const back = cycle([undefined, undefined, "done", "failed"] as const, 1);
    const first = await order({
      hub,
      product,
      pay: cycle(pays, 1),
      status: cycle(statuses, pays.length),
      ...(back && { back }),
    });
    if (turn % 3 === 0)
      await order({ hub, product, of: first, pay: cycle(pays, 2), status: cycle(statuses, 3), quantity: 2 });
  }
  const { id, slug } = hub;

  for (const packUnpaid of [true, false])
    test(`agree with the list of the day and with each box, where unpaid orders are ${packUnpaid ? "" : "not "}packed`, async () => {
      await db.hub.update({ where: { id }, data: { pack_unpaid: packUnpaid } });
      const list = await read(`hub:${slug}`);
      const day = DayBoxes.parse((await owner.get(`/hubs/${slug}/days/${DAY}/boxes`)).body);
      const facts = (box: { orderId: number; status: string; units: number; total: number; money: object }) => [
        box.orderId,
        box.status,
        box.units,
        box.total,
        box.money,
      ];
      const byId = (rows: unknown[][]) => rows.toSorted(([a], [b]) => Number(a) - Number(b));
      expect(byId(list.orders.map(facts))).toEqual(byId(day.boxes.map(facts)));
      expect([list.sums.orders, list.sums.total, list.sums.due]).toEqual([day.boxes.length, day.total, day.due]);
      for (const row of list.orders) {
        const box = OrderBox.parse((await owner.get(`/orders/${row.orderId}`)).body);
        expect([
          box.id,
          box.status,
          box.total,
          box.money,
          box.lines.filter((each) => each.quantity > 0).length,
        ]).toEqual([row.orderId, row.status, row.total, row.money, row.lines]);
      }
      const states = new Set(list.orders.map(({ money }) => money.state));
      expect(states.size).toBeGreaterThan(6);
      for (const state of [
        "due",
        "declined",
        "back_failed",
        "back",
        "written_off",
        "held",
        "to_charge",
        "paid",
        "none",
      ])
        expect([state, sorted(await ids(`hub:${slug} money:${state}`))]).toEqual([
          state,
          sorted(list.orders.filter(({ money }) => money.state === state).map(({ orderId }) => orderId)),
        ]);
      for (const status of ["open", "packing", "delivered", "cancelled"])
        expect([status, sorted(await ids(`hub:${slug} status:${status}`))]).toEqual([
          status,
          sorted(list.orders.filter((row) => row.status === status).map(({ orderId }) => orderId)),
        ]);
      const owing = await read(`hub:${slug} owes:yes`);
      expect([owing.sums.due, owing.orders.length > 0]).toEqual([day.due, true]);
      expect((await read(`hub:${slug} owes:>10`)).orders.length).toBeLessThan(owing.orders.length);
      const live = list.orders.filter(({ status }) => status !== "cancelled");
      expect(list.sums.lines).toBe(live.reduce((sum, { lines }) => sum + lines, 0));
    });

  test("each sort has all boxes, in its order, the same on every page", async () => {
    const value: Record<string, (row: OrderList["orders"][number]) => number | string> = {
      day: ({ day }) => day,
      placed: ({ placedAt }) => placedAt,
      name: ({ name }) => name.toLowerCase(),
      total: ({ total }) => total,
      lines: ({ lines }) => lines,
    };
    const all = sorted(await ids(`hub:${slug}`));
    for (const column of ["day", "tote", "placed", "name", "total", "lines", "due"])
      for (const sort of [column, `-${column}`]) {
        const rows = (await read(`hub:${slug}`, { more: `&perPage=200&sort=${sort}` })).orders;
        expect([sort, sorted(rows.map(({ orderId }) => orderId))]).toEqual([sort, all]);
        const values = rows.map(value[column] ?? (() => 0));
        const ascending = values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
        expect([sort, values]).toEqual([sort, sort.startsWith("-") ? ascending.toReversed() : ascending]);
        const pages = [];
        for (const page of [1, 2, 3]) {
          const answer = await owner.get(url(`hub:${slug}`, `&perPage=30&page=${page}&sort=${sort}`));
          expect(answer.headers).toMatchObject({
            "x-total-results": String(all.length),
            "x-current-page": String(page),
          });
          pages.push(...answer.body.orders);
        }
        expect(pages.map(({ orderId }: { orderId: number }) => orderId)).toEqual(rows.map(({ orderId }) => orderId));
        expect((await owner.get(`/orders/ids?q=hub:${slug}&sort=${sort}`)).body.ids).toEqual(
          rows.map(({ orderId }) => orderId),
        );
      }
  });
});

describe("orders list: what is searched", async () => {
  const point = carmel.pickup_points[0]!;
  await db.pickup_point.update({ where: { id: point.id }, data: { name: "Broad Ripple Firehouse" } });
  const rosa = await order({ name: "Rosa Rivera", phone: "(317) 555-0142", email: "rosa.r@little-wagon.example" });
  const addOn = await order({ of: rosa, product: jam });
  const li = await order({
    name: "Li Wu",
    phone: "+1 463.555.9001",
    more: { address: { address: "14 Gate_100% Road", address2: "", city: "Westfield", state: "IN", zipCode: "46074" } },
  });
  const pickup = await order({
    name: "Sam Point",
    more: { type: "pickup", pickup_point_id: point.id, address: undefined },
  });
  const elsewhere = await order({ name: "Rosa Elsewhere", hub: bloom });
  const group = (id: number) => String(id).replace(/(\d{3})(?=\d)/g, "$1 ");

  test.each([
    ["a part of a name in any case", "rIVer", [rosa]],
    ["a first and a last name", "rosa rivera", [rosa]],
    ["a name of two letters", "wu", [li]],
    ["an email", "rosa.r@little-wagon.example", [rosa]],
    ["a phone number in another way of writing", "317.555.0142", [rosa]],
    ["a phone number with its country, in groups", "+1 317 555 0142", [rosa]],
    ["a part of a phone number with a country", "463 555", [li]],
    ["an order number in groups of three", group(rosa), [rosa]],
    ["the number of an add-on", String(addOn), [rosa]],
    ["an address", "gate_100% westfield", [li]],
    ["an address with a short word", "14 gate_100%", [li]],
    ["a pattern instead of text", "g_te%", []],
    ["SQL", "'; drop table orders; --", []],
    ["a pickup point", "firehouse", [pickup]],
    ["all words", "rosa elsewhere", [elsewhere]],
    ["a backslash", "\\", []],
  ])("%s", async (_, q, expected) => expect(sorted(await ids(q))).toEqual(sorted(expected)));

  test.each([
    ["point:firehouse", () => [pickup]],
    ["customer", () => [li]],
    ["way:pickup name", () => [pickup]],
  ])("token %s", async (token, expected) => {
    const { customer_id: customer } = await db.order.findUniqueOrThrow({ where: { id: li } });
    const q = token === "customer" ? `customer:${customer}` : token.replace("name", `hub:${carmel.slug}`);
    expect(await ids(q)).toEqual(expected());
  });

  test("without people.read a name and a number are found, a phone number, an email and an address are not, and none is shown", async () => {
    const auditor = await staffOf(market, "auditor");
    expect(await ids("rivera", auditor)).toEqual([rosa]);
    expect(await ids(String(rosa), auditor)).toEqual([rosa]);
    for (const q of ["317 555 0142", "rosa.r@little-wagon.example", "westfield", "14 gate_100%", "46074"])
      expect([q, await ids(q, auditor)]).toEqual([q, []]);
    const [row] = (await read("wu", { who: auditor })).orders;
    expect(row).toMatchObject({ name: "Li Wu", place: "Westfield" });
    expect((await read("wu")).orders[0]).toMatchObject({ place: "Westfield 46074" });
    const { body } = await auditor.get("/orders/suggestions?token=customer&text=wu");
    expect(body).toMatchObject([{ title: "Li Wu", detail: "" }]);
  });

  test("people are read in one market, orders in two: a phone number is only searched in the first", async () => {
    const both = await order({ name: "Kim Two", hub: bloom, phone: "812 555 7777" });
    const own = await order({ name: "Kim One", phone: "812 555 7778" });
    const mixed = await staffOf(market, { role: "hub_lead", hubId: carmel.id }, { role: "auditor", hubId: bloom.id });
    expect(sorted(await ids("kim", mixed))).toEqual(sorted([both, own]));
    expect(await ids("812 555", mixed)).toEqual([own]);
  });

  test("a person sees orders of their markets alone: another one is 404, and as a token empty", async () => {
    const lead = await staffOf(market, { role: "hub_lead", hubId: bloom.id });
    expect((await read("", { who: lead })).orders.every(({ hub }) => hub.id === bloom.id)).toBe(true);
    expect(await ids(`hub:${carmel.slug}`, lead)).toEqual([]);
    expect(await ids(String(rosa), lead)).toEqual([]);
    for (const path of [
      url("", `&hub=${carmel.slug}`),
      `/orders/ids?hub=${carmel.slug}`,
      `/orders.csv?hub=${carmel.slug}`,
      url("", "&hub=none"),
    ])
      expect([path, (await lead.get(path)).status]).toEqual([path, 404]);
    const seen = await read("", { who: lead, more: `&hub=${bloom.slug}` });
    expect([seen.all, seen.sums.orders]).toEqual([seen.orders.length, seen.orders.length]);
    const editor = await staffOf(market, "editor");
    expect((await editor.get(url(""))).status).toBe(403);
    await db.staff_grant.deleteMany({ where: { staff_id: lead.person.id } });
    await db.staff.update({ where: { id: lead.person.id }, data: { version: { increment: 1 } } });
    await market.waitForNotifications();
    expect((await lead.get(url(""))).status).toBe(403);
  });
});

describe("orders list: flags and items", async () => {
  const hub = await createHub(db, { name: "Flags" });
  const own = { hub, product: eggs };
  const first = await order({ ...own, more: { delivery_notes: "By the gate" } });
  const noted = await order({ ...own, of: first, product: jam, quantity: 3 });
  const auto = await order({ ...own, more: { source: "auto" } });
  const { customer_id: customer } = await db.order.findUniqueOrThrow({ where: { id: auto } });
  const second = await order(own);
  await db.order.update({ where: { id: second }, data: { customer_id: customer } });
  const inAddOn = await order(own);
  const addOn = await order({ ...own, of: inAddOn, product: jam, more: { delivery_notes: "Ring" } });
  await db.problem_report.create({ data: { order_id: addOn, customer_id: customer!, message: "Broken" } });
  await db.problem_report.create({
    data: { order_id: auto, customer_id: customer!, message: "Late", status: "closed" },
  });
  const cancelled = await order({ ...own, product: jam, status: "cancelled", quantity: 5 });
  const short = await order({ ...own, product: jam, quantity: 2 });
  await db.order_item.updateMany({ where: { order_id: short }, data: { quantity: 0 } });
  const q = `hub:${hub.slug}`;

  test.each([
    ["has:note", [first, inAddOn]],
    ["has:auto", [auto]],
    ["has:problem", [inAddOn]],
    ["has:note has:auto", [first, inAddOn, auto]],
    ["has:first", [first, auto, inAddOn, cancelled, short]],
    ["product:jam", [first, inAddOn]],
    ["product:jam status:cancelled", [cancelled]],
    [`product:${jam.slug} product:"brown egg"`, [first, auto, second, inAddOn]],
    [`vendor:${jamVendor.slug} product:eggs`, []],
    [`vendor:"${jamVendor.name}"`, [first, inAddOn]],
    ["product:none-such", []],
  ])("%s", async (tokens, expected) => {
    const list = await read(`${q} ${tokens}`);
    expect(sorted(list.orders.map(({ orderId }) => orderId))).toEqual(sorted(expected));
    for (const { orderId, flags } of list.orders)
      for (const { value } of tokens.startsWith("has:") && !tokens.includes(" ") ? [{ value: tokens.slice(4) }] : [])
        expect([orderId, flags]).toEqual([orderId, expect.arrayContaining([value])]);
  });

  test("has:note and the flag are also of boxes that the staff noted something for, until the note is removed", async () => {
    const staffed = await createHub(db, { name: "Staff notes" });
    const [box, plain] = [await order({ hub: staffed }), await order({ hub: staffed })];
    const { id } = await db.order_note.create({
      data: {
        order_id: box,
        kind: "inside",
        text: "Call first.",
        by: "staff:ada@example.com",
        created_at: market.clock.now(),
      },
    });
    const flagged = async () =>
      (await read(`hub:${staffed.slug}`)).orders
        .filter(({ flags }) => flags.includes("note"))
        .map(({ orderId }) => orderId);
    expect([await ids(`hub:${staffed.slug} has:note`), await flagged()]).toEqual([[box], [box]]);
    await db.order_note.update({ where: { id }, data: { removed_at: market.clock.now() } });
    expect([await ids(`hub:${staffed.slug} has:note`), await flagged()]).toEqual([[], []]);
    expect(sorted(await ids(`hub:${staffed.slug}`))).toEqual(sorted([box, plain]));
  });

  test("units that match are of the box and of all that match; without an item in the filter there are none", async () => {
    const list = await read(`${q} product:jam`, { more: "&sort=placed" });
    expect(list.orders.map(({ orderId, matchingUnits }) => [orderId, matchingUnits])).toEqual([
      [first, 3],
      [inAddOn, 1],
    ]);
    expect(list.sums.matchingUnits).toBe(4);
    expect((await read(q)).sums.matchingUnits).toBeNull();
    expect(noted).toBeGreaterThan(0);
  });

  test.each([
    ["a product", { product: jam.slug, vendor: null }, `product:${jam.slug}`],
    ["a vendor", { product: null, vendor: eggVendor.slug }, `vendor:${eggVendor.slug}`],
    ["both", { product: eggs.slug, vendor: eggVendor.slug }, `product:${eggs.slug} vendor:${eggVendor.slug}`],
  ])("orders recall and the list have the same boxes and units of %s between two days", async (_, which, tokens) => {
    const recalled = (await findRecalled(db, { ...which, from: DAY, to: DAY }))!;
    const list = await read(`${tokens} day:${DAY}..${DAY}`);
    const boxes = await db.order.findMany({ where: { id: { in: recalled.map((row) => row.order_id) } } });
    expect(sorted(list.orders.map(({ orderId }) => orderId))).toEqual(
      sorted([...new Set(boxes.map(({ id, add_on_to_id: box }) => box ?? id))]),
    );
    expect(list.sums.matchingUnits).toBe(recalled.reduce((sum, { units }) => sum + units, 0));
    expect(list.orders.length).toBeGreaterThan(1);
  });
});

test.each([
  ["an unknown token", "fruit:apple", "There is no filter “fruit”."],
  ["a bad date", "day:2026-02-30", "is not a date"],
  ["two mistakes", "status:lost tote:x", "Write the number of the tote"],
])("orders list: %s is refused with what to write instead", async (_, q, sentence) => {
  for (const path of ["/orders", "/orders/ids", "/orders.csv"]) {
    const { status, body } = await owner.get(`${path}?q=${encodeURIComponent(q)}`);
    expect([path, status, body[0]]).toEqual([path, 400, expect.stringContaining(sentence)]);
    expect(body[1]).toMatchObject({ code: "bad_filter", field: "q", problems: expect.any(Array) });
  }
});

test("orders list: 500 characters are read, 501 and an unknown sort are refused, a page beyond the end is empty", async () => {
  expect((await read(`${"a".repeat(499)}%`)).orders).toEqual([]);
  expect((await owner.get(url("a".repeat(501)))).status).toBe(400);
  expect((await owner.get(url("", "&sort=colour"))).status).toBe(400);
  expect((await owner.get(url("", "&page=0"))).status).toBe(400);
  const beyond = await read("", { more: "&page=9999" });
  expect([beyond.orders, beyond.sums.orders > 0]).toEqual([[], true]);
  expect((await read("", { more: "&perPage=5000" })).orders.length).toBeLessThanOrEqual(200);
});

test("orders list: at most two statements besides the session", async () => {
  const { statements } = await counted(market, () =>
    owner.get(url("rosa status:open vendor:a money:paid", "&perPage=200")),
  );
  expect(statements.filter((text) => !text.includes("staff_session")).length).toBeLessThanOrEqual(2);
});

test("orders list: tote, driver and stop are those of the sheets", async () => {
  const hub = await createHub(db, { name: "Sheets" });
  const [one, two] = [await order({ hub }), await order({ hub })];
  const [delivery] = hub.deliveries;
  const snapshot = await db.snapshot.create({
    data: {
      delivery_id: delivery!.id,
      hub_id: hub.id,
      day: delivery!.day,
      hub_name: hub.name,
      time_zone: hub.time_zone,
      cutoff_at: delivery!.cutoff_at,
      frozen_at: delivery!.cutoff_at,
      boxes: {
        create: [one, two].map((id, place) => ({ order_id: id, tote: 14 + place, name: "Robin", type: "delivery" })),
      },
      route_plan: { create: { drivers: 2, routes: [[two], [one]], planned_at: delivery!.cutoff_at } },
    },
  });
  expect(snapshot.version).toBe(1);
  const q = `hub:${hub.slug}`;
  expect((await read(`${q} tote:14`)).orders).toMatchObject([{ orderId: one, tote: 14, driver: 2, stop: 1 }]);
  expect(await ids(`${q} 15`)).toEqual([two]);
  expect(await ids(`${q} driver:1`)).toEqual([two]);
  const byTote = await read(q, { more: "&sort=-tote" });
  expect(byTote.orders.map(({ tote }) => tote)).toEqual([15, 14]);
});

test("orders list: suggestions are of the person's markets, those that begin with the text first", async () => {
  const suggested = async (token: string, text: string, who = owner) => {
    const { status, body } = await who.get(`/orders/suggestions?token=${token}&text=${encodeURIComponent(text)}`);
    expect(status).toBe(200);
    return body as { value: string; title: string; detail: string }[];
  };
  expect(await suggested("product", "egg")).toMatchObject([
    { value: eggs.slug, title: "Brown Eggs", detail: eggVendor.name },
  ]);
  expect((await suggested("vendor", eggVendor.slug))[0]).toMatchObject({ value: eggVendor.slug });
  expect(await suggested("day", DAY)).toMatchObject([{ value: DAY }]);
  expect(await suggested("status", "op")).toEqual([]);
  expect(await suggested("hub", "%")).toEqual([]);
  const lead = await staffOf(market, { role: "hub_lead", hubId: bloom.id });
  expect(await suggested("hub", carmel.slug, lead)).toEqual([]);
  expect(await suggested("hub", "bloom", lead)).toMatchObject([{ value: bloom.slug, title: "Bloomington" }]);
  expect((await suggested("point", "depot", lead)).map(({ detail }) => detail)).toEqual(["Bloomington"]);
  expect((await owner.get("/orders/suggestions?token=fruit&text=a")).body[1]).toMatchObject({ code: "bad_filter" });
});
