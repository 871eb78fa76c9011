import { writeFileSync } from "node:fs";
import { join } from "node:path";

import { createCustomer, createHub, createOrder, createProduct } from "@marketday/server/testing/factories";
import { expect, test } from "vitest";

import { operatedMarket } from "../test/market.ts";

const market = await operatedMarket();
const { db } = market;

/** An order of a new customer with notes, and an add-on with others. */
async function notedOrder() {
  const hub = await createHub(db);
  const product = await createProduct(db, hub.id);
  const customer = await createCustomer(db, { hubId: hub.id, pepper: "p".repeat(32) });
  const { id } = await createOrder(db, { customerId: customer.id, hub, product, status: "open" });
  const addOn = await createOrder(db, { customerId: customer.id, hub, product, status: "open" });
  const address = { address: "12 Main Street", address2: "Apt 4", city: "Carmel", state: "IN", zipCode: "46032" };
  await db.order.update({
    where: { id },
    data: {
      delivery_notes: "Gate code 4471\nLeave in the cooler",
      address: { ...address, instructions: "Past the barn\nBlue door" },
    },
  });
  await db.order.update({ where: { id: addOn.id }, data: { delivery_notes: "Ring twice", add_on_to_id: id } });
  return { id, addOnId: addOn.id, customer, hub };
}

test("orders show: prints every line of the notes of the order and of its add-ons, then the directions", async () => {
  const { id, addOnId } = await notedOrder();
  for (const shown of [id, addOnId]) {
    const { out } = await market.run("orders", "show", String(shown));
    expect(out).toContain("Notes: Gate code 4471\n       Leave in the cooler\n       Ring twice\n");
  }
  const { out } = await market.run("orders", "show", String(id));
  expect(out).toContain("12 Main Street, Apt 4, Carmel, IN 46032\n");
  expect(out).toContain("Directions: Past the barn\n            Blue door\n");
  expect(out).toMatch(
    /^Items: \$.*\nHome delivery: (\$|Free).*\n(Tip for the driver: .*\n)?Processing fee: \$.*\nTax: \$.*\nTotal \$/m,
  );
  expect(await market.json("orders", "show", String(id))).toMatchObject({
    deliveryNotes: "Gate code 4471\nLeave in the cooler",
    boxNotes: "Gate code 4471\nLeave in the cooler\nRing twice",
  });
});

test("commands: arguments and options are understood with the marks and dashes of copied text", async () => {
  const { id, customer, hub } = await notedOrder();
  expect((await market.run("orders", "show", `\u202A${id}\u202C`)).out).toContain(`Order ${id} ·`);
  const list = (...args: string[]) =>
    market.json<{ id: number }[]>("orders", "list", "--hub", `${hub.slug}\u200B`, ...args);
  expect((await list("--customer", `${customer.email}\u00A0`)).map((order) => order.id)).toContain(id);
  expect((await list("--find", "gate\u00A0code\u200B")).map((order) => order.id)).toEqual([id]);
  const day = hub.deliveries[0]!.day.toISOString().slice(0, 10).replaceAll("-", "\u2011");
  expect((await list("--day", day)).map((order) => order.id)).toContain(id);
  const granted = await market.run(
    "credit",
    "grant",
    `\uFEFF${customer.email}`,
    "5.00\u200B",
    "--reason",
    "\u202Espoiled\u202C\neggs",
    "--yes",
  );
  expect(granted.code).toBe(0);
  expect(await db.audit_entry.findFirstOrThrow({ orderBy: { id: "desc" } })).toMatchObject({ reason: "spoiled\neggs" });
});

test("imports: cells are cleaned before they are checked, and kept without marks", async () => {
  const path = join(market.dir, "vendors-pasted.csv");
  const head = "slug,name,city,state,email,description";
  const row = `pasted\u2011farm\u200B,\u202APasted\u00A0Farm\u202C,"Carmel\nCity",IN,\u200Bhello@pasted.example\u00A0,"Eggs\u200B\r\nand milk"`;
  writeFileSync(path, `${head}\r\n${row}\r\n`);
  expect(await market.run("vendors", "import", path)).toMatchObject({ code: 0 });
  expect(await db.vendor.findFirstOrThrow({ where: { slug: "pasted-farm" } })).toMatchObject({
    name: "Pasted Farm",
    city: "Carmel City",
    email: "hello@pasted.example",
    description: "Eggs\nand milk",
  });
  const codes = join(market.dir, "codes-pasted.csv");
  writeFileSync(codes, `code,percent\r\nFALL\u201310\u200B,10\u00A0\r\n`);
  expect(await market.run("discounts", "import", codes)).toMatchObject({ code: 0 });
  expect(await db.discount_code.count({ where: { code: "FALL-10" } })).toBe(1);
});

