import type { Db } from "@marketday/db";
import type Stripe from "stripe";

import {
  type Authorization,
  type Charge,
  type ChargeState,
  type ProviderCustomer,
  type PaymentProvider,
  ProviderUnavailable,
  type SavedCard,
} from "../payments.ts";
import { refusedAs } from "../refusals.ts";
import { circuitBreaker } from "./breaker.ts";
import {
  accountRefusalOf,
  callStripe,
  createStripe,
  isCardError,
  isInvalid,
  isKeyReused,
  limitsOf,
  type StripeSettings,
} from "./client.ts";
import { dropStripeCustomer, findStripeCustomers, stripeCustomerOf, withStripeCustomer } from "./customers.ts";
import { chargeStateOf, toDeclined, savedOf } from "./declined.ts";
import { REFUND_KEY, refundFailureOf, stripeMovedMoney } from "./moved-money.ts";
import { meaningOf, type StripeProblem } from "./refusal-codes.ts";

/** Metadata field of a PaymentIntent with the key of our charge. */
export const KEY = "marketday_key";

const NO_CARD = refusedAs("card_incorrect", { reason: "Enter a card." });
const CANCELED = refusedAs("card_declined", { reason: "This payment was canceled." });

/** The fields of a thrown error. Its `type` is the class's; the wire's is in `rawType`. */
const problemOf = ({ rawType, code, decline_code, message, param }: Stripe.errors.StripeError): StripeProblem => ({
  type: rawType ?? "api_error",
  code,
  decline_code,
  message,
  param,
});

/** The state of a charge as an authorization: captured is authorized, voided is declined. */
function asAuthorization(charge: ChargeState): Authorization {
  switch (charge.state) {
    case "captured":
      return {
        state: "authorized",
        ref: charge.ref,
        amountCents: charge.amountCents,
        saved: charge.saved ?? null,
        cardFingerprint: charge.cardFingerprint ?? null,
      };
    case "voided":
      return { state: "declined", ref: charge.ref, ...CANCELED };
    default:
      return charge;
  }
}

/**
 * Payments by Stripe: one PaymentIntent per charge with manual capture. Its metadata contains our key, so that it is found by
 * listing when a response was lost or Stripe has deleted the idempotency key (failures.md B12). Cards are ConfirmationTokens
 * of the Payment Element; card data never reaches this server.
 */
