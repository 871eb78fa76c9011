import { createHash, randomUUID } from "node:crypto";

import { execute, type Db, sql } from "@marketday/db";
import { dateFromUtc, type Weekday, weekdayOf } from "@marketday/domain/calendar-date";
import { deliveryDaysFrom } from "@marketday/domain/delivery";
import { addMs, Day } from "@marketday/domain/time";

import { hashPassword } from "../src/lib/password.ts";
import { CARD_YEAR } from "./card-year.ts";
import { waitForServers } from "./test-servers.ts";

/** Offered and credited since the day before the stopped clock of `buildTestApp`: whatever the date on which the tests run. */
const SINCE = new Date("2026-11-22T17:00:00Z");

let counter = 0;
const next = () => (counter += 1);
const hex16 = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 16);

export interface HubOptions {
  id?: number;
  name?: string;
  deliveryDay?: Weekday;
  timeZone?: string;
  deliveryFeeCents?: number | null;
  taxRatePpm?: number;
  processingPpm?: number;
  processingFixedCents?: number;
  zips?: string[];
  lat?: number;
  lng?: number;
  boundaries?: string[];
  pickupPoints?: number;
  now?: Date;
}

/** A market around Carmel, Indiana, with deliveries on Thursdays, planned ahead; the test servers have loaded it. */
export async function createHub(db: Db, options: HubOptions = {}) {
  const n = next();
  const timeZone = options.timeZone ?? "America/Indiana/Indianapolis";
  const deliveryDay = options.deliveryDay ?? "Thursday";
  const now = options.now ?? new Date("2026-11-23T17:00:00Z");
  const hub = await db.hub.create({
    data: {
      ...(options.id !== undefined && { id: options.id }),
      slug: `market-${n}`,
      name: options.name ?? `Market ${n}`,
      delivery_day: deliveryDay,
      time_zone: timeZone,
      delivery_fee_cents: options.deliveryFeeCents === undefined ? 895 : options.deliveryFeeCents,
      tax_rate_ppm: options.taxRatePpm ?? 70_000,
      processing_ppm: options.processingPpm ?? 30_000,
      processing_fixed_cents: options.processingFixedCents ?? 30,
      zip_code: "46032",
      city: "Carmel",
      state: "IN",
      lat: options.lat ?? 39.97,
      lng: options.lng ?? -86.13,
      boundaries: options.boundaries ?? [],
      zips: { create: (options.zips ?? ["46032", "46033"]).map((zip_code) => ({ zip_code })) },
      pickup_points: {
        create: Array.from({ length: options.pickupPoints ?? 1 }, (_, index) => ({
          name: `Depot ${index + 1}`,
          address: `${index + 1} Station Road`,
          city: "Carmel",
          state: "IN",
          zip_code: "46032",
          hours: "4 to 7 PM",
        })),
      },
      deliveries: {
        create: deliveryDaysFrom({
          weekday: deliveryDay,
          zone: timeZone,
          now,
        })
          // As the server plans them: a day whose cutoff has passed is never one of a new market's.
          .filter(({ cutoff }) => cutoff > now)
          .map((day) => ({
            day: new Date(`${day.day}T00:00:00Z`),
            cutoff_at: day.cutoff,
            auto_checkout_at: day.autoCheckoutAt,
          })),
      },
    },
    include: { pickup_points: true, deliveries: { orderBy: { day: "asc" } } },
  });
  await waitForServers(db);
  return hub;
}

/** The delivery day of a hub whose next cutoff is at least two days away, in every zone of the USA: the weekday in four days. */
export const weekdayAhead = (now = new Date()): Weekday => weekdayOf(dateFromUtc(addMs(now, 4 * Day.ms)));

/** A market as `createHub` makes it, by the real clock: the next cutoff is days away and nothing is due, at any time of the week. */
export function createHubNow(db: Db, options: Omit<HubOptions, "now" | "deliveryDay"> = {}) {
  const now = new Date();
  return createHub(db, { ...options, now, deliveryDay: weekdayAhead(now) });
}
export type TestHub = Awaited<ReturnType<typeof createHub>>;

export async function createVendor(db: Db, options: { name?: string } = {}) {
  const n = next();
  return db.vendor.create({
    data: {
      slug: `vendor-${n}`,
      hash: hex16(`vendor ${n}`),
      name: options.name ?? `Vendor ${n}`,
      city: "Sheridan",
      state: "IN",
      description: "<p>Family farm.</p>",
    },
  });
}

