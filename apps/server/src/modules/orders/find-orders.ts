import type { Client } from "@marketday/db";
import type { StoredAddress } from "@marketday/domain/address";
import { calendarDate, dateFromUtc, dateToUtc } from "@marketday/domain/calendar-date";
import { lineName } from "@marketday/domain/cart";

/** An item of an order: units as they are now and as they were ordered. */
export interface OrderedItem {
  orderId: number;
  variantId: number;
  product: string;
  variant: string;
  unit: string | null;
  quantity: number;
  ordered: number;
}

/** Items of these orders, including those taken off. */
export async function findOrderItems(db: Client, orderIds: readonly number[]): Promise<OrderedItem[]> {
  const items = await db.order_item.findMany({
    where: { order_id: { in: [...orderIds] } },
    select: {
      order_id: true,
      variant_id: true,
      product_title: true,
      variant_title: true,
      quantity: true,
      quantity_ordered: true,
      variant: { select: { unit: true } },
    },
    orderBy: [{ order_id: "asc" }, { id: "asc" }],
  });
  return [...Map.groupBy(items, ({ order_id: orderId, variant_id: id }) => `${orderId} ${id}`).values()].map(
    (lines) => {
      const [first] = lines as [(typeof lines)[number]];
      return {
        orderId: first.order_id,
        variantId: first.variant_id,
        product: first.product_title,
        variant: first.variant_title,
        unit: first.variant.unit,
        quantity: lines.reduce((sum, { quantity }) => sum + quantity, 0),
        ordered: lines.reduce((sum, line) => sum + line.quantity_ordered, 0),
      };
    },
  );
}

/** Units of one item in one order, with how to reach the customer. */
export interface RecalledRow {
  day: string;
  hub: string;
  order_id: number;
  status: string;
  /** Empty for a deleted account. */
  name: string;
  email: string | null;
  phone: string | null;
  /** The address, or the pickup point. */
  place: string;
  item: string;
  units: number;
}

const formatAddress = (address: StoredAddress | null): string =>
  [address?.address, address?.city, address?.zipCode].filter((part) => part !== undefined).join(", ");

/**
 * Who gets or got a product, or anything of a vendor, on delivery days from `from` to `to` (`YYYY-MM-DD`, both included): without
 * canceled orders and units that were removed. Null: there is no such product or vendor.
 */
export async function findRecalled(
  db: Client,
  which: { product: string | null; vendor: string | null; from: string; to: string },
): Promise<RecalledRow[] | null> {
  const { product, vendor, from, to } = which;
  const ofVendor = vendor === null ? {} : { vendor: { slug: vendor } };
  const known =
    product === null
      ? await db.vendor.count({ where: { slug: vendor ?? "" } })
      : await db.product.count({ where: { slug: product, ...ofVendor } });
  if (known === 0) return null;
  const items = await db.order_item.findMany({
    where: {
      quantity: { gt: 0 },
      variant: { product: { ...(product !== null && { slug: product }), ...ofVendor } },
      order: {
        status: { not: "cancelled" },
        delivery: { day: { gte: dateToUtc(calendarDate(from)), lte: dateToUtc(calendarDate(to)) } },
      },
    },
    select: {
      quantity: true,
      product_title: true,
      variant_title: true,
      order: {
        select: {
          id: true,
          status: true,
          address: true,
          hub: { select: { slug: true } },
          delivery: { select: { day: true } },
          customer: { select: { first_name: true, last_name: true, email: true, phone: true } },
          pickup_point: { select: { name: true } },
        },
      },
    },
    orderBy: [
      { order: { delivery: { day: "asc" } } },
      { order: { hub: { slug: "asc" } } },
      { order_id: "asc" },
      { id: "asc" },
    ],
  });
  return items.map(({ quantity, order, ...item }) => ({
    day: dateFromUtc(order.delivery.day),
    hub: order.hub.slug,
    order_id: order.id,
    status: order.status,
    name: order.customer ? `${order.customer.first_name} ${order.customer.last_name}`.trim() : "",
    email: order.customer?.email ?? null,
    phone: order.customer?.phone ?? null,
    place: order.pickup_point?.name ?? formatAddress(order.address as StoredAddress | null),
    item: lineName(item.product_title, item.variant_title),
    units: quantity,
  }));
}
