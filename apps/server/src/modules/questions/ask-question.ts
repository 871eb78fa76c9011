import { sqlTransaction } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Context } from "../../lib/context.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireCustomer } from "../../plugins/session.ts";
import { askVendor } from "../answers/ask-vendor.ts";
import { idOrSlug } from "../products/load-products.ts";
import { findAsked, insertQuestion } from "./store.ts";

/** A customer asks a product's vendor something (spec §5 Question); ten an hour. The vendor gets it by mail, with a link to answer by. Unknown product: 404. */
export async function askQuestion(
  { actor, deps, now }: Context,
  limits: Limits,
  text: string,
  question: string,
): Promise<void> {
  const customerId = requireCustomer(actor);
  const which = idOrSlug(text);
  const product = which && (await findAsked(deps.db, which, customerId));
  if (!product) throw notFound();
  await limits.question.take(customerId);
  await sqlTransaction(deps.db, async (tx) => {
    const matterId = await insertQuestion(tx, customerId, product.id, question, now);
    const mailKey = `question:${matterId}`;
    await askVendor(tx, deps.env, { vendorId: product.vendor_id, matter: "question", matterId, mailKey, now });
  });
}
