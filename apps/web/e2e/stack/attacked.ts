import type { Db } from "../../../../prisma/src/client.ts";
import { attacks } from "../../../server/test/attacks.ts";
import { createCustomer, createHubNow, createVendor, PASSWORD } from "../../../server/test/factories.ts";
import { createNewProduct, newZip } from "./market.ts";

/** How many attacks a title holds. */
const IN_A_TITLE = 9;
let markets = 0;

/** What a market written by attackers shows, and where. */
export interface Attacked {
  hub: { id: number; name: string };
  customer: { email: string; password: string };
  vendor: { slug: string; name: string };
  products: { id: number; slug: string; title: string; variantId: number }[];
  collection: { slug: string; title: string };
  bundle: { slug: string; title: string };
  /** On the shop. */
  post: string;
  banner: string;
}

const at = (place: number): string => attacks[place % attacks.length] ?? "";

/** Names, titles, words and tags are attacks, each of them once at least; descriptions are this HTML. */
export async function fillAttacked(db: Db, pepper: string, html: string): Promise<Attacked> {
  markets += 1;
  const hub = await createHubNow(db, { name: `Market ${at(6)}`, zips: [newZip()] });
  const vendor = await createVendor(db, { name: at(10) });
  await db.vendor.update({ where: { id: vendor.id }, data: { city: at(9), description: html } });
  const products = [];
  for (let from = 0; from < attacks.length; from += IN_A_TITLE) {
    const some = attacks.slice(from, from + IN_A_TITLE);
    const title = some.join(" ");
    const { id, slug, variant } = await createNewProduct(db, hub.id, { title, vendorId: vendor.id });
    await db.product.update({
      where: { id },
      data: {
        description: html,
        new_description: html,
        tags: some,
        badge: 4,
        ribbon_type: "staff-pick",
        ribbon_text: some[0] ?? "",
        discount_notes: title,
        origin_country: "USA",
        origin_state: some[1] ?? "",
        origin_county: some[2] ?? "",
        processor: some[3] ?? "",
        ingredients: title,
      },
    });
    await db.variant.update({ where: { id: variant.id }, data: { title: some[4] ?? "Each", unit: some[5] ?? "each" } });
    products.push({ id, slug, title, variantId: variant.id });
  }
  const [first, second] = products;
  if (!first || !second) throw new Error("There are no attacks.");

  const collection = await db.collection.create({
    data: {
      slug: `attacked-${markets}`,
      title: at(20),
      description: html,
      show_in_collections: true,
      products: { create: products.map(({ id }, position) => ({ product_id: id, position })) },
    },
  });
  await db.collection.create({
    data: {
      slug: `attacked-child-${markets}`,
      title: at(21),
      parent_id: collection.id,
      show_in_collections: true,
      products: { create: { product_id: first.id } },
    },
  });
  const bundle = await db.bundle.create({
    data: {
      slug: `attacked-bundle-${markets}`,
      title: at(30),
      description: html,
      hubs: { create: { hub_id: hub.id } },
      items: { create: { variant_id: first.variantId } },
    },
  });
  await db.post.createMany({
    data: products.map(({ id, title }, place) => ({
      type: place % 2 === 0 ? "vendor-post" : "staff-pick",
      hub_id: hub.id,
      vendor_id: vendor.id,
      product_id: id,
      title: at(place),
      subtitle: at(place + 50),
      text: title,
      avatar_label: at(place + 90),
      created_at: new Date(Date.now() - 60_000),
    })),
  });
  await db.banner.createMany({
    data: [40, 41].map((place) => ({ hub_id: hub.id, type: "information", title: at(place), body: at(place + 2) })),
  });

  const customer = await createCustomer(db, { pepper, hubId: hub.id, firstName: at(5) });
  await db.favorite_product.create({ data: { customer_id: customer.id, product_id: first.id } });
  const people = await db.customer.createManyAndReturn({
    data: attacks.map((attack, place) => ({
      email: `attacker.${markets}.${place}@example.com`,
      first_name: attack,
      last_name: attack,
      hub_id: hub.id,
    })),
  });
  await db.review.createMany({
    data: people.map(({ id }, place) => ({
      customer_id: id,
      product_id: first.id,
      rating_halves: 9,
      comment: at(place).slice(0, 250),
    })),
  });
  await db.question.createMany({
    data: people.map(({ id }, place) => ({
      customer_id: id,
      product_id: first.id,
      question: at(place),
      answer: at(place + 1),
      answered_at: new Date(),
    })),
  });
  return {
    hub: { id: hub.id, name: hub.name },
    customer: { email: customer.email ?? "", password: PASSWORD },
    vendor: { slug: vendor.slug, name: vendor.name },
    products,
    collection: { slug: collection.slug, title: collection.title },
    bundle: { slug: bundle.slug, title: bundle.title },
    post: products.at(-1)?.title ?? "",
    banner: at(40),
  };
}
