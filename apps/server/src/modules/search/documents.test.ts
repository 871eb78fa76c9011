import { execute, query, sql } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createProduct, createVendor, setInventory } from "../../../test/factories.ts";
import { findMatches } from "./search-sql.ts";

const market = await buildTestApp();
const { db } = market;
const hub = await createHub(db);
const otherHub = await createHub(db, { zips: ["60601"] });
const find = async (text: string, hubId = hub.id) =>
  (await findMatches(db, hubId, text, { offset: 0, rows: 18 })).product_ids;
const documents = () => query(db, sql`select * from search.document order by product_id`);
const members = () => query(db, sql`select * from search.member order by product_id, collection_id, hub_id`);
/** What `search.member` is derived from. */
const listedMembers = () =>
  query(
    db,
    sql`select distinct o.hub_id, cp.collection_id, cp.position, cp.product_id, cp.added_at
        from collection_product cp join product p on p.id = cp.product_id and p.is_published join vendor v on v.id = p.vendor_id and v.is_published
        join variant x on x.product_id = p.id join offer o on o.variant_id = x.id and o.is_published
        order by cp.product_id, cp.collection_id, o.hub_id`,
  );

test("search documents: published products are found at once, and withdrawn ones no longer, for every kind of change", async () => {
  const farm = await createVendor(db, { name: "Marigold Acres" });
  const pie = await createProduct(db, hub.id, {
    vendorId: farm.id,
    title: "Rhubarb Pie",
    variants: [{ title: "Small" }, { title: "Large" }],
  });
  expect(await find("rhubarb")).toEqual([pie.id]);
  expect(await find("marigold")).toEqual([pie.id]);
  expect(await find("rhubarb", otherHub.id)).toEqual([]);

  await db.product.update({
    where: { id: pie.id },
    data: { title: "Gooseberry Pie", tags: ["dessert"], description: "<p>Tart.</p>" },
  });
  expect([await find("rhubarb"), await find("gooseberry"), await find("dessert"), await find("tart")]).toEqual([
    [],
    [pie.id],
    [pie.id],
    [pie.id],
  ]);
  await db.vendor.update({ where: { id: farm.id }, data: { name: "Bluebell Acres" } });
  expect([await find("marigold"), await find("bluebell")]).toEqual([[], [pie.id]]);

  const [small, large] = pie.variants;
  await db.offer.updateMany({ where: { variant_id: small!.id }, data: { is_published: false } });
  expect(await find("gooseberry")).toEqual([pie.id]);
  await db.variant.delete({ where: { id: large!.id } });
  expect(await find("gooseberry")).toEqual([]);
  await db.offer.updateMany({ where: { variant_id: small!.id }, data: { is_published: true } });
  expect(await find("gooseberry")).toEqual([pie.id]);
  await db.offer.updateMany({ where: { variant_id: small!.id }, data: { hub_id: otherHub.id } });
  expect([await find("gooseberry"), await find("gooseberry", otherHub.id)]).toEqual([[], [pie.id]]);

  await db.vendor.update({ where: { id: farm.id }, data: { is_published: false } });
  expect(await find("gooseberry", otherHub.id)).toEqual([]);
  await db.vendor.update({ where: { id: farm.id }, data: { is_published: true } });
  await db.product.update({ where: { id: pie.id }, data: { is_published: false } });
  expect(await find("gooseberry", otherHub.id)).toEqual([]);
  await db.product.update({ where: { id: pie.id }, data: { is_published: true } });
  expect(await find("gooseberry", otherHub.id)).toEqual([pie.id]);
  await db.offer.deleteMany({ where: { variant_id: small!.id } });
  expect(await find("gooseberry", otherHub.id)).toEqual([]);
  await db.product.delete({ where: { id: pie.id } });
  expect(await query(db, sql`select 1 from search.document where product_id = ${pie.id}::int`)).toEqual([]);
});

test("search documents: a change of stock by an order, or of a price, writes no document", async () => {
  const jam = await createProduct(db, hub.id, { title: "Quince Jam" });
  const before = await query(
    db,
    sql`select xmin::text, ctid::text from search.document where product_id = ${jam.id}::int`,
  );
  await setInventory(db, jam.variant.id, hub.id, 0);
  await db.offer.updateMany({ where: { variant_id: jam.variant.id }, data: { price_cents: 900, is_published: true } });
  await db.product.update({ where: { id: jam.id }, data: { badge: 3 } });
  expect(
    await query(db, sql`select xmin::text, ctid::text from search.document where product_id = ${jam.id}::int`),
  ).toEqual(before);
});

