import type { Client, Prisma } from "@marketday/db";
import type { DeliveryAddress, StoredAddress } from "@marketday/domain/address";
import { calendarDate, dateFromUtc, dateInZone, formatLong } from "@marketday/domain/calendar-date";

import { SAMPLE_NOW } from "../mail/template.ts";
import type { SizeColumns } from "../products/size-sql.ts";
import { findBoxNotes, findMarketNotes } from "./box-state-sql.ts";
import { findBoxId } from "./box-store.ts";

interface MailItem extends SizeColumns {
  product_title: string;
  variant_title: string;
  vendor: string;
  quantity: number;
  cents: number;
  added_on: string | null;
}

const amounts = {
  items_cents: true,
  discount_cents: true,
  waived_cents: true,
  tip_cents: true,
  tax_cents: true,
  card_fee_cents: true,
  delivery_fee_cents: true,
  order_total_cents: true,
  credit_cents: true,
} satisfies Prisma.orderSelect;
type Amounts = Record<keyof typeof amounts, number>;

/** An order or a box for a mail. Cents. */
export interface OrderForMail extends Amounts {
  /** When the mail is sent. */
  now: Date;
  /** The order number of the box, which customers see for an order and its add-ons (`docs/product.md` §17). */
  order_id: number;
  /** The day an add-on was ordered, `YYYY-MM-DD` in the market's zone; null: the mail is about the first order, or the whole box. */
  added_on: string | null;
  market: string;
  time_zone: string;
  first_name: string;
  type: "delivery" | "pickup";
  status: string;
  /** Whether the hub packs orders that could not be charged (docs/product.md §17). */
  packs_unpaid: boolean;
  day: string;
  cutoff_at: Date;
  address: DeliveryAddress | null;
  /** Several lines; empty without any. */
  notes: string;
  /** What the market notes for the shopper of the box; empty without any. */
  market_notes: string;
  pickup: { name: string; address: string; city: string; state: string; hours: string } | null;
  items: MailItem[];
  /** The amount authorized on the card and not captured yet; 0 without a card. */
  authorized_cents: number;
}

/** "Thursday, November 26" of `YYYY-MM-DD`, with the year when it is another one in the order's market. */
export const formatOrderDay = ({ now, time_zone: zone }: OrderForMail, day: string): string =>
  formatLong(calendarDate(day), dateInZone(now, zone));

const shownPart = {
  id: true,
  add_on_to_id: true,
  status: true,
  created_at: true,
  delivery_notes: true,
  ...amounts,
  payment: { select: { provider: true, state: true, amount_cents: true } },
  items: {
    where: { quantity: { gt: 0 } },
    select: {
      product_title: true,
      variant_title: true,
      quantity: true,
      unit_price_cents: true,
      variant: { select: { unit: true, measure: true, measure_amount: true } },
      vendor: { select: { name: true } },
    },
    orderBy: [{ vendor: { name: "asc" } }, { id: "asc" }],
  },
} satisfies Prisma.orderSelect;

const shownBox = {
  ...shownPart,
  type: true,
  address: true,
  hub: { select: { name: true, time_zone: true, pack_unpaid: true } },
  delivery: { select: { day: true, cutoff_at: true } },
  customer: { select: { first_name: true } },
  pickup_point: { select: { name: true, address: true, city: true, state: true, hours: true } },
  add_ons: { select: shownPart, orderBy: [{ created_at: "asc" }, { id: "asc" }] },
} satisfies Prisma.orderSelect;

type PartRow = Prisma.orderGetPayload<{ select: typeof shownPart }>;

const addedOn = ({ add_on_to_id: boxId, created_at: at }: PartRow, zone: string): string | null =>
  boxId === null ? null : dateInZone(at, zone);

const itemsOf = (part: PartRow, zone: string): MailItem[] =>
  part.items.map(({ variant, vendor, unit_price_cents: unitCents, ...item }) => ({
    ...item,
    ...variant,
    vendor: vendor.name,
    cents: item.quantity * unitCents,
    added_on: addedOn(part, zone),
  }));

