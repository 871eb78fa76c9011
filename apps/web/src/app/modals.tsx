import { lazyWithRetry, type LazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { ComponentType } from "react";

import type { Modal, ModalKind, ModalProps } from "../navigation/modals.ts";

export interface ModalEntry {
  size: "small" | "cart" | "page" | "panel" | "full";
  Content: LazyWithRetry<ModalProps>;
}

/** A content may name the kind of modal it is for: it is never given another. */
const modal = <M extends Modal>(
  size: ModalEntry["size"],
  load: () => Promise<{ default: ComponentType<ModalProps<M>> }>,
): ModalEntry => ({ size, Content: lazyWithRetry(load) as unknown as LazyWithRetry<ModalProps> });

/**
 * Every layer without an address, in one place. Whatever opens one asks first whether it is here (`hasModal`): a new
 * line here is all that its buttons and menu rows wait for.
 */
export const modals: Partial<Record<ModalKind, ModalEntry>> = {
  welcome: modal("small", () => import("../features/hubs/welcome-modal.tsx")),
  market: modal("small", () => import("../features/hubs/market-modal.tsx")),
  "shop-here": modal("small", () => import("../features/hubs/shop-here-modal.tsx")),
  info: modal("small", () => import("../features/info/info-modal.tsx")),
  photos: modal("full", () => import("../features/photos/photos-modal.tsx")),
  login: modal("small", () => import("../features/auth/login-modal.tsx")),
  register: modal("small", () => import("../features/auth/register-modal.tsx")),
  forgot: modal("small", () => import("../features/auth/forgot-modal.tsx")),
  "my-data": modal("small", () => import("../features/account/my-data-modal.tsx")),
  "email-capture": modal("small", () => import("../features/welcome/email-capture-modal.tsx")),
  "referral-step": modal("small", () => import("../features/welcome/referral-step-modal.tsx")),
  "need-account": modal("small", () => import("../features/auth/need-account-modal.tsx")),
  search: modal("page", () => import("../features/search/search-modal.tsx")),
  share: modal("small", () => import("../features/share/share-modal.tsx")),
  cart: modal("cart", () => import("../features/cart/cart-modal.tsx")),
  checkout: modal("full", () => import("../features/checkout/checkout-overlay.tsx")),
  endorse: modal("small", () => import("../features/vendors/endorse-modal.tsx")),
  message: modal("small", () => import("../features/inbox/message-modal.tsx")),
  "report-problem": modal("panel", () => import("../features/support/report-modal.tsx")),
  orders: modal("panel", () => import("../features/orders/orders-modal.tsx")),
  order: modal("panel", () => import("../features/orders/order-modal.tsx")),
  survey: modal("small", () => import("../features/surveys/survey-modal.tsx")),
  refer: modal("small", () => import("../features/referrals/refer-modal.tsx")),
  payment: modal("panel", () => import("../features/payments/payment-modal.tsx")),
  logout: modal("small", () => import("../features/session/logout-modal.tsx")),
};
