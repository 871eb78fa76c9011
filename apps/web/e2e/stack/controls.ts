import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import type { Role } from "@marketday/domain/staff";
import { addMs, Hour } from "@marketday/domain/time";

import { type Db, execute, query, sql, transaction } from "../../../../prisma/src/client.ts";
import { STAFF_COOKIE, staffTokens, vendorTokens } from "../../../server/src/lib/tokens.ts";
import { audit } from "../../../server/src/modules/doctor/violation-sql.ts";
import { asStaffId, type Context } from "../../../server/src/modules/identity/context.ts";
import { insertStaffSession } from "../../../server/src/modules/identity/staff-session-store.ts";
import { unsubscribeToken } from "../../../server/src/modules/mail/send-mail.ts";
import { createLink } from "../../../server/src/modules/staff/link-store.ts";
import { issueHarvestLink } from "../../../server/src/modules/week/harvest-links.ts";
import {
  createCustomer,
  createHub,
  createHubNow,
  createOrder,
  createVendor,
  type HubOptions,
  setCard,
  setInventory,
} from "../../../server/test/factories.ts";
import type { FakeStripe } from "../../../server/test/fake-stripe.ts";
import { fillAttacked } from "./attacked.ts";
import { createCatalogue } from "./catalogue.ts";
import { createDeliveryDay } from "./delivery-day.ts";
import { fillFeed } from "./feed.ts";
import { doHeldActions } from "./held-actions.ts";
import { createInbox, createQuestions } from "./inbox.ts";
import { createMarketWeek, ordersOf, passTime } from "./market-week.ts";
import { addAddress, createNewProduct, type MarketFacts, newZip, zipOf } from "./market.ts";
import type { MovingClock } from "./moving-clock.ts";
import { createPlacedDay } from "./placed-day.ts";
import { openShop } from "./shop.ts";
import { createStaffAction, endStaffAction } from "./staff-actions.ts";

/** What the controls reach. */
export interface Stack {
  db: Db;
  pepper: string;
  sessionSecrets: readonly string[];
  dataDir: string;
  market: MarketFacts;
  /** The fake Stripe, where the market pays through it. */
  stripe: FakeStripe | null;
  /** Waits until the server knows a new market. */
  hubIsOpen: (id: number) => Promise<void>;
  /** The server's. */
  address: string;
  /** The market's. */
  clock: MovingClock;
  /** As a job of the server has it, now. */
  context: () => Context;
  stopServer: () => Promise<void>;
  startServer: () => Promise<void>;
}

export interface OrderFacts {
  status: string;
  type: string;
  orderTotalCents: number;
  tipCents: number;
  email: string;
  items: { title: string; quantity: number; unitCents: number }[];
  /** The order's ledger entries, which must come to zero. */
  ledgerSum: number;
  ledgerEntries: number;
  attempts: number;
}

/** A card of the test provider. */
const NO_FUNDS = "4000000000009995";

interface Size {
  title: string;
  priceCents: number;
  salePriceCents?: number;
  inventory: number;
  /** YYYY-MM-DD */
  preOrderDate?: string;
}
interface ProductWords {
  description: string;
  new_description: string;
  tags: string[];
  badge: number;
  ribbon_type: string;
  ribbon_text: string;
  discount_notes: string;
  origin_county: string;
  origin_state: string;
  processor: string;
}

