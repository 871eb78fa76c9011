import type { Stripe, StripeElements } from "@stripe/stripe-js";

import { config } from "../../lib/boot.ts";
import type { FormUse } from "./stripe-form.ts";

/** Whether cards are typed into Stripe's own form instead of ours. */
export const usesStripe = config.payments === "stripe";

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

/** Puts Stripe's form into `place`. Returns how to change what it is for, and how to take it out. Rejects when the script does not come. */
export async function mountCardForm(place: HTMLElement, use: FormUse, onReady: () => void) {
  // How the form is set up is fetched together with the script: a market without Stripe does without it.
  const [stripe, { createCardForm }] = await Promise.all([stripeScript(), import("./stripe-form.ts")]);
  const { elements, update, remove } = createCardForm(stripe, place, use, { onReady, onChange: forgetToken });
  form = { stripe, elements };
  return {
    update,
    remove: () => {
      remove();
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
