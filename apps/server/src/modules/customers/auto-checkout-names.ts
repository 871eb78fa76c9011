import type { Customer } from "@marketday/contracts/admin/customers";
import { AUTO_CHECKOUT, type AutoCheckoutStatus } from "@marketday/domain/subscription";

type Name = Customer["autoCheckout"];

/** The names of what auto-checkout orders, by its stored status. */
export const AUTO_CHECKOUT_NAMES: Readonly<Record<number, Name>> = {
  [AUTO_CHECKOUT.off]: "off",
  [AUTO_CHECKOUT.fullCart]: "cart",
  [AUTO_CHECKOUT.subscribedOnly]: "subscriptions",
};

export const AUTO_CHECKOUT_STATUS: Readonly<Record<Name, AutoCheckoutStatus>> = {
  off: AUTO_CHECKOUT.off,
  cart: AUTO_CHECKOUT.fullCart,
  subscriptions: AUTO_CHECKOUT.subscribedOnly,
};