export interface ProductOptions {
  vendorId?: number;
  title?: string;
  priceCents?: number;
  salePriceCents?: number | null;
  inventory?: number;
  variants?: {
    title: string;
    priceCents?: number;
    salePriceCents?: number | null;
    inventory?: number;
    preOrderDate?: string | null;
  }[];
  isPublished?: boolean;
  offerIsPublished?: boolean;
  preOrderDate?: string | null;
  hubs?: number[];
  /** Since when it is offered; by default the day before the stopped clock of `buildTestApp`. */
  publishedAt?: Date;
}

/** A product offered in these hubs, with adjustments for its stock, so that V1 holds; the test servers have loaded it. */
export async function createProduct(db: Db, hubId: number, options: ProductOptions = {}) {
  const n = next();
  const vendorId = options.vendorId ?? (await createVendor(db)).id;
  const variants = options.variants ?? [{ title: "Each" }];
  const product = await db.product.create({
    data: {
      slug: `product-${n}`,
      vendor_id: vendorId,
      title: options.title ?? `Product ${n}`,
      description: "<p>Good.</p>",
      tags: ["local"],
      is_published: options.isPublished ?? true,
      variants: {
        create: variants.map((variant, position) => {
          const preOrderDate = variant.preOrderDate ?? options.preOrderDate ?? null;
          const inventory = variant.inventory ?? options.inventory ?? 10;
          return {
            title: variant.title,
            position,
            pre_order_date: preOrderDate === null ? null : new Date(`${preOrderDate}T00:00:00Z`),
            offers: {
              create: (options.hubs ?? [hubId]).map((hub) => ({
                hub_id: hub,
                price_cents: variant.priceCents ?? options.priceCents ?? 650,
                sale_price_cents: variant.salePriceCents ?? options.salePriceCents ?? null,
                inventory,
                is_published: options.offerIsPublished ?? true,
                published_at: options.publishedAt ?? SINCE,
                adjustments: { create: { amount: inventory, reason: "received" } },
              })),
            },
          };
        }),
      },
    },
    include: { variants: { include: { offers: true }, orderBy: { position: "asc" } } },
  });
  await waitForServers(db);
  const [variant] = product.variants;
  if (!variant) throw new Error("a product without a variant");
  return {
    ...product,
    variant,
    line: (quantity: number) => ({ productId: product.id, variantId: variant.id, quantity }),
  };
}
export type TestProduct = Awaited<ReturnType<typeof createProduct>>;

/** Changes the stock of an offer, with its adjustment. */
export async function setInventory(db: Db, variantId: number, hubId: number, inventory: number): Promise<void> {
  await execute(
    db,
    sql`with o as (select id, inventory from offer where variant_id = ${variantId}::int and hub_id = ${hubId}::int for update),
        adjusted as (insert into stock_adjustment (offer_id, amount, reason) select id, ${inventory}::int - inventory, 'test' from o)
        update offer set inventory = ${inventory}::int where id = (select id from o)`,
  );
  await waitForServers(db);
}

const hashes = new Map<string, Promise<string>>();
/** A hash names its cost: a test that logs in spends no time on argon2. */
const CHEAP = { memoryCost: 64, timeCost: 1 };
export const PASSWORD = "wheelbarrow";

export interface CustomerOptions {
  email?: string;
  hubId?: number | null;
  firstName?: string;
  zipCode?: string;
  creditCents?: number;
  /** The pepper of the server that verifies the password. */
  pepper: string;
}

export async function createCustomer(db: Db, options: CustomerOptions) {
  const n = next();
  const email = options.email ?? `shopper${n}@example.com`;
  const hash = hashes.get(options.pepper) ?? hashPassword(PASSWORD, options.pepper, CHEAP);
  hashes.set(options.pepper, hash);
  const customer = await db.customer.create({
    data: {
      email,
      password_hash: await hash,
      first_name: options.firstName ?? "Robin",
      last_name: "Baker",
      zip_code: options.zipCode ?? ADDRESS.zipCode,
      hub_id: options.hubId ?? null,
      credit_cents: options.creditCents ?? 0,
    },
  });
  if (customer.credit_cents > 0)
    await db.ledger_transaction.create({
      data: {
        kind: "credit",
        created_at: SINCE,
        entries: {
          createMany: {
            data: [
              { account: "store_credit", customer_id: customer.id, amount_cents: customer.credit_cents },
              { account: "promotions", amount_cents: -customer.credit_cents },
            ],
          },
        },
      },
    });
  return customer;
}

