import { newUuid } from "../../src/lib/tokens.ts";
import { asCustomerId } from "../../src/modules/identity/context.ts";
import { insertSession } from "../../src/modules/identity/session-store.ts";
import type { TestMarket } from "../app.ts";
import { CARD_YEAR } from "../card-year.ts";
import { cardRef, createBundle, createHub, createOrder, createProduct, createVendor } from "../factories.ts";
import { signIn } from "../sign-in.ts";

const upTo = (n: number) => Array.from({ length: n }, (_, index) => index);
/** Zips around Carmel. */
const ZIPS = (
  "46032 46030 46031 46033 46034 46036 46037 46038 46040 46048 46055 46056 46060 46062 46064 46065 46068 46069 " +
  "46070 46071 46074 46075 46077"
).split(" ");
const YESTERDAY = new Date("2026-11-22T12:00:00Z");

/** A hub and a customer with `n` rows of everything that is listed. */
export async function makeWorld(market: TestMarket, n: number) {
  const { db } = market;
  const hub = await createHub(db, { pickupPoints: n, zips: ZIPS.slice(0, n) });
  for (const _ of upTo(n - 1)) await createHub(db);
  const browser = await signIn(market, { hubId: hub.id });
  /** Has orders and no subscriptions. */
  const buyer = await signIn(market, { hubId: hub.id });
  const { customer } = browser;
  const owner = { customer_id: customer.id };

  const vendors = [];
  for (const index of upTo(n)) vendors.push(await createVendor(db, { name: `Meadow ${index}` }));
  const [vendor] = vendors;
  const products = [];
  for (const index of upTo(n))
    products.push(
      await createProduct(db, hub.id, {
        vendorId: vendor!.id,
        title: `Pumpkin ${index}`,
        variants: upTo(index === 0 ? n : 1).map((size) => ({ title: `Size ${size}` })),
      }),
    );
  const otherProducts = [];
  for (const { id } of vendors.slice(1))
    otherProducts.push(await createProduct(db, hub.id, { vendorId: id, title: "Jam" }));
  /** Not for sale: its page shows only suggestions. */
  const unlisted = await createProduct(db, hub.id, { vendorId: vendor!.id, title: "Squash", offerIsPublished: false });
  const [product] = products;

  const bundles = [];
  for (const index of upTo(n))
    bundles.push(
      await createBundle(db, [hub.id], {
        items: (index === 0 ? products : products.slice(0, 1)).map((part) => ({ product: part })),
      }),
    );
  const collections = [];
  for (const index of upTo(n))
    collections.push(
      await db.collection.create({
        data: {
          slug: `shelf-${n}-${index}`,
          title: `Shelf ${index}`,
          show_in_collections: true,
          products: { create: (index === 0 ? products : products.slice(0, 1)).map(({ id }) => ({ product_id: id })) },
        },
      }),
    );

  const people = [];
  for (const index of upTo(n))
    people.push(await db.customer.create({ data: { email: `people${n}.${index}@example.com`, first_name: "Ray" } }));
  await db.review.createMany({
    data: people.map(({ id }) => ({ product_id: product!.id, customer_id: id, rating_halves: 8, comment: "Good" })),
  });
  await db.question.createMany({
    data: people.map(({ id }) => ({
      product_id: product!.id,
      customer_id: id,
      question: "Ripe?",
      answer: "Yes.",
      answered_at: YESTERDAY,
    })),
  });
  await db.referral.createMany({ data: people.map(({ id }) => ({ friend_id: id, referrer_id: customer.id })) });

  await db.favorite_product.createMany({ data: products.map(({ id }) => ({ ...owner, product_id: id })) });
  await db.follow.createMany({ data: vendors.map(({ id }) => ({ ...owner, vendor_id: id })) });
  await db.bundle_subscription.createMany({
    data: bundles.map(({ id }) => ({ ...owner, bundle_id: id, interval_weeks: 1 })),
  });
  await db.subscription.createMany({
    data: products.map(({ variant }) => ({ ...owner, variant_id: variant.id, quantity: 1, interval_weeks: 1 })),
  });
  const orders = [];
  for (const each of products) orders.push(await createOrder(db, { customerId: customer.id, hub, product: each }));
  for (const each of products)
    await createOrder(db, { customerId: buyer.customer.id, hub, product: each, quantity: 3 });
  const [order] = orders;
  await db.order_item.createMany({
    data: otherProducts.map(({ variant, vendor_id }) => ({
      order_id: order!.id,
      variant_id: variant.id,
      vendor_id,
      product_title: "Jam",
      variant_title: "Each",
      quantity: 1,
      quantity_ordered: 1,
      list_price_cents: 650,
      unit_price_cents: 650,
      commission_ppm: 0,
    })),
  });
  const threads = [];
  for (const [index, { id }] of vendors.entries())
    threads.push(
      await db.thread.create({
        data: {
          ...owner,
          vendor_id: id,
          messages: { create: upTo(index === 0 ? n : 1).map((line) => ({ sender: "U", message: `Line ${line}` })) },
        },
      }),
    );
  await db.gift_card.createMany({
    data: upTo(n).map((index) => ({
      buyer_id: customer.id,
      code_hash: `${customer.id}.${index}`,
      amount_cents: 5000,
      recipient_email: "ann@example.com",
      deliver_on: YESTERDAY,
    })),
  });
  await db.payment_method.createMany({
    data: upTo(n).map((index) => ({
      ...owner,
      provider: "test",
      provider_ref: cardRef("4242424242424242", `${customer.id}.${index}`),
      brand: "visa",
      last4: "4242",
      exp_month: 12,
      exp_year: CARD_YEAR,
    })),
  });
  // The first session is the browser's.
  for (const _ of upTo(n - 1))
    await insertSession(db, {
      id: newUuid(),
      owner: { customerId: asCustomerId(customer.id) },
      userAgent: "another browser",
      now: YESTERDAY,
    });

  await db.post.createMany({
    data: products.map(({ id }) => ({
      type: "vendor-post",
      vendor_id: vendor!.id,
      product_id: id,
      title: "From the field",
      created_at: YESTERDAY,
    })),
  });
  await db.banner.createMany({ data: upTo(n).map(() => ({ hub_id: hub.id, type: "information", title: "Mud" })) });
  await db.faq_entry.createMany({
    data: upTo(n).map(() => ({ question: "When?", answer: "Thursday.", trigger_phrases: [] })),
  });
  await db.blog_post.createMany({
    data: upTo(n).map((index) => ({
      slug: `post-${n}-${index}`,
      title: "Goats",
      author: "Inez",
      publish_date: new Date("2026-11-01"),
      category: "blog",
      body: "They rest.",
      vendor_id: vendor!.id,
    })),
  });
  await browser.put(
    "/cart",
    products.map((each) => each.line(1)),
  );
  const [bundle, collection, thread] = [bundles[0]!, collections[0]!, threads[0]!];
  return {
    browser,
    buyer,
    hub,
    vendor: vendor!,
    product: product!,
    unlisted,
    order: order!,
    bundle,
    collection,
    thread,
  };
}
export type World = Awaited<ReturnType<typeof makeWorld>>;
