import type { FrameWord } from "@marketday/contracts/frame";
import { useEffect } from "react";

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
  removeEventListener("beforeunload", warn);
  if (isFramed) tell(orderId);
  else location.assign(`/order-complete/${orderId}`);
}

const warn = (event: BeforeUnloadEvent) => event.preventDefault();

let isRunningNow = false;

/** Whether a payment of this frame runs. */
export const isPaying = (): boolean => isRunningNow;

/** While a payment runs, the app confirms before it removes this frame, and the browser before it leaves the page. */
export function usePaying(isRunning: boolean): void {
  useEffect(() => {
    if (!isRunning) return;
    isRunningNow = true;
    if (isFramed) tell("busy");
    addEventListener("beforeunload", warn);
    return () => {
      isRunningNow = false;
      removeEventListener("beforeunload", warn);
      if (isFramed) tell("idle");
    };
  }, [isRunning]);
}

/** Esc leaves the frame, as everywhere, also while the keyboard is inside it. `changed`: see `closeFrame`. */
export function useEscape(changed: boolean): void {
  useEffect(() => {
    if (!isFramed) return;
    const leave = (event: KeyboardEvent) => {
      if (event.key === "Escape" && !event.defaultPrevented) closeFrame(changed);
    };
    addEventListener("keydown", leave);
    return () => removeEventListener("keydown", leave);
  }, [changed]);
}
