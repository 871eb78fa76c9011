import type { PaymentProvider } from "./payments.ts";

const NO_CARDS = { reason: "This market takes no cards.", code: "card_declined" } as const;

/** Pay at pickup or at the door, recorded by operators (docs/product.md §7). Nothing to ask anybody. */
export const offlinePayments = (): PaymentProvider => ({
  name: "offline",
  takesCards: false,
  authorize: async ({ key }) => ({ state: "authorized", ref: key, saved: null, cardFingerprint: null }),
  find: async ({ key }) => ({ state: "authorized", ref: key, saved: null, cardFingerprint: null }),
  confirm: async ({ key }) => ({ state: "authorized", ref: key, saved: null, cardFingerprint: null }),
  saveCard: async () => NO_CARDS,
  confirmCard: async () => NO_CARDS,
  forgetCard: async () => undefined,
  forgetPayer: async () => undefined,
  capture: async () => "captured",
  void: async () => true,
  refund: async ({ refundKey }) => ({ state: "done", ref: refundKey }),
});
