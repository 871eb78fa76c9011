import { atEnd } from "@marketday/db/testing";

import { type FakeStripe, fakeStripe } from "./fake-stripe.ts";

/** A fake Stripe for a test, closed at the end of the test or file. */
export async function testStripe(...args: Parameters<typeof fakeStripe>): Promise<FakeStripe> {
  const fake = await fakeStripe(...args);
  atEnd(fake.close);
  return fake;
}
