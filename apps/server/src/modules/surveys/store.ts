import { type Conn, execute, query, queryOne, sql, type AnyTx } from "@marketday/db";
import { z } from "zod";

import type { CustomerId } from "../identity/context.ts";

const FactsRow = z.object({
  /** The survey that was shown or answered for this order. */
  survey: z.object({ type: z.string(), isAnswered: z.boolean() }).nullable(),
  /** All that were shown to the customer or answered. */
  shown: z.array(z.object({ type: z.string(), at: z.string() })),
  is_first_order: z.boolean(),
  has_handle: z.boolean(),
  has_subscriptions: z.boolean(),
});
export type SurveyFacts = z.infer<typeof FactsRow>;

/** The facts that decide which survey is offered for an order. Null for another customer's order. */
export const findFacts = (db: Conn, customerId: CustomerId, orderId: number): Promise<SurveyFacts | null> =>
  queryOne(
    db,
    sql`select (select jsonb_build_object('type', s.type, 'isAnswered', s.response <> '') from survey_answer s where s.order_id = o.id) as survey,
          not exists (select 1 from orders e where e.customer_id = c.id and (e.created_at, e.id) < (o.created_at, o.id) and e.status <> 'cancelled') as is_first_order,
          coalesce((select jsonb_agg(jsonb_build_object('type', s.type, 'at', s.created_at) order by s.created_at, s.order_id)
            from survey_answer s where s.customer_id = c.id), '[]') as shown,
          c.handle is not null as has_handle,
          exists (select 1 from subscription x where x.customer_id = c.id) or exists (select 1 from bundle_subscription b where b.customer_id = c.id) as has_subscriptions
        from orders o join customer c on c.id = o.customer_id
        where o.id = ${orderId}::int and o.customer_id = ${customerId}::int and o.status <> 'cancelled'`,
    FactsRow,
  );

const VendorRow = z.object({ id: z.number(), name: z.string() });

/** The vendors of the order, offered as answers to which vendor recommended the market. */
export const findOrderVendors = (db: Conn, orderId: number) =>
  query(
    db,
    sql`select distinct v.id, v.name from order_item i join vendor v on v.id = i.vendor_id where i.order_id = ${orderId}::int order by v.name`,
    VendorRow,
  );

interface Answer {
  orderId: number;
  type: string;
  questionId: string;
  response: string;
  comment: string | null;
  vendorId: number | null;
}

/**
 * Inserts that a survey is shown, without a response; false when the order has one already. Call it with the customer locked, so
 * that no other order's is inserted meanwhile.
 */
export const insertShown = async (
  tx: AnyTx,
  customerId: CustomerId,
  { orderId, type, questionId }: Pick<Answer, "orderId" | "type" | "questionId">,
  now: Date,
): Promise<boolean> =>
  (await execute(
    tx,
    sql`insert into survey_answer (order_id, customer_id, type, question_id, response, created_at)
        values (${orderId}::int, ${customerId}::int, ${type}, ${questionId}, '', ${now}) on conflict (order_id) do nothing`,
  )) === 1;

/** One survey of a customer at a time is shown or answered, whichever order it is for. */
export const lockCustomer = (tx: AnyTx, customerId: CustomerId) =>
  execute(tx, sql`select 1 from customer where id = ${customerId}::int for no key update`);

/**
 * Inserts an answer, once per order; false when the order has one already. A survey keeps when it was shown, and with it its turn.
 * Call it with the customer locked.
 */
export const insertAnswer = async (tx: AnyTx, customerId: CustomerId, answer: Answer, now: Date): Promise<boolean> =>
  (await execute(
    tx,
    sql`insert into survey_answer (order_id, customer_id, type, question_id, response, comment, vendor_id, created_at)
        values (${answer.orderId}::int, ${customerId}::int, ${answer.type}, ${answer.questionId}, ${answer.response}, ${answer.comment}, ${answer.vendorId}::int, ${now})
        on conflict (order_id) do update set response = excluded.response, comment = excluded.comment, vendor_id = excluded.vendor_id
        where survey_answer.response = '' and survey_answer.type = excluded.type`,
  )) === 1;

export const vendorExists = async (db: Conn, id: number): Promise<boolean> =>
  (await queryOne(db, sql`select id from vendor where id = ${id}::int`, z.object({ id: z.number() }))) !== null;
