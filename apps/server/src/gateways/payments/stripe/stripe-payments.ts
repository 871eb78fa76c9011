import type { Db } from "@marketday/db";
import type Stripe from "stripe";

import {
  type Authorization,
  type Charge,
  type Found,
  type ProviderCustomer,
  type PaymentProvider,
  ProviderUnavailable,
  type SavedCard,
} from "../payments.ts";
import { circuitBreaker } from "./breaker.ts";
import { callStripe, createStripe, isCardError, isInvalid, limitsOf, type StripeSettings } from "./client.ts";
import { dropStripeCustomer, stripeCustomerOf, withStripeCustomer } from "./customers.ts";
import { foundOf, toDeclined, savedOf } from "./declined.ts";

/** Where a PaymentIntent says which charge of ours it is. */
export const KEY = "marketday_key";
/** Where a refund says which row of ours it is. */
export const REFUND_KEY = "marketday_refund";

/** What Stripe has of a charge as an authorisation; captured counts, a charge that was let go was refused. */
function asAuthorization(found: Found): Authorization {
  switch (found.state) {
    case "captured":
      return {
        state: "authorized",
        ref: found.ref,
        saved: found.saved ?? null,
        cardFingerprint: found.cardFingerprint ?? null,
      };
    case "voided":
      return toDeclined(found.ref, { message: "This payment was cancelled." });
    default:
      return found;
  }
}

/**
 * Stripe behind the port: one PaymentIntent a charge, captured by hand, its metadata naming our key, so that it is found
 * again by listing when a reply was lost or the idempotency key is older than Stripe keeps it (failures.md B12). Card data
 * comes as a ConfirmationToken of the Payment Element and never passes through here.
 */