export function stripePayments(
  settings: StripeSettings,
  db: Db,
  elapsed: () => number,
  now: () => Date,
): PaymentProvider & { stripe: Stripe } {
  const stripe = createStripe(settings);
  const { readOptions } = limitsOf(settings);
  const breaker = circuitBreaker(elapsed);
  const call = <T>(work: () => Promise<T>): Promise<T> => breaker.run(() => callStripe(work));
  const forCustomer = <T>(customer: ProviderCustomer, work: (customer: string) => Promise<T>): Promise<T> =>
    call(() => withStripeCustomer(stripe, db, customer, now, work));

  /** The intent of a charge, by its id when known, else by listing the customer's intents. */
  async function intentOf({ key, customerId, ref }: Charge): Promise<Stripe.PaymentIntent | null> {
    if (ref) {
      const intent = await call(() => stripe.paymentIntents.retrieve(ref, { expand: ["payment_method"] }, readOptions));
      if (intent.metadata[KEY] === key) return intent;
    }
    const customer = await stripeCustomerOf(db, customerId);
    if (customer === null) return null;
    return call(async () => {
      const pages = stripe.paymentIntents.list({ customer, limit: 100, expand: ["data.payment_method"] }, readOptions);
      for await (const intent of pages) if (intent.metadata[KEY] === key) return intent;
      return null;
    });
  }

  const cardOf = (intent: Stripe.SetupIntent): SavedCard => {
    if (intent.status === "requires_action" || intent.status === "requires_confirmation")
      return { challenge: { ref: intent.id, clientSecret: intent.client_secret ?? "" } };
    const saved = intent.status === "succeeded" ? savedOf(intent.payment_method) : null;
    if (saved) return saved;
    return meaningOf(intent.last_setup_error ?? {});
  };

  return {
    name: "stripe",
    movedMoney: stripeMovedMoney(stripe, readOptions),
    takesCards: true,
    stripe,
    async authorize({ key, customerId, amountCents, means }) {
      if (!means.token && !means.savedRef) return { state: "declined", ref: null, ...NO_CARD };
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
        return asAuthorization(chargeStateOf(intent));
      } catch (error) {
        if (isCardError(error)) return toDeclined(error.payment_intent?.id ?? null, problemOf(error));
        const refusal = accountRefusalOf(error);
        if (refusal) return toDeclined(null, problemOf(refusal));
        if (!isInvalid(error) && !isKeyReused(error)) throw error;
        // The token or the key was used before: our first try may have succeeded.
        const existing = await intentOf({ key, customerId });
        if (existing) return asAuthorization(chargeStateOf(existing));
        return toDeclined(null, isInvalid(error) ? problemOf(error) : { type: "idempotency_error" });
      }
    },
    async find(charge) {
      const intent = await intentOf(charge);
      return intent && chargeStateOf(intent);
    },
    async listOpen() {
      const intents = await call(async () => {
        const found: Stripe.PaymentIntent[] = [];
        const pages = stripe.paymentIntents.search({ query: "status:'requires_capture'", limit: 100 });
        for await (const intent of pages) found.push(intent);
        return found;
      });
      const customerOf = ({ customer }: Stripe.PaymentIntent) =>
        typeof customer === "string" ? customer : (customer?.id ?? "");
      const ours = await findStripeCustomers(db, [...new Set(intents.map(customerOf))]);
      return intents.map((intent) => ({
        key: intent.metadata[KEY] ?? null,
        ref: intent.id,
        amountCents: intent.amount_capturable,
        isOfOurCustomer: ours.has(customerOf(intent)),
      }));
    },
    async confirm(charge) {
      const intent = await intentOf(charge);
      if (!intent) throw new ProviderUnavailable("the payment is not at Stripe");
      return asAuthorization(chargeStateOf(intent));
    },
    async saveCard({ customerId }, { token }) {
      if (!token) return NO_CARD;
      try {
        const intent = await forCustomer({ customerId }, (customer) =>
          stripe.setupIntents.create(
            {
              customer,
              confirm: true,
              confirmation_token: token,
              usage: "off_session",
              use_stripe_sdk: true,
              allowed_payment_method_types: ["card"],
              metadata: { marketday_customer: String(customerId) },
              expand: ["payment_method"],
            },
            { idempotencyKey: `setup ${token} ${customer}` },
          ),
        );
        return cardOf(intent);
      } catch (error) {
        const refusal = isCardError(error) || isInvalid(error) ? error : accountRefusalOf(error);
        if (!refusal) throw error;
        return meaningOf(problemOf(refusal));
      }
    },
    async confirmCard({ customerId }, ref) {
      try {
        const intent = await call(() => stripe.setupIntents.retrieve(ref, { expand: ["payment_method"] }, readOptions));
        return intent.metadata?.["marketday_customer"] === String(customerId) ? cardOf(intent) : null;
      } catch (error) {
        if (isInvalid(error)) return null;
        throw error;
      }
    },
    async deleteCard(ref) {
      try {
        await call(() => stripe.paymentMethods.detach(ref));
      } catch (error) {
        if (!isInvalid(error)) throw error;
      }
    },
    async deleteCustomer(customerId) {
      const customer = await stripeCustomerOf(db, customerId);
      if (customer === null) return;
      try {
        await call(() => stripe.customers.del(customer));
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
        const captured = await call(() =>
          stripe.paymentIntents.capture(
            intent.id,
            { amount_to_capture: amountCents },
            { idempotencyKey: `capture ${charge.key} ${amountCents}` },
          ),
        );
        return captured.status === "succeeded" ? "captured" : "gone";
      } catch (error) {
        if (!isInvalid(error) && !isCardError(error)) throw error;
        // Captured by another server in the meantime, or the authorization expired. Refused for another reason, it still stands.
        const after = await intentOf({ ...charge, ref: intent.id });
        if (after?.status === "succeeded") return "captured";
        if (after?.status !== "requires_capture") return "gone";
        throw new ProviderUnavailable(`the capture was refused: ${meaningOf(problemOf(error)).detail}`, {
          cause: error,
        });
      }
    },
    async void(charge) {
      const intent = await intentOf(charge);
      if (!intent) return false;
      if (intent.status === "canceled" || intent.status === "succeeded") return true;
      try {
        await call(() => stripe.paymentIntents.cancel(intent.id, {}, { idempotencyKey: `void ${charge.key}` }));
      } catch (error) {
        if (!isInvalid(error)) throw error;
        if ((await intentOf({ ...charge, ref: intent.id }))?.status !== "canceled") throw error;
      }
      return true;
    },
    async refund({ refundKey, amountCents, refusedAt, ...charge }) {
      const intent = await intentOf(charge);
      if (!intent || intent.status !== "succeeded")
        return { state: "failed", failure: "refused", reason: "Nothing was taken." };
      const existing = await call(async () => {
        // Stripe may have deleted the idempotency key, so existing refunds are listed first.
        const pages = stripe.refunds.list({ payment_intent: intent.id, limit: 100 }, readOptions);
        for await (const refund of pages) if (refund.metadata?.[REFUND_KEY] === refundKey) return refund;
        return null;
      });
      try {
        const refund =
          existing ??
          (await call(() =>
            stripe.refunds.create(
              { payment_intent: intent.id, amount: amountCents, metadata: { [REFUND_KEY]: refundKey } },
              // Stripe stores a refusal under the key, too.
              { idempotencyKey: refusedAt ? `${refundKey} ${refusedAt.getTime()}` : refundKey },
            ),
          ));
        if (refund.status === "failed" || refund.status === "canceled")
          return {
            state: "failed",
            failure: refundFailureOf(refund.failure_reason),
            reason: refund.failure_reason ?? "The card did not take it.",
          };
        return { state: refund.status === "succeeded" ? "done" : "pending", ref: refund.id };
      } catch (error) {
        if (!isInvalid(error) && !isCardError(error)) throw error;
        return { state: "failed", failure: refundFailureOf(error.code), reason: error.message };
      }
    },
  };
}
