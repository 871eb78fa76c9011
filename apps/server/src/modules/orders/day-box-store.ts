import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

const DayBox = z.object({
  /** The box's number. */
  orderId: z.number(),
  /** Its orders to deliver, the first one first. */
  orderIds: z.array(z.number()),
  name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
});
/** A box that is to be delivered, and how to reach its customer. */
export type DayBox = z.infer<typeof DayBox>;

const Delivered = z.object({ delivered: z.number() });

/** The boxes of a delivery that are to be delivered, by number, and how many of its orders are delivered already. */
export async function findBoxesOfDay(db: Conn, deliveryId: number): Promise<{ boxes: DayBox[]; delivered: number }> {
  const boxes = await query(
    db,
    sql`select box.id as "orderId", box.ids as "orderIds", trim(concat_ws(' ', c.first_name, c.last_name)) as name, c.email, c.phone
        from (select coalesce(o.add_on_to_id, o.id) as id, array_agg(o.id order by o.add_on_to_id nulls first, o.created_at, o.id) as ids, min(o.customer_id) as customer_id
          from orders o where o.delivery_id = ${deliveryId}::int and o.status in ('future', 'open', 'pending') group by 1) box
        left join customer c on c.id = box.customer_id order by box.id`,
    DayBox,
  );
  const [row] = await query(
    db,
    sql`select count(*)::int as delivered from orders where delivery_id = ${deliveryId}::int and status = 'closed'`,
    Delivered,
  );
  return { boxes, delivered: row!.delivered };
}
