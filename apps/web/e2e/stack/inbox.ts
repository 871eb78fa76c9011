import type { Db } from "../../../../prisma/src/client.ts";
import { createCustomer, createHubNow } from "../../../server/test/factories.ts";
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
