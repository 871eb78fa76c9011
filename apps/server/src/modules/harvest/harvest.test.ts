import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createOrder, createProduct } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { captureLog } from "../../../test/log-lines.ts";
import { SHORT_DAY, shortDay } from "../../../test/short-day.ts";
import { staffOf } from "../../../test/staff.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { weekMails } from "../week/mails.ts";
import { setArrivals } from "../week/set-arrivals.ts";

const { log, lines } = captureLog();
const points = failpoints();
const market = await buildTestApp({ overrides: { log, failpoint: points.at } });
const { db, deps, clock } = market;
const address = `http://127.0.0.1:${market.port}`;
const pathOf = (linkId: string) => `/farm/${vendorTokens("harvest", deps.env.sessionSecrets).sign(linkId)}`;

/** What was logged of the uses of a link. */
const usesOf = (linkId: string) =>
  lines
    .map((line) => JSON.parse(line) as { msg: string; linkId?: string; state?: string; method?: string })
    .filter((line) => line.msg === "vendor link" && line.linkId === linkId)
    .map(({ method, state }) => [method, state]);

type Fields = Record<string, string>;

/** The fields of a page's form as a browser has them. */
function fieldsOf(body: string): Fields {
  const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
  const inputs = [...body.matchAll(/<input [^>]+>/g)].map(([tag]) => [attribute(tag, "name"), attribute(tag, "value")]);
  const selects = [...body.matchAll(/<select ([^>]+)>(.*?)<\/select>/gs)].map(([, tag, options]) => [
    attribute(` ${tag}`, "name"),
    /<option selected>([^<]*)<\/option>/.exec(options!)?.[1] ?? "",
  ]);
  return Object.fromEntries([...inputs, ...selects]) as Fields;
}

/** A closed day with 5 eggs and 4 milk of a vendor, another vendor's jam, and the link that was mailed. */
async function scene() {
  const day = await shortDay(market, [[2], [1], [2]]);
  const { hub, deliveryId, vendor, variantId: eggs, shoppers } = day;
  const customerId = shoppers[0]!.customer.id;
  const order = async (title: string, quantity: number, vendorId?: number) => {
    const product = await createProduct(db, hub.id, { title, ...(vendorId && { vendorId }) });
    await createOrder(db, { customerId, hub, product, quantity, status: "closed" });
    return product;
  };
  const milk = (await order("Milk", 4, vendor.id)).variant.id;
  const jam = await order("Plum jam", 4);
  const share = { delivery_id: deliveryId, vendor_id: vendor.id };
  const link = await db.harvest_link.findFirstOrThrow({ where: share });
  const path = pathOf(link.id);
  const send = async (method: string, fields?: Fields) => {
    const response = await fetch(`${address}${path}`, {
      method,
      redirect: "manual",
      ...(fields && { body: new URLSearchParams(fields) }),
    });
    return { status: response.status, location: response.headers.get("location"), body: await response.text() };
  };
  const open = async (): Promise<Fields> => fieldsOf((await send("GET")).body);
  return {
    ...day,
    eggs,
    milk,
    jam,
    share,
    link,
    path,
    send,
    open,
    /** Opens the page, types these numbers and sends it. */
    report: async (came: Record<number, string>, reason?: string) =>
      send("POST", { ...(await open()), ...typed(came), ...(reason !== undefined && { reason }) }),
    shortages: () =>
      db.shortage.findMany({
        where: { delivery_id: deliveryId },
        select: { variant_id: true, came: true, of: true, state: true, reason: true, by_vendor: true, version: true },
        orderBy: { id: "asc" },
      }),
    arrival: () => db.vendor_arrival.findUnique({ where: { delivery_id_vendor_id: share } }),
    /** The market checks the vendor in. */
    checkIn: () =>
      setArrivals(
        { deps, now: clock.now(), actor: { type: "operator", name: "mara" } },
        { hub: hub.slug, day: SHORT_DAY, vendors: [vendor.id], hasArrived: true },
      ),
  };
}
const typed = (came: Record<number, string>): Fields =>
  Object.fromEntries(Object.entries(came).map(([variantId, text]) => [`came-${variantId}`, text]));
