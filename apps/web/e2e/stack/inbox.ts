import type { Db } from "../../../../prisma/src/client.ts";
import { createCustomer, createHubNow, createOrder } from "../../../server/test/factories.ts";
import { createNewProduct } from "./market.ts";

/** A market in which a shopper wrote a message, a question and a review to a vendor without an address, and someone applied. */
export async function createInbox(db: Db, pepper: string, { words }: { words: string }) {
  const hub = await createHubNow(db);
  const product = await createNewProduct(db, hub.id, { title: `Duck eggs ${words}` });
  const { id: customerId, email } = await createCustomer(db, { pepper, hubId: hub.id, firstName: "Ana" });
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const { id: vendorId } = await db.vendor.findFirstOrThrow({ where: { products: { some: { id: product.id } } } });
  const thread = await db.thread.create({
    data: { customer_id: customerId, vendor_id: vendorId, updated_at: ago(30) },
  });
  await db.message.create({
    data: { thread_id: thread.id, sender: "C", message: `Are they large? ${words}`, created_at: ago(30) },
  });
  const review = await db.review.create({
    data: {
      customer_id: customerId,
      product_id: product.id,
      rating_halves: 2,
      comment: `Rotten, all of them. ${words}`,
      created_at: ago(3),
    },
  });
  const question = await db.question.create({
    data: {
      customer_id: customerId,
      product_id: product.id,
      question: `Do they keep for two weeks? ${words}`,
      created_at: ago(2),
    },
  });
  return {
    hub: { id: hub.id, slug: hub.slug },
    customer: { id: customerId, email: email ?? "" },
    product: { id: product.id, slug: product.slug },
    messageId: thread.id,
    reviewId: review.id,
    questionId: question.id,
  };
}

/** A market in which shoppers have questions to a vendor without an address, and reported problems with their orders, an hour apart. */
export async function createQuestions(
  db: Db,
  pepper: string,
  { questions, problems, words }: { questions: number; problems: number; words: string },
) {
  const hub = await createHubNow(db);
  const product = await createNewProduct(db, hub.id, { title: `Duck eggs ${words}` });
  const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000);
  const emails: string[] = [];
  for (let made = 1; made <= questions + problems; made += 1) {
    const { id: customer_id, email } = await createCustomer(db, { pepper, hubId: hub.id, firstName: "Ana" });
    emails.push(email ?? "");
    const created_at = ago(30 - made);
    if (made <= questions) {
      const question = `Do they keep for ${made} weeks? ${words}`;
      await db.question.create({ data: { customer_id, product_id: product.id, question, created_at } });
    } else {
      const order = await createOrder(db, { customerId: customer_id, hub, product, status: "cancelled" });
      const message = `Box ${made} came wet. ${words}`;
      await db.problem_report.create({ data: { customer_id, order_id: order.id, message, created_at } });
    }
  }
  return { hubId: hub.id, emails };
}
