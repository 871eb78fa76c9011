import { type Conn, query, sql } from "@marketday/db";
import { z } from "zod";

import type { MailData } from "../../lib/mail-template.ts";

const RefundState = z.object({
  state: z.enum(["created", "done", "failed"]),
  failure: z.string().nullable(),
  amount_cents: z.number(),
  /** It was paid at the door, and is given back there by hand. */
  is_offline: z.boolean(),
});
/** A refund to the card as it is when the mail is sent. */
export type RefundState = z.infer<typeof RefundState>;

/** The states of the card refunds that a mail's data names. */
export const findRefundStates = (db: Conn, { refundIds }: MailData): Promise<RefundState[]> =>
  query(
    db,
    sql`select r.state, r.failure, r.amount_cents, p.provider = 'offline' as is_offline from refund r join payment p on p.id = r.payment_id where r.id = any(${Array.isArray(refundIds) ? refundIds.map(String) : []}::uuid[]) order by r.id`,
    RefundState,
  );