/** The test control channel: each function runs in the stack's process; `market.hub` is the hub of the test's `shop`, if it has one. */
export const controls = {
  /** The shopper answers the bank's question on Stripe's page; `secret` names the intent. */
  answerBank: async ({ stripe }: Stack, { secret, approve }: { secret: string; approve: boolean }) =>
    stripe?.answerBank(secret.split("_secret_")[0] ?? "", approve),
  /** What the fake Stripe holds and took. */
  stripeLedger: async ({ stripe }: Stack) => stripe?.ledger() ?? [],
  /** A separate product, so that tests do not take each other's stock; `far`: sold only in the other market, by the first product's vendor. */
  product: async (
    { db, market }: Stack,
    {
      far,
      hubId,
      ...input
    }: {
      title: string;
      inventory?: number;
      priceCents?: number;
      salePriceCents?: number;
      preOrderDate?: string;
      isPublished?: boolean;
      far?: boolean;
      hubId?: number;
    },
  ) => {
    const near = await db.product.findUniqueOrThrow({ where: { id: market.products[0]!.id } });
    const { id, slug, variant } = far
      ? await createNewProduct(db, market.farHub.id, { ...input, vendorId: near.vendor_id })
      : await createNewProduct(db, hubId ?? market.hub.id, input);
    return { id, slug, title: input.title, variantId: variant.id };
  },
  /** A separate vendor with this number of products. */
  vendor: async ({ db, market }: Stack, input: { name: string; products?: number; description?: string }) => {
    const { id } = await createVendor(db, { name: input.name });
    if (input.description !== undefined)
      await db.vendor.update({ where: { id }, data: { description: input.description } });
    for (let made = 1; made <= (input.products ?? 0); made += 1)
      await createNewProduct(db, market.hub.id, { title: `${input.name} No. ${made}`, vendorId: id });
    const { slug, hash } = await db.vendor.findUniqueOrThrow({ where: { id } });
    return { id, slug, hash, name: input.name };
  },
  /** Gives a product more pictures: those of the first products, in their order; answers their texts. */
  pictures: async ({ db, market }: Stack, { productId, count }: { productId: number; count: number }) => {
    const found = await db.product_picture.findMany({
      where: { product_id: { in: market.products.map(({ id }) => id) }, position: 0 },
      orderBy: { product_id: "asc" },
      include: { picture: true },
      take: count,
    });
    await db.product_picture.deleteMany({ where: { product_id: productId } });
    await db.product_picture.createMany({
      data: found.map(({ picture_id }, position) => ({ product_id: productId, picture_id, position })),
    });
    return found.map(({ picture }) => picture.alt);
  },
  /** Gives a vendor a hero picture and an avatar; answers the ids of both. */
  vendorPictures: async ({ db }: Stack, { id }: { id: number }) => {
    const [hero, avatar] = await db.picture.findMany({ orderBy: { id: "asc" }, take: 2 });
    if (!hero || !avatar) throw new Error("There are no pictures.");
    await db.vendor.update({ where: { id }, data: { hero_id: hero.id, avatar_id: avatar.id } });
    return { hero: hero.id, avatar: avatar.id };
  },
  /** News of the market, so many, a day apart, in place of those made before. */
  news: async ({ db }: Stack, { count }: { count: number }) => {
    await db.blog_post.deleteMany({ where: { slug: { startsWith: "news-no-" } } });
    await db.blog_post.createMany({
      data: Array.from({ length: count }, (_, index) => ({
        slug: `news-no-${index + 1}`,
        title: `News No. ${index + 1}`,
        author: "Marguerite Dahl",
        publish_date: new Date(Date.UTC(2025, 0, index + 1)),
        category: "news",
        body: "More soon.",
      })),
    });
    return null;
  },
  /** Orders of a customer that were cancelled, so many. */
  pastOrders: async (
    { db, market }: Stack,
    { customerId, title, count }: { customerId: number; title: string; count: number },
  ) => {
    const product = await createNewProduct(db, market.hub.id, { title });
    const hub = await db.hub.findUniqueOrThrow({
      where: { id: market.hub.id },
      include: { pickup_points: true, deliveries: { orderBy: { day: "asc" } } },
    });
    for (let made = 0; made < count; made += 1)
      await createOrder(db, { customerId, hub, product, status: "cancelled", quantity: made + 1 });
    return null;
  },
  /** A bundle of the first market, in the place of one with the same slug; `ingredients` are its products'. */
  bundle: async (
    { db, market }: Stack,
    input: {
      title: string;
      slug: string;
      discountPpm?: number;
      items: { variantId: number; quantity?: number; ingredients?: string }[];
    },
  ) => {
    const items = input.items.map(({ variantId, quantity = 1 }, position) => ({
      variant_id: variantId,
      quantity,
      position,
    }));
    await execute(db, sql`update bundle set slug = slug || '-' || id, is_published = false where slug = ${input.slug}`);
    const { id } = await db.bundle.create({
      data: {
        slug: input.slug,
        title: input.title,
        description: "<p>Everything for one pot.</p>",
        discount_ppm: input.discountPpm ?? 0,
        hubs: { create: { hub_id: market.hub.id } },
        items: { create: items },
      },
    });
    for (const { variantId, ingredients } of input.items)
      if (ingredients !== undefined)
        await db.product.updateMany({ where: { variants: { some: { id: variantId } } }, data: { ingredients } });
    return { id, slug: input.slug, title: input.title };
  },
  /** A customer of the hub, who lives where it delivers or in another ZIP code; the password is the one of `market.customer`. */
  customer: async (
    { db, market, pepper }: Stack,
    input: { firstName?: string; creditCents?: number; address?: boolean; hubId?: number; zipCode?: string },
  ) => {
    const { hubId = market.hub.id, zipCode = await zipOf(db, hubId) } = input;
    const { id, email } = await createCustomer(db, { pepper, hubId, zipCode, ...input });
    if (input.address) await addAddress(db, id, zipCode);
    return { id, email: email ?? "" };
  },
  /** What a customer is found by: a phone, and a saved card by its last four digits. */
  customerContact: async ({ db }: Stack, { id, phone, last4 }: { id: number; phone: string; last4: string }) => {
    await db.customer.update({ where: { id }, data: { phone } });
    await setCard(db, id, `400000000000${last4}`);
    return null;
  },
  /** A separate market with what a shopper wrote. */
  inbox: async ({ db, pepper, hubIsOpen }: Stack, input: { words: string }) => {
    const made = await createInbox(db, pepper, input);
    await hubIsOpen(made.hub.id);
    return made;
  },
  /** A separate market in which so many questions and problems wait for an answer. */
  questions: async ({ db, pepper, hubIsOpen }: Stack, input: Parameters<typeof createQuestions>[2]) => {
    const made = await createQuestions(db, pepper, input);
    await hubIsOpen(made.hubId);
    return made;
  },
  /** A separate market in which every text is an attack; `html` is stored as its descriptions. */
  attacked: async ({ db, pepper, hubIsOpen }: Stack, input: { html: string }) => {
    const made = await fillAttacked(db, pepper, input.html);
    await hubIsOpen(made.hub.id);
    return made;
  },
  /** A separate market with every kind of feed card. */
  feed: async ({ db, hubIsOpen }: Stack) => {
    const made = await fillFeed(db);
    await hubIsOpen(made.hub.id);
    return made;
  },
  /** Something the market has to say. */
  banner: async (
    { db }: Stack,
    { hubId, ...input }: { hubId: number; type: string; title: string; body?: string; action?: string },
  ) => {
    const position = await db.banner.count({ where: { hub_id: hubId } });
    await db.banner.create({ data: { hub_id: hubId, position, ...input } });
    return null;
  },
  /** Ratings of a product in half stars, each by another customer. */
  rate: async ({ db, pepper }: Stack, { productId, halves }: { productId: number; halves: number[] }) => {
    for (const rating_halves of halves) {
      const { id } = await createCustomer(db, { pepper, firstName: "Rae" });
      await db.review.create({ data: { customer_id: id, product_id: productId, rating_halves, comment: "Good." } });
    }
    return null;
  },
  /** What a vendor and the staff know of a product; its sizes, where there is more than one. */
  describe: async (
    { db, market }: Stack,
    { id, sizes = [], ...data }: { id: number; sizes?: Size[] } & Partial<ProductWords>,
  ) => {
    await db.product.update({ where: { id }, data });
    for (const [place, { title, priceCents, salePriceCents = null, inventory, preOrderDate }] of sizes.entries())
      await db.variant.create({
        data: {
          product_id: id,
          title,
          position: place + 1,
          pre_order_date: preOrderDate === undefined ? null : new Date(`${preOrderDate}T00:00:00Z`),
          offers: {
            create: {
              hub_id: market.hub.id,
              price_cents: priceCents,
              sale_price_cents: salePriceCents,
              inventory,
              adjustments: { create: { amount: inventory, reason: "received" } },
            },
          },
        },
      });
    return null;
  },
  /** Conversations of a customer with vendors of their own, a minute apart; the last is the newest. Gives their ids. */
  threads: async ({ db }: Stack, input: { email: string; messages: { sender: "C" | "U"; message: string }[][] }) => {
    const { id: customerId } = await db.customer.findUniqueOrThrow({ where: { email: input.email } });
    const ids: number[] = [];
    for (const [turn, messages] of input.messages.entries()) {
      const vendor = await createVendor(db, { name: `Stall ${customerId}-${turn + 1}` });
      const at = (minute: number) =>
        new Date(Date.now() - (input.messages.length - turn) * 3_600_000 + minute * 60_000);
      const thread = await db.thread.create({
        data: {
          customer_id: customerId,
          vendor_id: vendor.id,
          updated_at: at(messages.length),
          messages: { create: messages.map((message, minute) => ({ ...message, created_at: at(minute) })) },
        },
      });
      ids.push(thread.id);
    }
    return ids;
  },
  /** An address for a vendor's mails. */
  vendorEmail: async ({ db }: Stack, input: { id: number; email: string }) => {
    await db.vendor.update({ where: { id: input.id }, data: { email: input.email } });
    return null;
  },
  stock: async ({ db, market }: Stack, input: { variantId: number; inventory: number }) => {
    await setInventory(db, input.variantId, market.hub.id, input.inventory);
    return null;
  },
  stockOf: async ({ db, market }: Stack, { variantId }: { variantId: number }) => {
    const offer = await db.offer.findFirstOrThrow({ where: { variant_id: variantId, hub_id: market.hub.id } });
    return offer.inventory;
  },
  price: async ({ db, market }: Stack, input: { variantId: number; priceCents: number }) => {
    await execute(
      db,
      sql`update offer set price_cents = ${input.priceCents}::int where variant_id = ${input.variantId}::int and hub_id = ${market.hub.id}::int`,
    );
    return null;
  },
  order: async ({ db }: Stack, { id }: { id: number }): Promise<OrderFacts> => {
    const order = await db.order.findUniqueOrThrow({ where: { id }, include: { items: true, customer: true } });
    const [sums] = await query<{ total: number; entries: number }>(
      db,
      sql`select coalesce(sum(e.amount_cents), 0)::int as total, count(*)::int as entries
          from ledger_entry e join ledger_transaction t on t.id = e.transaction_id where t.order_id = ${id}::int`,
    );
    const attempts = await db.checkout_attempt.count({
      where: { customer_id: order.customer_id ?? 0, state: "placed" },
    });
    return {
      status: order.status,
      type: order.type,
      orderTotalCents: order.order_total_cents,
      tipCents: order.tip_cents,
      email: order.customer?.email ?? "",
      items: order.items.map((item) => ({
        title: item.product_title,
        quantity: item.quantity,
        unitCents: item.unit_price_cents,
      })),
      ledgerSum: sums?.total ?? Number.NaN,
      ledgerEntries: sums?.entries ?? 0,
      attempts,
    };
  },
  /** What time and operators would make of an order. Nothing charges it, so a closed one is set aside with the reason (V14). */
  orderStatus: async ({ db }: Stack, { id, status }: { id: number; status: "open" | "pending" | "closed" }) => {
    const [failedAt, error] = status === "closed" ? [new Date(), "Closed by a test."] : [null, null];
    await execute(
      db,
      sql`update orders set status = ${status}, charge_failed_at = ${failedAt}::timestamptz, charge_error = ${error}::text where id = ${id}::int`,
    );
    return null;
  },
  /** A separate market, so that tests of markets leave the others unchanged; without a `deliveryDay` its orders close days from now. */
  hub: async ({ db, hubIsOpen }: Stack, input: Omit<HubOptions, "now">) => {
    const options = { zips: [newZip()], ...input };
    const { id, name } = await (input.deliveryDay
      ? createHub(db, { ...options, now: new Date() })
      : createHubNow(db, options));
    await hubIsOpen(id);
    return { id, name };
  },
  /** Another hub with the same products, for a test that reads tiles, counts or their order (the fixture `shop`). */
  openShop: async ({ db, market, hubIsOpen }: Stack, { zip }: { zip: string | undefined }) => {
    const place = await openShop(db, market, zip);
    await hubIsOpen(place.hub.id);
    return place;
  },
  /** Takes a hub off the list of hubs. */
  closeHub: async ({ db }: Stack, { hubId }: { hubId: number }) => {
    await db.hub.update({ where: { id: hubId }, data: { is_published: false } });
    return null;
  },
  /** The market's next delivery closes in so many seconds; below zero it has closed already. */
  cutoffIn: async ({ db, hubIsOpen }: Stack, { hubId, seconds }: { hubId: number; seconds: number }) => {
    await execute(
      db,
      sql`update delivery set cutoff_at = date_trunc('second', now()) + ${seconds}::int * interval '1 second',
            auto_checkout_at = date_trunc('second', now()) + ${seconds}::int * interval '1 second' - interval '36 hours'
          where id = (select id from delivery where hub_id = ${hubId}::int and cutoff_at > now() order by cutoff_at limit 1)`,
    );
    await hubIsOpen(hubId);
    return null;
  },
  /** The market's next automatic checkout is due now, its cycle being open: the server does it when it starts next. */
  dueAutoCheckout: async ({ db }: Stack, { hubId }: { hubId: number }) => {
    await execute(
      db,
      sql`with next as (
            update delivery set cutoff_at = date_trunc('second', now()) + interval '36 hours', auto_checkout_at = date_trunc('second', now())
            where id = (select id from delivery where hub_id = ${hubId}::int and cutoff_at > now() order by cutoff_at limit 1) returning id)
          insert into delivery_run (delivery_id, step, state, lease_until, started_at, done_at)
          select id, 'open', 'done', now(), now(), now() from next on conflict do nothing`,
    );
    return null;
  },
  /** A collection with these products; its slug is made of its title. One with the same slug is replaced. */
  collection: async (
    { db }: Stack,
    input: { slug?: string; title: string; parentId?: number; inMenu?: boolean; productIds: number[] },
  ) => {
    const slug = input.slug ?? input.title.toLowerCase().replaceAll(" ", "-");
    await db.collection_product.deleteMany({ where: { collection: { slug } } });
    const data = {
      slug,
      title: input.title,
      parent_id: input.parentId ?? null,
      show_in_collections: !input.inMenu,
      show_in_main_menu: input.inMenu ?? false,
      products: { create: input.productIds.map((product_id, position) => ({ product_id, position })) },
    };
    const { id } = await db.collection.upsert({ where: { slug }, create: data, update: data });
    return { id, slug };
  },
  discountCode: async ({ db }: Stack, { code, percent }: { code: string; percent: number }) => {
    await db.discount_code.create({ data: { code, reason: `${percent}% off`, percent_ppm: percent * 10_000 } });
    return null;
  },
  /** The bank releases the authorization of an order, and the market does not know it yet; the customer's saved card has no funds. */
  releaseHold: async ({ db }: Stack, { id }: { id: number }) => {
    const order = await db.order.findUniqueOrThrow({ where: { id }, include: { payment: true } });
    await db.test_charge.updateMany({
      where: { idempotency_key: order.payment!.charge_key },
      data: { state: "voided" },
    });
    await setCard(db, order.customer_id!, NO_FUNDS);
    return null;
  },
  /** The customer of an order saves a good card in place of the one they have. */
  saveGoodCard: async ({ db }: Stack, { id }: { id: number }) => {
    const { customer_id: customerId } = await db.order.findUniqueOrThrow({ where: { id } });
    await setCard(db, customerId!);
    return null;
  },
  /** The authorization of an order is lost at the bank. */
  loseHold: async ({ db }: Stack, { id }: { id: number }) => {
    await execute(
      db,
      sql`update payment p set hold_lost_at = now() from orders o where o.payment_id = p.id and o.id = ${id}::int`,
    );
    return null;
  },
  /** The code of the gift card that waits to be mailed to this address. */
  giftCode: async ({ db }: Stack, { to }: { to: string }) => {
    const [mail] = await query<{ code: string }>(
      db,
      sql`select data->>'code' as code from mail where to_email = ${to} and template = 'gift-card' order by id desc limit 1`,
    );
    return mail?.code ?? "";
  },
  /** A person of the staff with a role in one market or in all, and the path of their invitation, which is not used. */
  staff: async (
    { db }: Stack,
    { name, email, role, hubId = null }: { name: string; email: string; role: Role; hubId?: number | null },
  ) => {
    const now = new Date();
    const { id } = await db.staff.create({
      data: { name, email, created_at: now, grants: { create: [{ role, hub_id: hubId }] } },
    });
    const token = await transaction(db, (tx) => createLink(tx, { staffId: asStaffId(id), purpose: "invite", now }));
    return { id, link: `/admin/invite/${token}` };
  },
  /** A new session of a person of the staff, as the cookie of a browser. */
  staffCookie: async ({ db, sessionSecrets }: Stack, { id: staffId }: { id: number }) => {
    const id = randomUUID();
    await insertStaffSession(db, { id, staffId: asStaffId(staffId), userAgent: "", now: new Date() });
    return { name: STAFF_COOKIE, value: staffTokens(sessionSecrets).sign(id) };
  },
  /** An item of a job has failed, and is tried again in an hour. */
  failWork: async ({ db }: Stack, work: { job: string; subject: string; reason: string }) => {
    const since = new Date();
    await db.job_failure.create({ data: { ...work, since, next_at: addMs(since, Hour.ms) } });
    return null;
  },
  /** The last proof of identity of a person's sessions is older than a step-up may be. */
  forgetStepUp: async ({ db }: Stack, { email }: { email: string }) => {
    await db.staff_session.updateMany({ where: { staff: { email } }, data: { stepped_up_at: null } });
    return null;
  },
  /** A person's sessions need no step-up for a day: their last proof of identity is dated that far ahead. */
  keepStepUp: async ({ db, clock }: Stack, { id }: { id: number }) => {
    const steppedUpAt = addMs(clock.now(), 24 * Hour.ms);
    await db.staff_session.updateMany({
      where: { staff_id: id, ended_at: null },
      data: { stepped_up_at: steppedUpAt },
    });
    return null;
  },
  /** Someone else gives a person of the staff another role. */
  changeStaff: async ({ db }: Stack, { id, role }: { id: number; role: Role }) => {
    await db.staff_grant.deleteMany({ where: { staff_id: id } });
    await db.staff.update({ where: { id }, data: { version: { increment: 1 }, grants: { create: [{ role }] } } });
    return null;
  },
  /** Ends the sessions of a person of the staff. */
  endStaffSessions: async ({ db }: Stack, { email }: { email: string }) => {
    await db.staff_session.updateMany({ where: { staff: { email }, ended_at: null }, data: { ended_at: new Date() } });
    return null;
  },
  /** Something that a person of the staff did, and how long it is held. Answers its id. */
  staffAction: async ({ db }: Stack, input: Parameters<typeof createStaffAction>[1]) => createStaffAction(db, input),
  /** What became of it. */
  endStaffAction: async ({ db }: Stack, input: Parameters<typeof endStaffAction>[1]) => {
    await endStaffAction(db, input);
    return null;
  },
  /** A mail to the customer of an order that was sent a minute ago. */
  orderMail: async ({ db }: Stack, { orderId, template }: { orderId: number; template: string }) => {
    const { customer } = await db.order.findUniqueOrThrow({ where: { id: orderId }, select: { customer: true } });
    const at = new Date(Date.now() - 60_000);
    await db.mail.create({
      data: {
        key: `${template}:${orderId}`,
        to_email: customer!.email!,
        template,
        data: { orderId },
        created_at: at,
        sent_at: at,
      },
    });
    return null;
  },
  /** A new market with vendors and products. */
  catalogue: async ({ db, hubIsOpen }: Stack, input: Parameters<typeof createCatalogue>[1]) => {
    const made = await createCatalogue(db, input);
    await hubIsOpen(made.hubId);
    return made;
  },
  /** What an offer is in the market now. */
  offer: async ({ db }: Stack, { id }: { id: number }) => {
    const offer = await db.offer.findUniqueOrThrow({ where: { id } });
    return {
      price: offer.price_cents,
      sale: offer.sale_price_cents,
      stock: offer.inventory,
      refill: offer.weekly_inventory,
      offered: offer.is_published,
    };
  },
  /** A market with a delivery day of these orders. */
  deliveryDay: async ({ db, pepper, hubIsOpen }: Stack, input: Parameters<typeof createDeliveryDay>[2]) => {
    const day = await createDeliveryDay(db, pepper, input);
    if (!input.isClosed) await hubIsOpen(day.hubId);
    return day;
  },
  /** A market with a delivery day of orders that were placed and paid. */
  placedDay: async (stack: Stack, input: Parameters<typeof createPlacedDay>[1]) => createPlacedDay(stack, input),
  /** A hub before the week of its subscribers. */
  marketWeek: async (stack: Stack, input: Parameters<typeof createMarketWeek>[1]) => createMarketWeek(stack, input),
  /** The time is this instant now, for the whole market of this worker: only for tests that have a market to themselves. */
  passTime: async (stack: Stack, input: { to: string }) => {
    await passTime(stack, input);
    return null;
  },
  ordersOf: async ({ db }: Stack, { deliveryId }: { deliveryId: number }) => ordersOf(db, deliveryId),
  /** What vendors are owed in the ledger, and the sum of all of its entries. */
  ledger: async ({ db }: Stack) => {
    const sumOf = async (where: { account?: string }) =>
      (await db.ledger_entry.aggregate({ where, _sum: { amount_cents: true } }))._sum.amount_cents ?? 0;
    return { owedCents: await sumOf({ account: "vendor" }), sumCents: await sumOf({}) };
  },
  /** What the staff did and is held is done now. Answers when it is. */
  doHeldActions: async (stack: Stack) => {
    await doHeldActions(stack);
    return null;
  },
  /** An order is cancelled after its day was frozen, without its money and stock. */
  cancelFrozen: async ({ db }: Stack, { id }: { id: number }) => {
    await db.order.update({ where: { id }, data: { status: "cancelled", cancelled_at: new Date() } });
    return null;
  },
  /** Ends a customer's sessions, as a password change elsewhere would. */
  endSessions: async ({ db }: Stack, { email }: { email: string }) => {
    await execute(
      db,
      sql`with ended as (
            update session set ended_at = now() where customer_id = (select id from customer where email = ${email}) returning id)
          select pg_notify('session', id::text) from ended`,
    );
    return null;
  },
  orderCount: async ({ db }: Stack, { email }: { email: string }) => db.order.count({ where: { customer: { email } } }),
  /** The link of a customer's reminders. */
  unsubscribeLink: async ({ sessionSecrets }: Stack, { id }: { id: number }) =>
    `/unsubscribe/${unsubscribeToken(id, sessionSecrets)}`,
  /** The link by which a vendor confirms what they bring to a delivery day. */
  harvestLink: async ({ db, sessionSecrets }: Stack, share: { deliveryId: number; vendorId: number }) => {
    const { email } = await db.vendor.findUniqueOrThrow({ where: { id: share.vendorId } });
    const id = await transaction(db, (tx) => issueHarvestLink(tx, share, email, new Date()));
    return `/farm/${vendorTokens("harvest", sessionSecrets).sign(id)}`;
  },
  /** The templates of the mails to an address, queued or sent, the oldest first. */
  mailTemplates: async ({ db }: Stack, { to }: { to: string }) => {
    const mails = await db.mail.findMany({
      where: { to_email: to },
      orderBy: { id: "asc" },
      select: { template: true },
    });
    return mails.map(({ template }) => template);
  },
  /** The mails to an address in the mail folder. */
  /** What a customer has paid for besides orders: gift cards and passes. */
  purchaseCount: async ({ db }: Stack, { email }: { email: string }) => {
    const paid = await db.payment.findMany({
      where: { customer: { email }, state: "captured" },
      select: { purpose: true },
    });
    return paid.filter(({ purpose }) => purpose !== null).length;
  },
  mails: async ({ dataDir }: Stack, { to }: { to: string }) => {
    const folder = join(dataDir, "mail");
    const names = await readdir(folder).catch(() => []);
    const mails = await Promise.all(
      names.filter((name) => name.endsWith(".eml")).map((name) => readFile(join(folder, name), "utf8")),
    );
    return mails.filter((mail) => mail.includes(to));
  },
  /** The violated invariants of docs/failures.md. */
  audit: async ({ db }: Stack) => audit(db, new Date()),
  stopServer: async ({ stopServer }: Stack) => {
    await stopServer();
    return null;
  },
  startServer: async ({ startServer }: Stack) => {
    await startServer();
    return null;
  },
};
export type Controls = typeof controls;
