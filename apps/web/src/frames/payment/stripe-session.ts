import type { Stripe, StripeElements } from "@stripe/stripe-js";

import { config } from "../../lib/boot.ts";

/** Whether cards are typed into Stripe's own form instead of ours. */
export const usesStripe = config.payments === "stripe";

/** What the form is for: a payment of so many cents, the card kept or not; or a card to keep alone. */
export type FormUse = { kind: "payment"; cents: number; saves: boolean } | { kind: "setup" };

let script: Promise<Stripe> | null = null;
let form: { stripe: Stripe; elements: StripeElements } | null = null;
let tokenInHand: string | null = null;

/** Stripe's script, fetched when a card form is first shown; fetched again after a failure. */
async function stripeScript(): Promise<Stripe> {
  script ??= import("@stripe/stripe-js/pure").then(async ({ loadStripe }) => {
    const stripe = await loadStripe(config.stripeKey ?? "");
    if (!stripe) throw new Error("no Stripe");
    return stripe;
  });
  try {
    return await script;
  } catch (error) {
    script = null;
    throw error;
  }
}

const optionsOf = (use: FormUse) =>
  use.kind === "payment"
    ? { amount: Math.max(50, use.cents), setupFutureUsage: use.saves ? ("off_session" as const) : null }
    : {};

/** Puts Stripe's form into `place`. Returns how to change what it is for, and how to take it out. Rejects when the script does not come. */
export async function mountCardForm(place: HTMLElement, use: FormUse, onReady: () => void) {
  const stripe = await stripeScript();
  const dark = getComputedStyle(document.documentElement).colorScheme === "dark";
  const shared = {
    currency: "usd",
    allowedPaymentMethodTypes: ["card"],
    appearance: { theme: dark ? ("night" as const) : ("stripe" as const) },
  };
  const elements =
    use.kind === "payment"
      ? stripe.elements({
          mode: "payment",
          captureMethod: "manual",
          ...shared,
          ...optionsOf(use),
          amount: Math.max(50, use.cents),
        })
      : stripe.elements({ mode: "setup", ...shared });
  const card = elements.create("payment", { wallets: { applePay: "never", googlePay: "never" } });
  card.on("ready", onReady);
  card.on("change", () => void (tokenInHand = null));
  card.mount(place);
  form = { stripe, elements };
  return {
    update: (next: FormUse) => next.kind === "payment" && elements.update(optionsOf(next)),
    remove: () => {
      card.destroy();
      if (form?.elements === elements) form = null;
    },
  };
}

/**
 * The one-time token for the typed card. The same one while the result of its attempt is unknown, so that the attempt
 * stays the same; `forgetToken` when it is known. `problem`: the form's message; the form marks the field.
 */
export async function cardToken(): Promise<{ token: string } | { problem: string }> {
  if (tokenInHand !== null) return { token: tokenInHand };
  if (!form) return { problem: "The card form is still loading. Please wait a moment." };
  const { stripe, elements } = form;
  const { error: incomplete } = await elements.submit();
  if (incomplete) return { problem: incomplete.message ?? "Please check your card." };
  const { confirmationToken, error } = await stripe.createConfirmationToken({ elements });
  if (error) return { problem: error.message ?? "Please check your card." };
  tokenInHand = confirmationToken.id;
  return { token: confirmationToken.id };
}

/** The attempt's end is known: the next one needs a new token. */
export const forgetToken = (): void => void (tokenInHand = null);

/** Shows the bank's question. Whether it was answered with yes is for the server to ask Stripe. */
export async function answerBank(clientSecret: string): Promise<void> {
  const stripe = await stripeScript();
  await stripe.handleNextAction({ clientSecret });
}
