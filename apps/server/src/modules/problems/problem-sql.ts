import { type AnyTx, type Conn, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";
import { visible } from "../orders/box-state-sql.ts";
import { SizeColumns, sizeColumns } from "../products/size-store.ts";

/** Locks a customer's own order; false for another customer's. */
export const lockOrder = async (tx: AnyTx, customerId: CustomerId, orderId: number): Promise<boolean> =>
  (await queryOne(
    tx,
    sql`select id from orders where id = ${orderId}::int and customer_id = ${customerId}::int for update`,
    z.object({ id: z.number() }),
  )) !== null;

const BoxItem = z.object({
  variant_id: z.number(),
  product_title: z.string(),
  variant_title: z.string(),
  ...SizeColumns.shape,
  quantity: z.number(),
  /** As ordered, before edits and shortages. */
  ordered: z.number(),
});
export type BoxItem = z.infer<typeof BoxItem>;

/**
 * What was ordered in a box, by variant. Of canceled orders the box's own counts if it stays listed, as one that the market canceled.
 */
export const findBoxItems = (conn: Conn, boxId: number): Promise<BoxItem[]> =>
  query(
    conn,
    sql`select i.variant_id, min(i.product_title) as product_title, min(i.variant_title) as variant_title, ${sizeColumns},
          sum(i.quantity)::int as quantity, sum(i.quantity_ordered)::int as ordered
        from orders o join order_item i on i.order_id = o.id join variant v on v.id = i.variant_id
        where (o.id = ${boxId}::int and ${visible}) or (o.add_on_to_id = ${boxId}::int and o.status <> 'cancelled')
        group by i.variant_id, v.id`,
    BoxItem,
  );

/** Those of these photo files that a report has. The list has as many files as the folder. */
export const findKeptPhotos = async (db: Conn, files: readonly string[]): Promise<string[]> =>
  (
    await query(
      db,
      sql`select file from problem_photo where file = any(${[...files]}::text[])`,
      z.object({ file: z.string() }),
    )
  ).map(({ file }) => file);
