import type { FrameWord } from "@marketday/contracts/frame";

/** Whether this page is shown inside the app; opened by its address it works alone. */
export const isFramed = window.parent !== window;

/** Tells the app, and only our own, what happened (spec §4 Checkout frame messages). */
const tell = (message: FrameWord | number): void => window.parent.postMessage(message, location.origin);

/** The session is an account's now. */
export function postLoggedIn(): void {
  if (isFramed) tell("customer-logged-in");
}

/** Leaves the frame. `changed`: what the app shows of the cart is out of date. */
export function closeFrame(changed: boolean): void {
  if (isFramed) tell(changed ? "close-with-refresh" : "close-without-refresh");
  else location.assign("/shop");
}

/** The order is placed: the app shows its confirmation. */
export function orderPlaced(orderId: number): void {
  if (isFramed) tell(orderId);
  else location.assign(`/order-complete/${orderId}`);
}
