import type { Stripe } from "@stripe/stripe-js";
import { afterEach, expect, test, vi } from "vitest";

import { createCardForm, type FormUse } from "./stripe-form.ts";

afterEach(() => vi.unstubAllGlobals());

/** Stripe's script as far as a card form uses it. */
function mount(use: FormUse) {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("getComputedStyle", () => ({ colorScheme: "light" }));
  const card = { on: vi.fn(), mount: vi.fn(), destroy: vi.fn() };
  const elements = { create: vi.fn(() => card), update: vi.fn() };
  const stripe = { elements: vi.fn((_options: unknown) => elements) };
  const listeners = { onReady: () => undefined, onChange: () => undefined };
  const form = createCardForm(stripe as unknown as Stripe, {} as HTMLElement, use, listeners);
  return { form, card, elements, options: stripe.elements.mock.calls[0]?.[0], listeners };
}

test("Stripe's form: a payment is authorized and not captured, in dollars, and keeps the card only when chosen", () => {
  const { options } = mount({ kind: "payment", cents: 4720, saves: false });
  expect(options).toMatchObject({
    mode: "payment",
    captureMethod: "manual",
    currency: "usd",
    amount: 4720,
    setupFutureUsage: null,
  });
  expect(mount({ kind: "payment", cents: 4720, saves: true }).options).toMatchObject({
    setupFutureUsage: "off_session",
  });
});

test("Stripe's form: an amount below the least one that Stripe takes is that one", () => {
  expect([0, 50, 51].map((cents) => mount({ kind: "payment", cents, saves: false }).options)).toMatchObject([
    { amount: 50 },
    { amount: 50 },
    { amount: 51 },
  ]);
});

test("Stripe's form: a changed total follows, a card that is only kept has none, and what is typed is announced", () => {
  const { form, card, elements, listeners } = mount({ kind: "payment", cents: 4720, saves: false });
  void form.update({ kind: "payment", cents: 5000, saves: true });
  expect(elements.update).toHaveBeenCalledExactlyOnceWith({ amount: 5000, setupFutureUsage: "off_session" });
  expect(card.on.mock.calls).toEqual([
    ["ready", listeners.onReady],
    ["change", listeners.onChange],
  ]);
  form.remove();
  expect(card.destroy).toHaveBeenCalledTimes(1);

  const setup = mount({ kind: "setup" });
  expect(setup.options).toMatchObject({ mode: "setup" });
  expect(setup.options).not.toHaveProperty("amount");
  void setup.form.update({ kind: "setup" });
  expect(setup.elements.update).not.toHaveBeenCalled();
});