function sumAmounts(parts: readonly PartRow[]): Amounts {
  const names = Object.keys(amounts) as (keyof Amounts)[];
  const sums = names.map((name) => [name, parts.reduce((sum, part) => sum + part[name], 0)] as const);
  return Object.fromEntries(sums) as Amounts;
}

/** The amount that a card's open authorization pays for an order. */
const authorizedCents = ({ payment }: PartRow): number =>
  payment && payment.provider !== "offline" && payment.state === "authorized" ? payment.amount_cents : 0;

/**
 * An order for a mail: its own lines and amounts, or (`whole`) those of every order of its box that is not canceled. Null:
 * there is no such order, or the whole box is canceled.
 */
export async function findOrderForMail(
  db: Client,
  orderId: number,
  whole: boolean,
  now: Date,
): Promise<OrderForMail | null> {
  const boxId = await findBoxId(db, orderId);
  const box = await db.order.findUnique({ where: { id: boxId }, select: shownBox });
  if (!box) return null;
  const parts = [box, ...box.add_ons].filter(({ id, status }) => (whole ? status !== "cancelled" : id === orderId));
  const [first] = parts;
  if (!first) return null;
  const { hub, delivery } = box;
  const address = box.address as StoredAddress | null;
  return {
    now,
    order_id: box.id,
    added_on: whole ? null : addedOn(first, hub.time_zone),
    market: hub.name,
    time_zone: hub.time_zone,
    first_name: box.customer?.first_name ?? "",
    type: box.type as OrderForMail["type"],
    status: box.status,
    packs_unpaid: hub.pack_unpaid,
    day: dateFromUtc(delivery.day),
    cutoff_at: delivery.cutoff_at,
    address: address && { address2: "", instructions: "", ...address },
    notes: whole ? await findBoxNotes(db, box.id) : first.delivery_notes,
    market_notes: await findMarketNotes(db, box.id),
    pickup: box.pickup_point,
    items: parts.flatMap((part) => itemsOf(part, hub.time_zone)),
    ...sumAmounts(parts),
    authorized_cents: parts.reduce((sum, part) => sum + authorizedCents(part), 0),
  };
}

const noMeasure = { measure: null, measure_amount: null };
/** Made-up items, for the preview of mails. */
export const sampleLines = [
  { product_title: "Free-range eggs", variant_title: "Dozen", unit: "dozen", ...noMeasure },
  { product_title: "Sourdough", variant_title: "Large loaf", unit: "2 lb", ...noMeasure },
] as const;

/** A made-up order, for the preview of mails about one. */
export const sampleOrder: OrderForMail = {
  now: SAMPLE_NOW,
  order_id: 482_913_077,
  added_on: null,
  market: "Carmel market",
  time_zone: "America/Indiana/Indianapolis",
  first_name: "Rosa",
  type: "delivery",
  status: "open",
  packs_unpaid: true,
  day: "2026-11-26",
  cutoff_at: new Date("2026-11-25T06:00:00Z"),
  address: {
    address: "12 Main Street",
    address2: "",
    city: "Carmel",
    state: "IN",
    zipCode: "46032",
    instructions: "The blue door behind the barn",
  },
  notes: "Gate code 4471\nLeave it in the cooler",
  market_notes: "",
  pickup: null,
  items: [
    { ...sampleLines[0], vendor: "Sugar Creek Farm", quantity: 2, cents: 1300, added_on: null },
    { ...sampleLines[1], vendor: "Two Rivers Bakery", quantity: 1, cents: 875, added_on: "2026-11-23" },
  ],
  items_cents: 2175,
  discount_cents: 200,
  waived_cents: 0,
  tip_cents: 218,
  tax_cents: 138,
  card_fee_cents: 95,
  delivery_fee_cents: 895,
  order_total_cents: 3321,
  credit_cents: 0,
  authorized_cents: 3321,
};
