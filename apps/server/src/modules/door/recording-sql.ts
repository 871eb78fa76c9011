import { type AnyTx, query, sql } from "@marketday/db";
import { z } from "zod";

/** A payment that was recorded for a box. Cents. */
const RecordedMoney = z.object({ id: z.string(), boxId: z.number(), cents: z.number() });
export type RecordedMoney = z.infer<typeof RecordedMoney>;

const RecordingRow = z.object({
  id: z.number(),
  staff_id: z.number(),
  delivery_id: z.number(),
  payments: z.array(RecordedMoney),
  created_at: z.date(),
});
/** An action that recorded boxes of a day as paid. */
export type RecordingRow = z.infer<typeof RecordingRow>;

/**
 * Locks the done actions of a hub that recorded one of these payments, on whichever day, in id order. Those that a command recorded are in
 * none. The orders are locked before.
 */
export const lockRecordings = (tx: AnyTx, hubId: number, paymentIds: readonly string[]): Promise<RecordingRow[]> =>
  query(
    tx,
    sql`select a.id, a.staff_id, a.delivery_id, a.input->'payments' as payments, a.created_at from staff_action a
        where a.hub_id = ${hubId}::int and a.kind = 'mark_paid' and a.state = 'done'
          and exists (select 1 from jsonb_array_elements(a.input->'payments') p where p->>'id' = any(${[...paymentIds]}::text[]))
        order by a.id for update`,
    RecordingRow,
  );