const counted = (variantId: number, came: number, of: number, change: object = {}) => ({
  variant_id: variantId,
  came,
  of,
  state: "counted",
  reason: "",
  by_vendor: true,
  version: 1,
  ...change,
});
const CHANGED = "The list or your numbers have changed since you opened this page.";

test(
  "harvest link: it is in the vendor's mail, and shows the vendor's items of that day: no other vendor, shopper, address or money",
  { tags: ["fail:N6"] },
  async () => {
    const { link, path, send, vendor, jam, shoppers, deliveryId } = await scene();
    const mail = await db.mail.findFirstOrThrow({
      where: { template: "vendor-order", data: { path: ["linkId"], equals: link.id } },
    });
    const content = () => weekMails["vendor-order"]!.content(deps, mail.data as never, clock.now());
    expect([mail.to_email, (await content())?.link?.path]).toEqual(["farm@example.com", path]);
    const page = await send("GET");
    expect(page.status).toBe(200);
    for (const shown of ["Eggs, Each", "5 ordered", "Milk", vendor.name, deps.env.supportEmail])
      expect(page.body).toContain(shown);
    const other = await db.vendor.findUniqueOrThrow({ where: { id: jam.vendor_id } });
    const customers = await db.customer.findMany({
      where: { id: { in: shoppers.map(({ customer }) => customer.id) } },
    });
    const orders = await db.order.findMany({ where: { delivery_id: deliveryId } });
    const secrets = [
      "Plum jam",
      other.name,
      other.slug,
      "$",
      ...orders.map(({ id }) => String(id)),
      ...orders.flatMap(({ address }) => Object.values((address ?? {}) as object).filter((text) => text.length > 2)),
      ...customers.flatMap(({ email, first_name, last_name, phone }) => [email, first_name, last_name, phone]),
    ].filter((text): text is string => !!text);
    for (const secret of secrets) expect([secret, page.body.includes(secret)]).toEqual([secret, false]);
    expect(page.body).not.toMatch(/<script|<nav|href="[/h]/);
    expect(usesOf(link.id)).toEqual([["GET", "open"]]);
    expect(lines.join("")).not.toContain(path.slice("/farm/".length));
    await db.harvest_link.update({ where: { id: link.id }, data: { revoked_at: clock.now() } });
    expect((await content())?.link).toBeUndefined();
  },
);

test(
  "harvest link: previews and HEAD change nothing, other methods are refused, and each use is logged",
  { tags: ["fail:N6"] },
  async () => {
    const { link, send, arrival, shortages } = await scene();
    expect((await send("HEAD")).status).toBe(200);
    expect((await send("GET")).status).toBe(200);
    for (const method of ["PUT", "DELETE", "PATCH"]) expect((await send(method)).status).toBe(404);
    expect([await arrival(), await shortages()]).toEqual([null, []]);
    expect(usesOf(link.id).map(([, state]) => state)).toEqual(["open", "open"]);
  },
);

test("harvest link: all that is ordered is confirmed with one button, and the market sees by whom", async () => {
  const { hub, vendor, eggs, milk, report, arrival, shortages, send } = await scene();
  const { status, location } = await report({});
  expect([status, location]).toEqual([303, expect.stringMatching(/^\/farm\//)]);
  const confirmed = {
    confirmed_at: clock.now(),
    confirmed_by: `vendor:${vendor.slug}`,
    confirmed_units: { [eggs]: 5, [milk]: 4 },
  };
  expect(await arrival()).toMatchObject({ ...confirmed, version: 1 });
  expect(await shortages()).toEqual([]);
  expect((await send("GET")).body).toContain("<h1>Thanks, the market has your numbers</h1>");
  const lead = await staffOf(market, { role: "depot_lead", hubId: hub.id });
  const { vendors } = (await lead.get(`/hubs/${hub.slug}/days/${SHORT_DAY}`)).body;
  expect(vendors.find(({ id }: { id: number }) => id === vendor.id).confirmed.by).toBe(vendor.name);
  // Sent again, it changes nothing.
  clock.advance(1_000);
  expect((await report({})).status).toBe(303);
  expect(await arrival()).toMatchObject({ ...confirmed, version: 1 });
});

test("harvest link: fewer is a count for the market, which all again removes", async () => {
  const { eggs, milk, vendor, report, shortages, arrival, open, as, url } = await scene();
  await report({ [eggs]: "3" }, "Bad weather");
  const three = counted(eggs, 3, 5, { reason: "Bad weather" });
  expect(await shortages()).toEqual([three]);
  expect((await as.get(url)).body.shortages).toMatchObject([
    { came: 3, of: 5, countedBy: vendor.name, refundTo: "card", bearer: "vendor" },
  ]);
  expect(await open()).toMatchObject({ [`came-${eggs}`]: "3", [`came-${milk}`]: "4" });
  // Another item later: the count that stays keeps its reason and version.
  await report({ [milk]: "0" }, "Our animals produced less");
  const zero = counted(milk, 0, 4, { reason: "Our animals produced less" });
  expect(await shortages()).toEqual([three, zero]);
  await report({ [eggs]: "5" });
  expect(await shortages()).toEqual([{ ...three, state: "removed", version: 2 }, zero]);
  expect(await arrival()).toMatchObject({ confirmed_units: { [eggs]: 5, [milk]: 4 }, version: 3 });
});

test("harvest link: the reason of what was lowered can be changed, and taken back", async () => {
  const { eggs, milk, open, report, send, shortages } = await scene();
  await report({ [eggs]: "3" });
  await report({ [milk]: "1" }, "Our animals produced less");
  const reason = async (text: string) => send("POST", { ...(await open()), [`reason-${eggs}`]: text });
  const one = counted(milk, 1, 4, { reason: "Our animals produced less" });
  expect((await reason("Bad weather")).status).toBe(303);
  expect(await shortages()).toEqual([counted(eggs, 3, 5, { reason: "Bad weather", version: 2 }), one]);
  expect(await open()).toMatchObject({ [`reason-${eggs}`]: "Bad weather", reason: "" });
  await reason("");
  expect(await shortages()).toEqual([counted(eggs, 3, 5, { version: 3 }), one]);
});

test(
  "harvest link: sent twice, also at once, it is one count, other counts keep their reason, and both see it saved",
  { tags: ["fail:N8"] },
  async () => {
    const { eggs, milk, open, report, send, shortages, arrival } = await scene();
    await report({ [milk]: "0" }, "Our animals produced less");
    const fields = { ...(await open()), ...typed({ [eggs]: "3" }), reason: "Bad weather" };
    const both = await Promise.all([send("POST", fields), send("POST", fields)]);
    const later = await send("POST", fields);
    expect([...both, later].map(({ status }) => status)).toEqual([303, 303, 303]);
    expect(await shortages()).toEqual([
      counted(milk, 0, 4, { reason: "Our animals produced less" }),
      counted(eggs, 3, 5, { reason: "Bad weather" }),
    ]);
    expect(await arrival()).toMatchObject({ version: 2 });
  },
);

test("harvest link: a page that was opened before another one was sent does not undo it", async () => {
  const { eggs, milk, open, report, send, shortages } = await scene();
  const old = await open();
  await report({ [eggs]: "3" });
  const { status, body } = await send("POST", { ...old, ...typed({ [milk]: "2" }) });
  expect([status, body]).toEqual([409, expect.stringContaining(CHANGED)]);
  expect(await shortages()).toEqual([counted(eggs, 3, 5)]);
  // What was typed on it is there to be sent, and the rest as it is now.
  const kept = fieldsOf(body);
  expect(kept).toMatchObject({ [`came-${eggs}`]: "3", [`came-${milk}`]: "2" });
  expect((await send("POST", kept)).status).toBe(303);
  expect(await shortages()).toEqual([counted(eggs, 3, 5), counted(milk, 2, 4)]);
});

test(
  "harvest link: what a person of the market has counted is shown to the vendor and not changed",
  { tags: ["fail:N8"] },
  async () => {
    const { eggs, milk, open, report, shortages, send, as, url, count } = await scene();
    const old = await open();
    await as.put(url, { ...count(4, 5), expectedVersion: null });
    const before = await shortages();
    const page = await send("GET");
    expect(page.body).toContain("The market has counted this.</small></span> <strong>4 of 5</strong>");
    expect(Object.keys(fieldsOf(page.body))).not.toContain(`came-${eggs}`);
    const { status, body } = await send("POST", { ...old, ...typed({ [eggs]: "2" }) });
    expect([status, body]).toEqual([409, expect.stringContaining(CHANGED)]);
    expect(body).toContain("You entered 2.");
    expect((await send("POST", { ...old, ...typed({ [milk]: "3" }) })).body).not.toContain("You entered");
    expect(await shortages()).toEqual(before);
    // A field that the page does not have changes nothing.
    expect((await report({ [eggs]: "1", [milk]: "4" })).status).toBe(303);
    expect(await shortages()).toEqual(before);
  },
);

test(
  "harvest link: the vendor and the market count at once: one count, and the other one sees it",
  { tags: ["fail:N8"] },
  async () => {
    const { eggs, open, shortages, send, as, url, count } = await scene();
    const fields = { ...(await open()), ...typed({ [eggs]: "3" }) };
    const [byVendor, byMarket] = await Promise.all([
      send("POST", fields),
      as.put(url, { ...count(4, 5), expectedVersion: null }),
    ]);
    const after = await shortages();
    expect(after).toHaveLength(1);
    if (after[0]!.by_vendor) {
      expect([byVendor.status, byMarket.status, after[0]!.came]).toEqual([303, 409, 3]);
      expect(byMarket.body[1].current.shortages).toMatchObject([{ came: 3 }]);
    } else {
      expect([byVendor.status, byMarket.status, after[0]!.came]).toEqual([409, 200, 4]);
      expect(byVendor.body).toContain("<strong>4 of 5</strong>");
    }
  },
);

test("harvest link: a count by the vendor that the market changes or removes is the market's decision", async () => {
  const { eggs, milk, open, report, shortages, send, as, url, count } = await scene();
  await report({ [eggs]: "3", [milk]: "1" });
  const old = await open();
  const { shortages: seen } = (await as.get(url)).body;
  const of = (variantId: number) => seen.find((each: { variantId: number }) => each.variantId === variantId);
  await as.put(url, { ...count(4, 5), expectedVersion: of(eggs).version });
  await as.post(`${url}/${of(milk).id}/remove`, { expectedVersion: of(milk).version });
  const before = await shortages();
  expect(before).toMatchObject([
    { came: 4, by_vendor: false },
    { came: 1, state: "removed" },
  ]);
  expect((await send("POST", old)).status).toBe(409);
  expect(await shortages()).toEqual(before);
  expect((await send("GET")).body).toContain("<strong>4 of 5</strong>");
});

test.each([
  ["too many", "6"],
  ["a negative number", "-1"],
  ["a word", "three"],
  ["nothing", ""],
  ["a part", "2.5"],
  ["a number with its unit", "3 boxes"],
])("harvest link: %s is refused at the number, what was typed stays, and nothing is stored", async (_, came) => {
  const { eggs, milk, report, shortages, arrival } = await scene();
  await report({ [milk]: "2" });
  const before = [await shortages(), await arrival()];
  const { status, body } = await report({ [eggs]: came, [milk]: "4" }, "Our animals produced less");
  expect([status, body]).toEqual([400, expect.stringContaining("Enter a whole number from 0 to 5.")]);
  expect(fieldsOf(body)).toMatchObject({
    [`came-${eggs}`]: came,
    // All of it again, instead of what is stored.
    [`came-${milk}`]: "4",
    reason: "Our animals produced less",
  });
  expect(body).toMatch(
    new RegExp(
      `<input id="came-${eggs}"[^>]* aria-describedby="of-${eggs} wrong-${eggs}" aria-invalid="true" autofocus>`,
    ),
  );
  expect([await shortages(), await arrival()]).toEqual(before);
});

test("harvest link: a form of a list that has changed since stores nothing, and all that was ordered is all again", async () => {
  const { eggs, milk, orders, open, send, shortages, arrival } = await scene();
  const old = await open();
  await db.order_item.updateMany({ where: { order_id: orders[0]![0]! }, data: { quantity: 1 } });
  const { status, body } = await send("POST", { ...old, ...typed({ [milk]: "3" }) });
  expect([status, body]).toEqual([409, expect.stringContaining(CHANGED)]);
  expect(fieldsOf(body)).toMatchObject({ [`came-${eggs}`]: "4", [`came-${milk}`]: "3" });
  expect(body).toContain("4 ordered now, 5 on your list");
  expect([await shortages(), await arrival()]).toEqual([[], null]);
});

test("harvest link: more of an item that is ordered after the vendor confirmed is to be confirmed again, also with less of another", async () => {
  const { orders, milk, report, send } = await scene();
  await report({});
  await db.order_item.updateMany({ where: { variant_id: milk }, data: { quantity: 2 } });
  const first = { where: { order_id: orders[0]![0]! } };
  await db.order_item.updateMany({ ...first, data: { quantity: 1 } });
  expect((await send("GET")).body).toContain("Thanks, the market has your numbers");
  await db.order_item.updateMany({ ...first, data: { quantity: 3, quantity_ordered: 3 } });
  expect((await send("GET")).body).toContain("More has been ordered since you confirmed.");
  await report({});
  expect((await send("GET")).body).toContain("Thanks, the market has your numbers");
});

test("harvest link: what the market noted before the cutoff is no confirmation by the link", async () => {
  const { hub, vendor, send } = await scene();
  const lead = await staffOf(market, { role: "depot_lead", hubId: hub.id });
  await lead.put(`/hubs/${hub.slug}/days/${SHORT_DAY}/vendors/${vendor.id}`, { isConfirmed: true, expectedVersion: 0 });
  expect((await send("GET")).body).toContain("Bringing less of something?");
});

test("harvest link: without an order anymore it lists nothing to send, and a form of any kind stores nothing", async () => {
  const { deliveryId, eggs, open, send, shortages, arrival, vendor } = await scene();
  const old = await open();
  await db.order.updateMany({ where: { delivery_id: deliveryId }, data: { status: "cancelled" } });
  const page = await send("GET");
  expect(page.body).toContain("No longer ordered: 5 on your list.");
  expect(page.body).not.toContain("<form");
  for (const fields of [old, { ...old, ...typed({ [eggs]: "2" }) }, {}]) {
    const { status, body } = await send("POST", fields);
    expect([status, body]).toEqual([409, expect.stringContaining("Your numbers were not saved")]);
    expect(body).toContain(vendor.name);
    expect(body).not.toMatch(/plum|vendors of the day/i);
  }
  expect([await shortages(), await arrival()]).toEqual([[], null]);
});

test(
  "harvest link: fields of another vendor's item change nothing, and an item that two vendors have is not changed here",
  { tags: ["fail:N6"] },
  async () => {
    const { jam, milk, hub, shoppers, open, send, shortages } = await scene();
    const jamId = jam.variant.id;
    const foreign = { [`came-${jamId}`]: "0", [`of-${jamId}`]: "4", [`version-${jamId}`]: "" };
    expect((await send("POST", { ...(await open()), ...foreign })).status).toBe(409);
    expect(await shortages()).toEqual([]);
    // The product was moved to another vendor after the first order.
    const product = await db.product.update({
      where: { id: (await db.variant.findUniqueOrThrow({ where: { id: milk } })).product_id },
      data: { vendor_id: jam.vendor_id },
      include: { variants: { include: { offers: true } } },
    });
    const moved = { ...product, variant: product.variants[0]! };
    const customerId = shoppers[1]!.customer.id;
    await createOrder(db, { customerId, hub, product: moved as never, quantity: 2, status: "closed" });
    const { body } = await send("GET");
    expect(body).toContain(
      "Also ordered from another vendor: please tell the market if less comes.</small></span> <strong>4</strong>",
    );
    expect(Object.keys(fieldsOf(body))).not.toContain(`came-${milk}`);
  },
);

test("harvest link: after the market has checked the vendor in, it shows the numbers and changes none", async () => {
  const { eggs, open, checkIn, shortages, send, link } = await scene();
  const old = await open();
  await checkIn();
  const { status, body } = await send("POST", { ...old, ...typed({ [eggs]: "2" }) });
  expect([status, body]).toEqual([409, expect.stringContaining("The market has already checked you in.")]);
  expect(body).toContain("You entered 2.");
  expect(body).not.toContain("<form");
  expect((await send("GET")).body).toContain("The market has checked you in.");
  expect(await shortages()).toEqual([]);
  expect(usesOf(link.id)).toEqual([
    ["GET", "open"],
    ["POST", "arrived"],
    ["GET", "arrived"],
  ]);
});

test("harvest link: a check-in while the numbers are being stored takes them back, all of them", async () => {
  const { eggs, milk, open, checkIn, shortages, send, arrival } = await scene();
  const fields = { ...(await open()), ...typed({ [eggs]: "2", [milk]: "1" }) };
  points.passed.length = 0;
  let release = () => {};
  points.plan["harvest:counted"] = { until: new Promise<void>((resolve) => (release = () => resolve())) };
  const sending = send("POST", fields);
  await points.reached("harvest:counted");
  await checkIn();
  release();
  const { status, body } = await sending;
  delete points.plan["harvest:counted"];
  expect([status, body]).toEqual([409, expect.stringContaining("The market has already checked you in.")]);
  expect(await shortages()).toEqual([]);
  expect(await arrival()).toMatchObject({ arrived_at: expect.any(Date), confirmed_at: null, version: 1 });
});

test("harvest link: a server that fails between the counts and the confirmation stores neither, and it is sent again", async () => {
  const { eggs, milk, open, shortages, send, arrival } = await scene();
  const fields = { ...(await open()), ...typed({ [eggs]: "2", [milk]: "1" }) };
  points.plan["harvest:counted"] = "throw";
  expect((await send("POST", fields)).status).toBe(500);
  delete points.plan["harvest:counted"];
  expect([await shortages(), await arrival()]).toEqual([[], null]);
  expect((await send("POST", fields)).status).toBe(303);
  expect(await shortages()).toEqual([counted(eggs, 2, 5), counted(milk, 1, 4)]);
});

test(
  "harvest link: revoked, of an older address, or after its day in the market's zone, it shows and changes nothing; a forged one is unknown",
  { tags: ["fail:N6"] },
  async () => {
    const { open, shortages, arrival, send, link, vendor } = await scene();
    const fields = await open();
    const isDead = async (text: string) => {
      for (const { status, body } of [await send("GET"), await send("POST", fields)]) {
        expect([status, body]).toEqual([410, expect.stringContaining(text)]);
        expect(body).not.toContain("Eggs");
      }
    };
    // Indianapolis is 5 hours behind.
    clock.set("2026-11-27T04:59:00Z");
    expect((await send("GET")).status).toBe(200);
    clock.set("2026-11-27T05:00:00Z");
    await isDead("This day is over");
    clock.set("2026-11-25T12:00:00Z");
    const moveTo = (email: string) => db.vendor.update({ where: { id: vendor.id }, data: { email } });
    await moveTo("other@example.com");
    await isDead("This link no longer works");
    await moveTo("Farm@Example.com");
    expect((await send("GET")).status).toBe(200);
    // One that was given to a vendor without an address.
    await db.harvest_link.update({ where: { id: link.id }, data: { email: null } });
    expect((await send("GET")).status).toBe(200);
    await db.harvest_link.update({ where: { id: link.id }, data: { revoked_at: clock.now() } });
    await isDead("This link no longer works");
    expect([await shortages(), await arrival()]).toEqual([[], null]);
    const unknown = [
      `/farm/${link.id}.forged`,
      `/farm/${vendorTokens("harvest", ["another secret that is long enough to sign"]).sign(link.id)}`,
      `/farm/${vendorTokens("answer", deps.env.sessionSecrets).sign(link.id)}`,
      `/answer/${vendorTokens("harvest", deps.env.sessionSecrets).sign(link.id)}`,
    ];
    for (const path of unknown) expect([path, (await fetch(`${address}${path}`)).status]).toEqual([path, 404]);
  },
);
