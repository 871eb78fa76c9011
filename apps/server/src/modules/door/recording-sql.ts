import { type AnyTx, queryOne, sql } from "@marketday/db";
import { z } from "zod";

const RecordingRow = z.object({
  id: z.number(),
  staff_id: z.number(),
  /** The boxes, in id order. */
  order_ids: z.array(z.number()),
  amount: z.number(),
  created_at: z.date(),
});
/** An action that recorded boxes of a day as paid. Dollars, as its summary has them. */
export type RecordingRow = z.infer<typeof RecordingRow>;

/** Locks the newest done action that recorded this box of the day; null: it was recorded by a command. The orders are locked before. */
export const lockRecording = (tx: AnyTx, deliveryId: number, boxId: number): Promise<RecordingRow | null> =>
  queryOne(
    tx,
    sql`select a.id, a.staff_id, a.input->'orderIds' as order_ids, (a.summary->>'amount')::float8 as amount, a.created_at
        from staff_action a
        where a.delivery_id = ${deliveryId}::int and a.kind = 'mark_paid' and a.state = 'done' and a.input->'orderIds' @> to_jsonb(${boxId}::int)
        order by a.id desc limit 1 for update`,
    RecordingRow,
  );