test("search documents: many rows changed by one statement are found, and the triggers write the same documents as a rebuild", async () => {
  const farm = await createVendor(db, { name: "Wholesale Fields" });
  await execute(
    db,
    sql`with p as (
          insert into product (slug, vendor_id, title, description, tags)
          select 'bulk-' || n, ${farm.id}::int, 'Bulk barley ' || n, '<p>By the sack &amp; more.</p>', array['grain'] from generate_series(1, 300) n returning id),
        x as (insert into variant (product_id, title) select id, 'Sack' from p returning id)
        insert into offer (variant_id, hub_id, price_cents, inventory) select x.id, h, 500, 9 from x, unnest(array[${hub.id}::int, ${otherHub.id}::int]) h`,
  );
  expect((await findMatches(db, hub.id, "barley", { offset: 0, rows: 5 })).total).toBe(300);
  expect((await findMatches(db, otherHub.id, "grain sack", { offset: 0, rows: 5 })).total).toBe(300);
  await execute(db, sql`update offer set is_published = false where hub_id = ${otherHub.id}::int`);
  expect((await findMatches(db, otherHub.id, "barley", { offset: 0, rows: 5 })).total).toBe(0);
  const incremental = await documents();
  await query(db, sql`select search.rebuild()::text`);
  expect(await documents()).toEqual(incremental);
  expect(incremental.length).toBeGreaterThan(300);
});

test("members of collections: after every kind of change they are the listed products, and the same as after a rebuild", async () => {
  const farm = await createVendor(db);
  const products = [];
  for (let n = 0; n < 6; n += 1)
    products.push(await createProduct(db, hub.id, { vendorId: farm.id, hubs: [hub.id, otherHub.id] }));
  const [shelf, other] = [
    await db.collection.create({ data: { slug: "members", title: "Members" } }),
    await db.collection.create({ data: { slug: "members-too", title: "Members too" } }),
  ];
  const expectDerived = async (size: number) => {
    const rows = await members();
    expect(rows).toEqual(await listedMembers());
    expect(rows).toHaveLength(size);
  };
  await db.collection_product.createMany({
    data: products.flatMap(({ id }, position) => [
      { collection_id: shelf.id, product_id: id, position },
      { collection_id: other.id, product_id: id, position: 9 - position },
    ]),
  });
  await expectDerived(24);
  const [first, second, third, fourth, fifth] = products;
  const key = (product: { id: number }) => ({
    collection_id_product_id: { collection_id: shelf.id, product_id: product.id },
  });
  await db.collection_product.update({ where: key(first!), data: { position: 40, added_at: new Date(0) } });
  await expectDerived(24);
  await db.collection_product.update({
    where: key(first!),
    data: { product_id: (await createProduct(db, hub.id)).id },
  });
  await expectDerived(23);
  await db.collection_product.delete({ where: key(second!) });
  await expectDerived(21);
  await db.offer.updateMany({
    where: { variant_id: third!.variant.id, hub_id: hub.id },
    data: { is_published: false },
  });
  await expectDerived(19);
  await db.offer.deleteMany({ where: { variant_id: third!.variant.id, hub_id: otherHub.id } });
  await expectDerived(17);
  await db.product.update({ where: { id: fourth!.id }, data: { is_published: false } });
  await expectDerived(13);
  await db.product.update({ where: { id: fourth!.id }, data: { is_published: true } });
  await expectDerived(17);
  await db.variant.delete({ where: { id: fourth!.variant.id } });
  await expectDerived(13);
  await db.product.delete({ where: { id: fifth!.id } });
  await expectDerived(9);
  await db.vendor.update({ where: { id: farm.id }, data: { is_published: false } });
  await expectDerived(1);
  await db.vendor.update({ where: { id: farm.id }, data: { is_published: true } });
  await expectDerived(9);
  await query(db, sql`select search.rebuild()::text`);
  await expectDerived(9);
  await db.collection.delete({ where: { id: shelf.id } });
  await expectDerived(6);
});

test("search documents: a product without tags is found by its other words", async () => {
  const farm = await createVendor(db, { name: "Tagless Farm" });
  await execute(
    db,
    sql`with p as (insert into product (slug, vendor_id, title) values ('tagless', ${farm.id}::int, 'Plain celery') returning id),
        x as (insert into variant (product_id, title) select id, 'Each' from p returning id)
        insert into offer (variant_id, hub_id, price_cents) select id, ${hub.id}::int, 500 from x`,
  );
  expect((await find("celery")).length).toBe(1);
  expect((await find("tagless")).length).toBe(1);
});

test("search documents: two concurrent transactions that publish one product in two hubs both succeed", async () => {
  const pear = await createProduct(db, hub.id, {
    title: "Comice Pears",
    hubs: [hub.id, otherHub.id],
    offerIsPublished: false,
  });
  for (let round = 0; round < 20; round += 1) {
    await db.offer.updateMany({ where: { variant_id: pear.variant.id }, data: { is_published: false } });
    await Promise.all(
      [hub.id, otherHub.id].map((id) =>
        execute(
          db,
          sql`update offer set is_published = true where variant_id = ${pear.variant.id}::int and hub_id = ${id}::int`,
        ),
      ),
    );
    expect([await find("comice"), await find("comice", otherHub.id)]).toEqual([[pear.id], [pear.id]]);
  }
});
