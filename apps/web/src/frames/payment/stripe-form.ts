import type { Stripe } from "@stripe/stripe-js";

/** What the form is for: a payment of so many cents, the card kept or not; or a card to keep alone. */
export type FormUse = { kind: "payment"; cents: number; saves: boolean } | { kind: "setup" };

const optionsOf = ({ cents, saves }: Extract<FormUse, { kind: "payment" }>) => ({
  amount: Math.max(50, cents),
  setupFutureUsage: saves ? ("off_session" as const) : null,
});

interface Listeners {
  onReady: () => void;
  /** Something was typed. */
  onChange: () => void;
}

/** Stripe's form for a card, in `place`. */
export function createCardForm(stripe: Stripe, place: HTMLElement, use: FormUse, { onReady, onChange }: Listeners) {
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
        })
      : stripe.elements({ mode: "setup", ...shared });
  const card = elements.create("payment", { wallets: { applePay: "never", googlePay: "never" } });
  card.on("ready", onReady);
  card.on("change", onChange);
  card.mount(place);
  return {
    elements,
    update: (next: FormUse) => next.kind === "payment" && elements.update(optionsOf(next)),
    remove: () => card.destroy(),
  };
}