test("imports: numbers, dates and amounts are read with full-width digits, special spaces and dashes", async () => {
  const hub = await createHub(db);
  const path = join(market.dir, "numbers-pasted.csv");
  const head = "slug,title,vendor,variant,hub,price,inventory,pre_order_date";
  writeFileSync(path, `slug,name,city,state\npear-farm,Pear Farm,Carmel,IN\n`);
  expect(await market.run("vendors", "import", path)).toMatchObject({ code: 0 });
  const rows = [
    "pears,Pears,pear-farm,Bag,HUB,\uFF04\uFF15.\uFF15\uFF10,\uFF11\uFF12,2026\u201112\u201103",
    "pears,,,Box,HUB,$\u00A07.50\u202C,\u0664,12/3/2026 0:00",
    "pears,,,Crate,HUB,9,5\u200B,2026-12-03T00:00:00",
  ].map((row) => row.replace("HUB", hub.slug));
  writeFileSync(path, [head, ...rows].join("\n"));
  expect(await market.run("products", "import", path)).toMatchObject({ code: 0, err: "" });
  const { variants } = await db.product.findUniqueOrThrow({
    where: { slug: "pears" },
    include: { variants: { orderBy: { position: "asc" }, include: { offers: true } } },
  });
  const day = new Date("2026-12-03T00:00:00Z");
  expect(
    variants.map(({ pre_order_date, offers: [offer] }) => [offer?.price_cents, offer?.inventory, pre_order_date]),
  ).toEqual([
    [550, 12, day],
    [750, 4, day],
    [900, 5, day],
  ]);
});

test("imports: a day that a spreadsheet counts and an address with a name or a link are refused with what was meant", async () => {
  const path = join(market.dir, "meant.csv");
  writeFileSync(path, "slug,title,vendor,variant,pre_order_date\nplums,Plums,pear-farm,Bag,46357\n");
  expect((await market.run("products", "import", path)).err).toContain(
    '"46357" should be a date such as 2026-11-26 or 11/26/2026. Did you mean 2026-12-01?',
  );
  for (const email of ["mailto:hello@fig.example", "Fig Farm <hello@fig.example>"]) {
    writeFileSync(path, `slug,name,city,state,email\nfig-farm,Fig Farm,Carmel,IN,${email}\n`);
    const { code, err } = await market.run("vendors", "import", path);
    expect([code, err]).toEqual([3, expect.stringContaining("Did you mean hello@fig.example?")]);
  }
});

test("imports: the items of a bundle are understood as people type them, and are stored in one form", async () => {
  const path = join(market.dir, "bundles-pasted.csv");
  const items = ["2\u00A0\u00D7 pears / Bag", "2x pears/Bag", "2 X pears / Bag", "2  x  pears  /\u00A0\u00A0Bag\u200B"];
  for (const [place, item] of items.entries()) {
    writeFileSync(path, `slug,title,items\npear-box,Pear box,${item}\n`);
    const { code, out } = await market.run("bundles", "import", path);
    expect([code, out]).toEqual([0, expect.stringContaining(place === 0 ? "1 bundle new" : "nothing was changed")]);
  }
  expect((await market.run("bundles", "export")).out).toContain("2 x pears / Bag");
});

test("doctor: an account whose stored email is not as it is typed is named with its number, until it is", async () => {
  const { customer } = await notedOrder();
  const clean = customer.email!;
  await db.customer.update({ where: { id: customer.id }, data: { email: `${clean}\u200B` } });
  const line = `customer ${customer.id}: ${clean}<U+200B> is ${clean} when it is typed`;
  const found = await market.run("doctor");
  expect([found.code, found.out]).toEqual([1, expect.stringContaining(line)]);
  await db.customer.update({ where: { id: customer.id }, data: { email: clean } });
  expect((await market.run("doctor")).out).not.toContain("when it is typed");
});

test("posts and banners whose stored title has special spaces and marks: their export is imported without a change or a second one", async () => {
  const title = "\u202AThe\u00A0hens\u200B are\u2009in 👨‍👩‍👧\u202C";
  await db.post.create({ data: { type: "staff-pick", title, subtitle: "", text: "", avatar_label: "" } });
  await db.banner.create({ data: { type: "information", title, body: "" } });
  for (const [kind, typed] of [
    ["posts", "type,title,text\nstaff-pick,The hens are in 👨‍👩‍👧,New.\n"],
    ["banners", "type,title,body\ninformation,The hens are in 👨‍👩‍👧,New.\n"],
  ] as const) {
    const path = join(market.dir, `${kind}-marked.csv`);
    await market.run(kind, "export", path);
    for (const flags of [[], ["--accept-names"]])
      expect([kind, (await market.run(kind, "import", path, ...flags)).out]).toEqual([
        kind,
        expect.stringContaining("nothing was changed"),
      ]);
    writeFileSync(path, typed);
    expect((await market.run(kind, "import", path)).out).toMatch(/0 \w+ new, 1 changed/);
    writeFileSync(path, typed.replace("The hens", "the Hens"));
    expect((await market.run(kind, "import", path)).err).toContain("is nearly the same name");
  }
  expect(await db.post.findMany({ where: { type: "staff-pick" } })).toMatchObject([{ text: "New." }]);
  expect(await db.banner.findMany()).toMatchObject([{ body: "New." }]);
});

test("a picture whose file has a special space in its name: an export that names it can be imported", async () => {
  const file = join(market.dir, "vendors.csv");
  const picture = await db.picture.create({
    data: { id: "0123456789abcdef", file: "0123456789abcdef-Screenshot 9.41.00\u202FAM.png", alt: "", thumbhash: "" },
  });
  await db.vendor.create({
    data: {
      slug: "fox-farm",
      hash: "fedcba9876543210",
      name: "Fox Farm",
      city: "Carmel",
      state: "IN",
      avatar_id: picture.id,
    },
  });
  expect((await market.run("vendors", "export", file)).code).toBe(0);
  expect(await market.run("vendors", "import", file)).toMatchObject({
    code: 0,
    out: expect.stringContaining("nothing was changed"),
  });
});
