import type { Client } from "@marketday/db";

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