export const newKey = () => randomUUID();
export const ADDRESS = { address: "12 Main Street", city: "Carmel", state: "IN", zipCode: "46032" } as const;
export const GOOD_CARD = { number: "4242424242424242", expMonth: 12, expYear: CARD_YEAR, cvc: "123" } as const;

/** A card number with a valid check digit, which the test provider accepts. */
export function cardNumber(n: number): string {
  const body = `42${String(n).padStart(13, "0")}`;
  const sum = [...body].reduce((total, digit, place) => {
    const doubled = Number(digit) * (place % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${body}${(10 - (sum % 10)) % 10}`;
}
/** A card that no other customer has, as a referral discount needs it. */
export const newCard = () => ({ ...GOOD_CARD, number: cardNumber(500_000_000 + next()) });

/** The default address of a customer. */
export const createAddress = (db: Db, customerId: number) =>
  db.address.create({
    data: {
      customer_id: customerId,
      address: ADDRESS.address,
      city: ADDRESS.city,
      state: ADDRESS.state,
      zip_code: ADDRESS.zipCode,
      is_default: true,
    },
  });

/** The test provider's reference of a saved card (`gateways/payments/test-provider.ts`). */
export const cardRef = (number: string, owner: number | string): string =>
  `tpm_${Buffer.from(number).toString("base64url")}.${owner}`;

/** Replaces a customer's saved cards by one. */
export async function setCard(db: Db, customerId: number, number: string = GOOD_CARD.number): Promise<void> {
  await db.payment_method.deleteMany({ where: { customer_id: customerId } });
  await db.payment_method.create({
    data: {
      customer_id: customerId,
      provider: "test",
      provider_ref: cardRef(number, customerId),
      brand: "visa",
      last4: number.slice(-4),
      exp_month: GOOD_CARD.expMonth,
      exp_year: GOOD_CARD.expYear,
      is_default: true,
    },
  });
}

export const CHOICE = { type: "delivery", deliveryAddress: ADDRESS, tipPercentage: 10, card: GOOD_CARD } as const;

export interface OrderOptions {
  customerId: number;
  hub: TestHub;
  product: TestProduct;
  quantity?: number;
  createdAt?: Date;
  status?: "open" | "closed" | "cancelled";
}

/** A past order without stock or payment, for values that are counted from orders. */
export async function createOrder(db: Db, options: OrderOptions) {
  const [delivery] = options.hub.deliveries;
  const [offer] = options.product.variant.offers;
  if (!delivery || !offer) throw new Error("an order needs a delivery and an offer");
  const quantity = options.quantity ?? 1;
  const unit = offer.sale_price_cents ?? offer.price_cents;
  return db.order.create({
    data: {
      id: 500_000_000 + next(),
      customer_id: options.customerId,
      hub_id: options.hub.id,
      delivery_id: delivery.id,
      status: options.status ?? "closed",
      items_cents: unit * quantity,
      tip_cents: 0,
      tax_cents: 0,
      tax_rate_ppm: 0,
      card_fee_cents: 0,
      delivery_fee_cents: 0,
      discount_cents: 0,
      order_total_cents: unit * quantity,
      created_at: options.createdAt ?? new Date("2026-11-20T12:00:00Z"),
      items: {
        create: {
          variant_id: options.product.variant.id,
          vendor_id: options.product.vendor_id,
          product_title: options.product.title,
          variant_title: options.product.variant.title,
          quantity,
          quantity_ordered: quantity,
          list_price_cents: offer.price_cents,
          sale_price_cents: offer.sale_price_cents,
          unit_price_cents: unit,
          commission_ppm: 0,
        },
      },
    },
  });
}

export interface BundleOptions {
  title?: string;
  discountPpm?: number;
  isPublished?: boolean;
  items: { product: TestProduct; variantId?: number; quantity?: number }[];
}

/** A bundle of these products, offered in these hubs; the test servers have loaded it. */
export async function createBundle(db: Db, hubIds: readonly number[], { items, ...options }: BundleOptions) {
  const n = next();
  const bundle = await db.bundle.create({
    data: {
      slug: `bundle-${n}`,
      title: options.title ?? `Bundle ${n}`,
      description: "<p>All at once.</p>",
      discount_ppm: options.discountPpm ?? 100_000,
      is_published: options.isPublished ?? true,
      hubs: { create: hubIds.map((hub_id) => ({ hub_id })) },
      items: {
        create: items.map(({ product, variantId, quantity }, position) => ({
          variant_id: variantId ?? product.variant.id,
          quantity: quantity ?? 1,
          position,
        })),
      },
    },
  });
  await waitForServers(db);
  return bundle;
}
