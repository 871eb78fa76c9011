import { type Db, query, sql } from "@marketday/db";
import { z } from "zod";

interface TestRefund {
  key: string;
  refundKey: string;
  amountCents: number;
  now: Date;
}

/** Refunds a captured charge of the test provider, once per refund key. False: more than was captured. */
export async function refundTestCharge(db: Db, { key, refundKey, amountCents, now }: TestRefund): Promise<boolean> {
  const rows = await query(
    db,
    sql`with before as (select id from test_refund where id = ${refundKey}),
          charge as (
            update test_charge set refunded_cents = refunded_cents + ${amountCents}::int
            where idempotency_key = ${key} and state = 'captured' and refunded_cents + ${amountCents}::int <= captured_cents
              and not exists (select 1 from before)
            returning id),
          inserted as (
            insert into test_refund (id, charge_id, amount_cents, created_at) select ${refundKey}, id, ${amountCents}::int, ${now} from charge returning id)
        select id from before union all select id from inserted`,
    z.object({ id: z.string() }),
  );
  return rows.length > 0;
}
