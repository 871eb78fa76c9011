import type { Client, Tx } from "@marketday/db";

import type { CustomerId } from "../identity/context.ts";

/** The facts that decide which survey is offered for an order. */
export interface SurveyFacts {
  /** The survey that was shown or answered for this order. */
  survey: { type: string; isAnswered: boolean } | null;
  /** All that were shown to the customer or answered, oldest first. */
  shown: { type: string; at: Date }[];
  isFirstOrder: boolean;
  hasHandle: boolean;
  hasSubscriptions: boolean;
}

/** Null for another customer's order. */
export async function findFacts(db: Client, customerId: CustomerId, orderId: number): Promise<SurveyFacts | null> {
  const isLive = { status: { not: "cancelled" } };
  const order = await db.order.findFirst({
    where: { id: orderId, customer_id: customerId, ...isLive },
    select: {
      survey: { select: { type: true, response: true } },
      customer: {
        select: {
          handle: true,
          surveys: {
            select: { type: true, created_at: true },
            orderBy: [{ created_at: "asc" }, { order_id: "asc" }],
          },
          // The first order.
          orders: { where: isLive, select: { id: true }, orderBy: [{ created_at: "asc" }, { id: "asc" }], take: 1 },
          // Whether there are any.
          subscriptions: { select: { customer_id: true }, take: 1 },
          bundle_subscriptions: { select: { customer_id: true }, take: 1 },
        },
      },
    },
  });
  if (!order?.customer) return null;
  const { survey, customer } = order;
  return {
    survey: survey && { type: survey.type, isAnswered: survey.response !== "" },
    shown: customer.surveys.map(({ type, created_at }) => ({ type, at: created_at })),
    isFirstOrder: customer.orders[0]?.id === orderId,
    hasHandle: customer.handle !== null,
    hasSubscriptions: customer.subscriptions.length > 0 || customer.bundle_subscriptions.length > 0,
  };
}

/** The vendors of the order, offered as answers to which vendor recommended the market. */
export const findOrderVendors = (db: Client, orderId: number): Promise<{ id: number; name: string }[]> =>
  db.vendor.findMany({
    where: { order_items: { some: { order_id: orderId } } },
    select: { id: true, name: true },
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });

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
export async function insertShown(
  tx: Tx,
  customerId: CustomerId,
  { orderId, type, questionId }: Pick<Answer, "orderId" | "type" | "questionId">,
  now: Date,
): Promise<boolean> {
  const shown = {
    order_id: orderId,
    customer_id: customerId,
    type,
    question_id: questionId,
    response: "",
    created_at: now,
  };
  return (await tx.survey_answer.createMany({ data: [shown], skipDuplicates: true })).count === 1;
}

/**
 * Inserts an answer, once per order; false when the order has one already. A survey keeps when it was shown, and with it its turn.
 * Call it with the customer locked.
 */
export async function insertAnswer(tx: Tx, customerId: CustomerId, answer: Answer, now: Date): Promise<boolean> {
  const { orderId, type, questionId, response, comment, vendorId } = answer;
  const data = { response, comment, vendor_id: vendorId };
  const shown = await tx.survey_answer.updateMany({ where: { order_id: orderId, type, response: "" }, data });
  if (shown.count === 1) return true;
  const created = await tx.survey_answer.createMany({
    data: [{ ...data, order_id: orderId, customer_id: customerId, type, question_id: questionId, created_at: now }],
    skipDuplicates: true,
  });
  return created.count === 1;
}

export const vendorExists = async (db: Client, id: number): Promise<boolean> =>
  (await db.vendor.findUnique({ where: { id }, select: { id: true } })) !== null;
