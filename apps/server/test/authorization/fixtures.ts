import { randomUUID } from "node:crypto";

import { type Db, query, sql } from "@marketday/db";

import type { Deps } from "../../src/deps.ts";
import { vendorTokens, newUuid, sessionTokens } from "../../src/lib/tokens.ts";
import { asCustomerId, asGuestId } from "../../src/modules/identity/context.ts";
import { insertSession } from "../../src/modules/identity/session-store.ts";
import { createBundle, createCustomer, createHub, createOrder, createProduct } from "../factories.ts";

/** Visitors: `owner` is customer A, who owns the fixtures, `other` is customer B, `vendor` has the link of a mail. */
export const VISITORS = ["anonymous", "guest", "vendor", "other", "owner"] as const;
export type Visitor = (typeof VISITORS)[number];

/** Part of all data that only customer A may see. */
export const CANARY = /canary/i;

/** Public data of the market. */
export async function createMarket(db: Db) {
  const hub = await createHub(db, { name: "Carmel" });
  const farHub = await createHub(db, { name: "Boulder", zips: ["80301"] });
  const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 100_000 });
  const bundle = await createBundle(db, [hub.id], { items: [{ product: eggs }] });
  const collection = await db.collection.create({
    data: { slug: "pantry", title: "Pantry", products: { create: { product_id: eggs.id } } },
  });
  const post = await db.blog_post.create({
    data: {
      slug: "goats",
      title: "Goats",
      author: "Inez",
      publish_date: new Date("2026-11-01"),
      category: "blog",
      body: "They rest.",
    },
  });
  return { hub, farHub, eggs, bundle, collection, post };
}
export type Market = Awaited<ReturnType<typeof createMarket>>;

/** Customer A with one row of every kind, which the rows of the matrix request. */
export async function createFixtures(db: Db, { pepper, sessionSecrets }: Deps["env"], market: Market) {
  const { hub, eggs } = market;
  const a = await createCustomer(db, { pepper, hubId: hub.id, email: `canary.${randomUUID()}@example.com` });
  await db.customer.update({ where: { id: a.id }, data: { last_name: "Canary", phone: "317-555-0100 canary" } });
  await db.address.create({
    data: {
      customer_id: a.id,
      address: "7 Canary Street",
      city: "Carmel",
      state: "IN",
      zip_code: "46032",
      is_default: true,
    },
  });
  const order = await createOrder(db, { customerId: a.id, hub, product: eggs, status: "open" });
  const [method, second] = await Promise.all(
    ["canary-1", "canary-2"].map((ref, index) =>
      db.payment_method.create({
        data: {
          customer_id: a.id,
          provider: "test",
          provider_ref: `${ref}-${a.id}`,
          brand: "canary",
          last4: "4242",
          exp_month: 1,
          exp_year: 2031,
          is_default: index === 0,
        },
      }),
    ),
  );
  await db.subscription.create({
    data: { customer_id: a.id, variant_id: eggs.variant.id, quantity: 1, interval_weeks: 2 },
  });
  await db.favorite_product.create({ data: { customer_id: a.id, product_id: eggs.id } });
  const question = await db.question.create({
    data: { customer_id: a.id, product_id: eggs.id, question: "Does the canary sing?" },
  });
  const thread = await db.thread.create({
    data: {
      customer_id: a.id,
      vendor_id: eggs.vendor_id,
      messages: { create: { sender: "U", message: "The canary is well." } },
    },
  });
  const giftCard = await db.gift_card.create({
    data: {
      code_hash: newUuid(),
      amount_cents: 2500,
      buyer_id: a.id,
      recipient_email: "friend@example.com",
      deliver_on: new Date("2026-11-25"),
    },
  });
  const linkId = newUuid();
  const sessionId = newUuid();
  const owner = { customerId: asCustomerId(a.id) };
  await insertSession(db, { id: sessionId, owner, userAgent: "canary", now: new Date("2026-11-23T16:00:00Z") });
  await db.answer_link.create({
    data: {
      id: linkId,
      vendor_id: eggs.vendor_id,
      subject: "question",
      subject_id: question.id,
      created_at: new Date("2026-11-20T00:00:00Z"),
      expires_at: new Date("2027-01-01T00:00:00Z"),
    },
  });
  return {
    ...market,
    customerId: a.id,
    orderId: order.id,
    methodId: method!.id,
    secondMethodId: second!.id,
    giftCardId: giftCard.id,
    threadId: thread.id,
    questionId: question.id,
    vendorId: eggs.vendor_id,
    variantId: eggs.variant.id,
    /** One of A's sessions, in another browser. */
    sessionId,
    /** Token of a vendor's link to answer the question. */
    token: vendorTokens("answer", sessionSecrets).sign(linkId),
    /** An id of no row. */
    unknownUuid: newUuid(),
    freshEmail: () => `fresh.${randomUUID()}@example.com`,
  };
}
export type Fixtures = Awaited<ReturnType<typeof createFixtures>>;

/** The cookie of a new session; null for visitors without a session. */
export async function cookieOf(deps: Deps, visitor: Visitor, of: Fixtures, otherId: number): Promise<string | null> {
  if (visitor === "anonymous" || visitor === "vendor") return null;
  const now = deps.clock.now();
  const id = newUuid();
  const guestId = asGuestId(newUuid());
  if (visitor === "guest")
    await deps.db.guest.create({ data: { id: guestId, hub_id: of.hub.id, zip_code: "46032", created_at: now } });
  const owner =
    visitor === "guest" ? { guestId } : { customerId: asCustomerId(visitor === "owner" ? of.customerId : otherId) };
  await insertSession(deps.db, { id, owner, userAgent: "matrix", now });
  const tokens = sessionTokens(deps.env.sessionSecrets, deps.env.sessionAbsoluteDays);
  return `mkt_session=${tokens.sign({ sessionId: id, purpose: visitor === "guest" ? "guest" : "customer" })}`;
}

/** Every row of customer A, as text: requests of others must not change them. */
export async function ownedRows(db: Db, { customerId, orderId, threadId }: Fixtures): Promise<string[]> {
  const tables = await query<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.columns
        where table_schema = current_schema() and column_name = 'customer_id' and table_name <> 'session' order by 1`,
  );
  const rows = await db.$queryRawUnsafe<{ row: string }[]>(
    [
      ...tables.map(
        ({ name }) =>
          `select '${name} ' || to_jsonb(t)::text as row from "${name}" t where t.customer_id = ${customerId}`,
      ),
      `select 'customer ' || to_jsonb(t)::text from customer t where t.id = ${customerId}`,
      `select 'item ' || to_jsonb(t)::text from order_item t where t.order_id = ${orderId}`,
      `select 'message ' || to_jsonb(t)::text from message t where t.thread_id = ${threadId}`,
      `select 'session ' || s.id from session s where s.customer_id = ${customerId} and s.ended_at is null`,
    ].join(" union all "),
  );
  return rows.map(({ row }) => row).toSorted();
}
