import { brotliDecompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { createCustomer, createHub, createProduct, createVendor, PASSWORD } from "../../test/factories.ts";
import { shopper } from "../../test/shopper.ts";

const { app, db, deps } = await buildTestApp();
const hub = await createHub(db);
const vendor = await createVendor(db, { name: "Rooted Acre" });
const { slug } = await db.vendor.findUniqueOrThrow({ where: { id: vendor.id } });
// Long enough that a response is still being compressed when its handler has returned.
await db.vendor.update({
  where: { id: vendor.id },
  data: { description: `<p>${"Greens, roots and herbs. ".repeat(900)}</p>` },
});
const products = [];
for (let n = 0; n < 24; n += 1)
  products.push(await createProduct(db, hub.id, { title: `Radishes ${n}`, vendorId: vendor.id }));
await db.collection.create({
  data: {
    slug: "produce",
    title: "Produce",
    products: { create: products.map(({ id }, position) => ({ product_id: id, position })) },
  },
});

async function read(cookie: string, url: string): Promise<unknown> {
  const response = await app.inject({ url: `/api${url}`, headers: { cookie, "accept-encoding": "br" } });
  expect([url, response.statusCode, response.headers["content-encoding"]]).toEqual([url, 200, "br"]);
  return JSON.parse(brotliDecompressSync(response.rawPayload).toString());
}

test("compression: a long response is complete, for a guest and for a customer", async () => {
  const guest = shopper(app);
  await guest.post("/auth/guest?zipCode=46032");
  const { email } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
  const customer = shopper(app);
  await customer.post("/auth/login", { username: email, password: PASSWORD });
  for (const cookie of [guest.cookieHeader(), customer.cookieHeader()]) {
    expect(await read(cookie, "/collections/produce/products?perPage=24")).toMatchObject({ totalRows: 24 });
    expect(await read(cookie, "/vendors")).toMatchObject([{ slug: slug }]);
    expect(await read(cookie, `/vendors/${slug}/products?perPage=24`)).toMatchObject({ totalResults: 24 });
  }
});