export function stripePayments(
  settings: StripeSettings,
  db: Db,
  elapsed: () => number,
  now: () => Date,
): PaymentProvider & { stripe: Stripe } {
  const stripe = createStripe(settings);
  const { asking } = limitsOf(settings);
  const breaker = circuitBreaker(elapsed);
  const ask = <T>(work: () => Promise<T>): Promise<T> => breaker.run(() => callStripe(work));
  const forCustomer = <T>(payer: ProviderCustomer, call: (customer: string) => Promise<T>): Promise<T> =>
    ask(() => withStripeCustomer(stripe, db, payer, now, call));

  /** The intent of a charge; by its id where that is known, else by listing the customer's. */
  async function intentOf({ key, customerId, ref }: Charge): Promise<Stripe.PaymentIntent | null> {
    if (ref) {
      const known = await ask(() => stripe.paymentIntents.retrieve(ref, { expand: ["payment_method"] }, asking));
      if (known.metadata[KEY] === key) return known;
    }
    const customer = await stripeCustomerOf(db, customerId);
    if (customer === null) return null;
    return ask(async () => {
      const pages = stripe.paymentIntents.list({ customer, limit: 100, expand: ["data.payment_method"] }, asking);
      for await (const intent of pages) if (intent.metadata[KEY] === key) return intent;
      return null;
    });
  }

  const cardOf = (intent: Stripe.SetupIntent): SavedCard => {
    if (intent.status === "requires_action" || intent.status === "requires_confirmation")
      return { challenge: { ref: intent.id, clientSecret: intent.client_secret ?? "" } };
    const saved = intent.status === "succeeded" ? savedOf(intent.payment_method) : null;
    if (saved) return saved;
    const { reason, code } = toDeclined(intent.id, intent.last_setup_error);
    return { reason, code };
  };

  return {
    name: "stripe",
    takesCards: true,
    stripe,
    async authorize({ key, customerId, amountCents, means }) {
      if (!means.token && !means.savedRef) return toDeclined(null, { message: "Enter a card." });
      try {
        const intent = await forCustomer({ customerId }, (customer) =>
          stripe.paymentIntents.create(
            {
              amount: amountCents,
              currency: "usd",
              capture_method: "manual",
              confirm: true,
              customer,
              allowed_payment_method_types: ["card"],
              metadata: { [KEY]: key, marketday_customer: String(customerId) },
              expand: ["payment_method"],
              ...(means.savedRef
                ? {
                    payment_method: means.savedRef,
                    ...(means.offSession ? { off_session: true } : { use_stripe_sdk: true }),
                  }
                : { confirmation_token: means.token!, use_stripe_sdk: true }),
              ...(means.save && !means.savedRef && { setup_future_usage: "off_session" as const }),
            },
            { idempotencyKey: `${key} ${customer}` },
          ),
        );
        return asAuthorization(foundOf(intent));
      } catch (error) {
        if (isCardError(error)) return toDeclined(error.payment_intent?.id ?? null, error);
        if (!isInvalid(error)) throw error;
        // A token that was used before: our own first try may have gone through.
        const before = await intentOf({ key, customerId });
        if (before) return asAuthorization(foundOf(before));
        return toDeclined(null, { message: "This card could not be used. Please enter it again." });
      }
    },
    async find(charge) {
      const intent = await intentOf(charge);
      return intent && foundOf(intent);
    },
    async confirm(charge) {
      const intent = await intentOf(charge);
      if (!intent) throw new ProviderUnavailable("the payment is not at Stripe");
      return asAuthorization(foundOf(intent));
    },
    async saveCard(payer, { token }) {
      if (!token) return { reason: "Enter a card.", code: "card_declined" };
      try {
        const intent = await forCustomer(payer, (customer) =>
          stripe.setupIntents.create(
            {
              customer,
              confirm: true,
              confirmation_token: token,
              usage: "off_session",
              use_stripe_sdk: true,
              allowed_payment_method_types: ["card"],
              metadata: { marketday_customer: String(payer.customerId) },
              expand: ["payment_method"],
            },
            { idempotencyKey: `setup ${token} ${customer}` },
          ),
        );
        return cardOf(intent);
      } catch (error) {
        if (!isCardError(error) && !isInvalid(error)) throw error;
        const { reason, code } = toDeclined(null, error);
        return { reason, code };
      }
    },
    async confirmCard({ customerId }, ref) {
      try {
        const intent = await ask(() => stripe.setupIntents.retrieve(ref, { expand: ["payment_method"] }, asking));
        return intent.metadata?.["marketday_customer"] === String(customerId) ? cardOf(intent) : null;
      } catch (error) {
        if (isInvalid(error)) return null;
        throw error;
      }
    },
    async forgetCard(ref) {
      try {
        await ask(() => stripe.paymentMethods.detach(ref));
      } catch (error) {
        if (!isInvalid(error)) throw error;
      }
    },
    async forgetPayer(customerId) {
      const customer = await stripeCustomerOf(db, customerId);
      if (customer === null) return;
      try {
        await ask(() => stripe.customers.del(customer));
      } catch (error) {
        if (!isInvalid(error) || error.code !== "resource_missing") throw error;
      }
      await dropStripeCustomer(db, customerId, customer);
    },
    async capture({ amountCents, ...charge }) {
      const intent = await intentOf(charge);
      if (!intent || intent.status === "canceled") return "gone";
      if (intent.status === "succeeded") return "captured";
      try {
        const taken = await ask(() =>
          stripe.paymentIntents.capture(
            intent.id,
            { amount_to_capture: amountCents },
            { idempotencyKey: `capture ${charge.key} ${amountCents}` },
          ),
        );
        return taken.status === "succeeded" ? "captured" : "gone";
      } catch (error) {
        if (!isInvalid(error) && !isCardError(error)) throw error;
        // Taken by another server in between, or the bank let go of the hold.
        return (await intentOf({ ...charge, ref: intent.id }))?.status === "succeeded" ? "captured" : "gone";
      }
    },
    async void(charge) {
      const intent = await intentOf(charge);
      if (!intent) return false;
      if (intent.status === "canceled" || intent.status === "succeeded") return true;
      try {
        await ask(() => stripe.paymentIntents.cancel(intent.id, {}, { idempotencyKey: `void ${charge.key}` }));
      } catch (error) {
        if (!isInvalid(error)) throw error;
        if ((await intentOf({ ...charge, ref: intent.id }))?.status !== "canceled") throw error;
      }
      return true;
    },
    async refund({ refundKey, amountCents, ...charge }) {
      const intent = await intentOf(charge);
      if (!intent || intent.status !== "succeeded") return { state: "failed", reason: "Nothing was taken." };
      const given = await ask(async () => {
        // The idempotency key may be older than Stripe keeps it: what was given is asked for first.
        const pages = stripe.refunds.list({ payment_intent: intent.id, limit: 100 }, asking);
        for await (const refund of pages) if (refund.metadata?.[REFUND_KEY] === refundKey) return refund;
        return null;
      });
      try {
        const refund =
          given ??
          (await ask(() =>
            stripe.refunds.create(
              { payment_intent: intent.id, amount: amountCents, metadata: { [REFUND_KEY]: refundKey } },
              { idempotencyKey: refundKey },
            ),
          ));
        return refund.status === "failed" || refund.status === "canceled"
          ? { state: "failed", reason: refund.failure_reason ?? "The card did not take it." }
          : { state: "done", ref: refund.id };
      } catch (error) {
        if (!isInvalid(error) && !isCardError(error)) throw error;
        return { state: "failed", reason: error.message };
      }
    },
  };
}
