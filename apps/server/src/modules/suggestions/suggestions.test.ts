import { Product } from "@marketday/contracts/products";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createProduct, createVendor, type ProductOptions } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db } = market;
const hub = await createHub(db);
const elsewhere = await createHub(db, { zips: ["60601"] });
const make = async (title: string, tags: string[], options: ProductOptions & { hubId?: number } = {}) => {
  const { hubId, ...rest } = options;
  const product = await createProduct(db, hubId ?? hub.id, { title, ...rest });
  await db.product.update({ where: { id: product.id }, data: { tags } });
  return product;
};
const titles = (answer: { body: Product[] }) => answer.body.map(({ title }) => title);

test(
  "suggestions: the hub's most similar products by collections, tags and vendor, in stock first, without the product itself",
  { tags: ["spec:7.6-06"] },
  async () => {
    const farm = await createVendor(db);
    const apples = await make("Apples", ["fruit", "organic"], { vendorId: farm.id });
    const pears = await make("Pears", ["fruit", "organic"]);
    const plums = await make("Plums", ["fruit"]);
    const cider = await make("Cider", ["drink"]);
    await make("Sold-out figs", ["fruit", "organic"], { vendorId: farm.id, inventory: 0 });
    // What is left in another hub does not count.
    const elsewhereLeft = await make("Far-left quince", ["fruit", "organic"], { inventory: 0 });
    await db.offer.create({
      data: { variant_id: elsewhereLeft.variant.id, hub_id: elsewhere.id, price_cents: 500, inventory: 9 },
    });
    await make("Candles", ["wax"], { vendorId: farm.id });
    await make("Nails", ["iron"]);
    await make("Far quinces", ["fruit", "organic"], { hubId: elsewhere.id });
    await make("Hidden grapes", ["fruit", "organic"], { isPublished: false });
    await make("Withdrawn cherries", ["fruit", "organic"], { offerIsPublished: false });
    const autumn = await db.collection.create({ data: { slug: "autumn", title: "Autumn" } });
    const secret = await db.collection.create({ data: { slug: "secret", title: "Secret", is_published: false } });
    for (const { id } of [apples, cider])
      await db.collection_product.create({ data: { collection_id: autumn.id, product_id: id } });
    for (const { id } of [apples, plums])
      await db.collection_product.create({ data: { collection_id: secret.id, product_id: id } });
    const guest = await guestOf(market, hub.id);
    const answer = await guest.get(`/products/${apples.id}/suggestions`);
    expect(Product.array().parse(answer.body)).toEqual(answer.body);
    expect(titles(answer)).toEqual(["Pears", "Cider", "Plums", "Candles", "Sold-out figs", "Far-left quince"]);
    expect((await guest.get(`/products/${apples.slug}/suggestions`)).body).toEqual(answer.body);

    const fan = await signIn(market, { hubId: hub.id });
    await fan.post(`/products/${pears.id}/favorite`);
    expect(
      (await fan.get(`/products/${apples.id}/suggestions`)).body.map(({ isFavorite }: Product) => isFavorite),
    ).toEqual([true, false, false, false, false, false]);
    expect((await guest.get(`/products/${apples.id}/suggestions`)).body).toEqual(answer.body);

    const farGuest = await guestOf(market, elsewhere.id);
    expect(titles(await farGuest.get(`/products/${apples.id}/suggestions`))).toEqual([
      "Far-left quince",
      "Far quinces",
    ]);
    expect((await market.shopper().get(`/products/${apples.id}/suggestions`)).body).toEqual([]);
  },
);

test(
  "suggestions: at most eight are returned, and an unknown or unpublished product returns 404",
  { tags: ["fail:G1"] },
  async () => {
    const alone = await make("Salt", ["salt"]);
    await make("Pepper", ["salt"]);
    const many = await make("Bread", ["bread"]);
    for (let n = 0; n < 12; n += 1) await make(`Loaf ${n}`, ["bread"]);
    const hidden = await make("Hidden", ["salt"], { isPublished: false });
    const fan = await signIn(market, { hubId: hub.id });
    expect(titles(await fan.get(`/products/${alone.id}/suggestions`))).toEqual(["Pepper"]);
    expect((await fan.get(`/products/${many.id}/suggestions`)).body).toHaveLength(8);
    const orphan = await make("Orphan", ["salt"]);
    await db.vendor.update({ where: { id: orphan.vendor_id }, data: { is_published: false } });
    for (const id of [999_999, hidden.id, orphan.id, "nothing", "%00"])
      for (const someone of [fan, market.shopper()])
        expect([id, (await someone.get(`/products/${id}/suggestions`)).status]).toEqual([id, 404]);
  },
);
