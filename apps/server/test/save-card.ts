import type { Db } from "@marketday/db";
import { expect } from "vitest";

import { type FakeStripe, tokenOf } from "./fake-stripe.ts";
import type { signIn } from "./sign-in.ts";

/** Saves a card at the fake of Stripe, which the bank confirms. Returns its number in the account. */
export async function saveCardOf(
  { db, fake }: { db: Db; fake: FakeStripe },
  who: Awaited<ReturnType<typeof signIn>>,
  number: string,
): Promise<number> {
  const saved = await who.post("/payment-methods", { confirmationToken: tokenOf(number) });
  if (saved.status === 202) {
    const { setupId } = saved.body.challenge;
    fake.answerBank(setupId, true);
    expect((await who.post("/payment-methods/complete", { setupId })).status).toBe(200);
  }
  const { id } = await db.payment_method.findFirstOrThrow({
    where: { customer_id: who.customer.id, last4: number.slice(-4) },
  });
  return id;
}
