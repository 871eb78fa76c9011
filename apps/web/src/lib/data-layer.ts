import { config } from "./boot.ts";
import { visitId } from "./visit.ts";

declare global {
  interface Window {
    dataLayer?: Record<string, unknown>[];
  }
}

const push = (entry: Record<string, unknown>): void => {
  window.dataLayer ??= [];
  window.dataLayer.push(entry);
};

/** Pushes an event for the operator's tag manager (spec §7.12): login, sign_up, add_to_cart. Nothing is sent without one. */
export function pushEvent(event: "login" | "sign_up" | "add_to_cart", about: Record<string, unknown> = {}): void {
  push({ event, visit: visitId(), ...about });
}

/** Lets Google Tag Manager listen, where an operator set a container (`TAG_MANAGER_ID`). */
export function startTagManager(): void {
  if (config.tagManagerId === null) return;
  push({ "gtm.start": Date.now(), event: "gtm.js" });
  const script = document.createElement("script");
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(config.tagManagerId)}`;
  document.head.append(script);
}
