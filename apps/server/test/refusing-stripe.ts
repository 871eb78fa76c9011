import type { Context } from "../src/modules/identity/context.ts";
import { renderMail } from "../src/modules/mail/layout.ts";
import { buildTestApp } from "./app.ts";
import { saveCardOf } from "./save-card.ts";
import type { signIn } from "./sign-in.ts";
import { testStripe } from "./test-stripe.ts";

const SECRET = "whsec_of_the_refusals_0123456789";

/** The bank wants each payment of this card to be confirmed. */
export const ASKING = "4000002760003184";

type Browser = Awaited<ReturnType<typeof signIn>>;

/** A market with a fake of Stripe that refuses, and what tests about its refusals read. */
export async function refusingStripe() {
  const fake = await testStripe({ webhookSecret: SECRET, now: () => market.clock.now() });
  const market = await buildTestApp({
    env: {
      PAYMENTS: "stripe",
      STRIPE_SECRET_KEY: "sk_test_1",
      STRIPE_PUBLISHABLE_KEY: "pk_test_1",
      STRIPE_WEBHOOK_SECRET: SECRET,
      STRIPE_API_URL: fake.url,
    },
  });
  const { db, deps } = market;
  const context = (at?: string): Context => {
    if (at) market.clock.set(at);
    return { now: market.clock.now(), actor: { type: "system", job: "test" }, deps };
  };
  const saveCard = (who: Browser, number: string) => saveCardOf({ db, fake }, who, number);
  const mailsTo = async (who: Browser) => {
    const mails = await db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } });
    return Promise.all(
      mails.map(async ({ template, data }) => {
        const content = await deps.mailTemplates[template]!.content(deps, data as never, market.clock.now());
        return { template, text: content ? renderMail(content, deps.env).text : "" };
      }),
    );
  };
  const templatesTo = async (who: Browser) => (await mailsTo(who)).map(({ template }) => template);
  const intentsOf = async (who: Browser) => {
    const { stripe_customer_id: id } = await db.customer.findUniqueOrThrow({ where: { id: who.customer.id } });
    return [...fake.intents.values()].filter(({ customer }) => customer === id);
  };
  return { market, fake, db, context, saveCard, mailsTo, templatesTo, intentsOf };
}
