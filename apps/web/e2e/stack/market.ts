import { addMs, Hour, Minute } from "@marketday/domain/time";

import { type Db, execute, sql } from "../../../../prisma/src/client.ts";
import { pictureFile, sharedPicture } from "../../../../scripts/demo/data/pictures.ts";
import {
  createCustomer,
  createHub,
  createHubNow,
  createProduct,
  createVendor,
  type ProductOptions,
} from "../../../server/test/factories.ts";
import { stock } from "./stock.ts";

/** An hour before the run: new in the feed, on whatever date it runs (`NEW_FOR_MS`). */
export const publishedAt = addMs(new Date(), -Hour.ms);

let zips = 0;
/** A ZIP code that only one hub serves: lower than any real one. */
export const newZip = (): string => {
  zips += 1;
  return String(zips).padStart(5, "0");
};

/** A product that is new in the hub. */
export const createNewProduct = (db: Db, hubId: number, options: ProductOptions = {}) =>
  createProduct(db, hubId, { publishedAt, ...options });

/** A hub, and a ZIP code that leads to it. */
export interface HubPlace {
  hub: { id: number; name: string };
  zip: string;
}

export interface MarketFacts extends HubPlace {
  /** A market that delivers elsewhere. */
  farHub: { id: number; name: string };
  products: { id: number; slug: string; title: string; variantId: number }[];
  collection: { slug: string; title: string };
  /** Has an account, a default address and nothing in the cart. */
  customer: { email: string; password: string; firstName: string };
}

/** Two markets of which one is full, a collection, posts, and a customer. The first one's next delivery is four days away. */
export async function fillMarket(db: Db, { pepper }: { pepper: string }, now: Date): Promise<MarketFacts> {
  const hub = await createHubNow(db, {
    name: "Carmel market",
    pickupPoints: 2,
    boundaries: ["POLYGON((-86.3 39.85, -86.0 39.85, -86.0 40.1, -86.3 40.1, -86.3 39.85))"],
  });
  const farHub = await createHub(db, {
    name: "Lakeside market",
    zips: ["60601"],
    lat: 41.88,
    lng: -87.62,
    pickupPoints: 0,
    now,
  });
  const vendors = [];
  for (const name of ["Rooted Acre Farm", "Pruitt Family Farm", "Hearth & Rye", "Beck’s Bees"])
    vendors.push(await createVendor(db, { name }));
  const products = [];
  for (const [place, [title, picture, priceCents, extra = {}]] of stock.entries()) {
    const product = await createNewProduct(db, hub.id, {
      title,
      vendorId: vendors[place % vendors.length]!.id,
      priceCents,
      salePriceCents: extra.sale ?? null,
      inventory: extra.inventory ?? 200,
    });
    await addPicture(db, product.id, picture);
    products.push({ id: product.id, slug: product.slug, title, variantId: product.variant.id });
  }
  const collection = await db.collection.create({
    data: {
      slug: "produce",
      title: "Produce",
      show_in_collections: true,
      products: { create: products.slice(0, 9).map(({ id }, position) => ({ product_id: id, position })) },
    },
  });
  await addPosts(db, hub.id, products[0]!.id);
  await db.blog_post.createMany({
    data: [
      ...Array.from({ length: 14 }, (_, index) => ({
        slug: `a-story-no-${index + 1}`,
        title: `A story, No. ${index + 1}`,
        author: "Inez Calloway",
        publish_date: new Date(Date.UTC(2026, 0, index + 1)),
        category: "blog",
        body: `${"We walked the rows before the sun was up. ".repeat(6)}\n\n<script>alert(1)</script>\n\n## After\n\nThen we [slept](/shop).`,
      })),
      {
        slug: "a-second-market",
        title: "A second market",
        author: "Marguerite Dahl",
        publish_date: new Date(Date.UTC(2026, 0, 20)),
        category: "news",
        body: "Lakeside has one, too.",
      },
    ],
  });
  const zip = await zipOf(db, hub.id);
  const customer = await createCustomer(db, { email: "robin@example.com", hubId: hub.id, pepper });
  await addAddress(db, customer.id, zip);
  // Hubs of tests have higher ids than the one that a test gives to the special hub.
  await execute(db, sql`select setval(pg_get_serial_sequence('hub', 'id'), 1000)`);
  return {
    hub: { id: hub.id, name: hub.name },
    zip,
    farHub: { id: farHub.id, name: farHub.name },
    products,
    collection: { slug: collection.slug, title: collection.title },
    customer: { email: "robin@example.com", password: "wheelbarrow", firstName: "Robin" },
  };
}

/** A post of a product's vendor, and one of the staff about the product. */
export async function addPosts(db: Db, hubId: number, productId: number): Promise<void> {
  const { vendor_id: vendorId } = await db.product.findUniqueOrThrow({ where: { id: productId } });
  const post = { hub_id: hubId, vendor_id: vendorId, created_at: addMs(new Date(), -Minute.ms) };
  await db.post.createMany({
    data: [
      { ...post, type: "vendor-post", title: "First frost held off", text: "We picked all night." },
      { ...post, type: "staff-pick", title: "Worth the trip", product_id: productId },
    ],
  });
}

async function addPicture(db: Db, productId: number, key: string): Promise<void> {
  const { id, alt, thumbhash } = sharedPicture(key);
  await execute(
    db,
    sql`insert into picture (id, alt, thumbhash, file) values (${id}, ${alt}, ${thumbhash}, ${`${id}-${pictureFile(key)}`}) on conflict (id) do nothing`,
  );
  await db.product_picture.create({ data: { product_id: productId, picture_id: id, position: 0 } });
}

/** The first ZIP code that a hub serves. */
export const zipOf = async (db: Db, hubId: number): Promise<string> =>
  (await db.hub_zip.findFirstOrThrow({ where: { hub_id: hubId }, orderBy: { zip_code: "asc" } })).zip_code;

/** A default address with this ZIP code. */
export async function addAddress(db: Db, customerId: number, zip: string): Promise<void> {
  await db.address.create({
    data: {
      customer_id: customerId,
      address: "12 Oak Street",
      city: "Carmel",
      state: "IN",
      zip_code: zip,
      is_default: true,
    },
  });
}
