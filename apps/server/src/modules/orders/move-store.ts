import type { Tx } from "@marketday/db";
import { lineName } from "@marketday/domain/cart";
import { orderTransitions, statesBefore } from "@marketday/domain/order";

/**
 * Moves orders to another delivery day, in this state. They are no longer automatic orders: that day has its own, and one a customer
 * (`orders_auto_key`).
 */
export const writeMove = (tx: Tx, orderIds: readonly number[], to: number, status: "future" | "open") =>
  tx.order.updateMany({
    where: { id: { in: [...orderIds] }, status: { in: [status, ...statesBefore(orderTransitions, status)] } },
    data: { delivery_id: to, status, source: "checkout" },
  });

/** Makes the orders of a box add-ons of another box. */
export const joinBox = (tx: Tx, orderIds: readonly number[], boxId: number) =>
  tx.order.updateMany({ where: { id: { in: [...orderIds] } }, data: { add_on_to_id: boxId } });

/** What a vendor brings for a list of orders. */
export interface VendorUnits {
  vendor: string;
  units: number;
  /** Items of the vendor that the market does not sell at present. */
  unsold: string[];
}

/** The units of these orders of a hub by vendor, by name. */
export async function findVendorUnits(tx: Tx, orderIds: readonly number[], hubId: number): Promise<VendorUnits[]> {
  const items = await tx.order_item.findMany({
    where: { order_id: { in: [...orderIds] }, quantity: { gt: 0 } },
    select: {
      quantity: true,
      product_title: true,
      variant_title: true,
      vendor: { select: { id: true, name: true, is_published: true } },
      variant: {
        select: {
          product: { select: { is_published: true } },
          offers: { where: { hub_id: hubId }, select: { is_published: true } },
        },
      },
    },
    orderBy: [{ vendor: { name: "asc" } }, { vendor_id: "asc" }],
  });
  return [...Map.groupBy(items, ({ vendor }) => vendor.id).values()].map((lines) => {
    const unsold = lines.filter(
      ({ vendor, variant: { product, offers } }) =>
        !vendor.is_published || !product.is_published || !offers[0]?.is_published,
    );
    return {
      vendor: lines[0]!.vendor.name,
      units: lines.reduce((sum, { quantity }) => sum + quantity, 0),
      unsold: [...new Set(unsold.map((line) => lineName(line.product_title, line.variant_title)))].toSorted(),
    };
  });
}
