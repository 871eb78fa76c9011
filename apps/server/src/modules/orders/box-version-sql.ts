import { type Conn, queryOne, type Sql, sql } from "@marketday/db";
import { z } from "zod";

/**
 * The fingerprint of the box with this id, the first order's: it changes with each of its orders, their lines, their place, payments
 * and refunds. Staff send it back as `expectedVersion`. Null: there is no such box.
 */
export const boxVersion = (boxId: Sql): Sql => sql`(
  select md5(jsonb_agg(jsonb_build_array(v.id, v.add_on_to_id, v.delivery_id, v.status, v.type, v.pickup_point_id, v.address, v.delivery_notes,
      v.order_total_cents, v.credit_cents, v.charge_failed_at is not null, v.written_off_at is not null, p.state, p.captured_cents, p.refunded_cents,
      (select jsonb_agg(jsonb_build_array(i.id, i.quantity) order by i.id) from order_item i where i.order_id = v.id),
      (select jsonb_agg(jsonb_build_array(r.id, r.state) order by r.id) from refund r where r.order_id = v.id)) order by v.id)::text)
  from orders v left join payment p on p.id = v.payment_id where v.id = ${boxId} or v.add_on_to_id = ${boxId})`;

/** `boxVersion` of a box by its id. */
export const findBoxVersion = async (db: Conn, boxId: number): Promise<string | null> =>
  (await queryOne(
    db,
    sql`select ${boxVersion(sql`${boxId}::int`)} as version`,
    z.object({ version: z.string().nullable() }),
  ))!.version;
