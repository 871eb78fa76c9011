import { deviceNow } from "@marketday/client/clock.ts";

/** A read this long after the last input was not caused by it, ms: an event of the server or the clock did. */
const CAUSED_MS = 60_000;

/** The last input, or the start of the page, by the device, ms. */
let lastInput = deviceNow();

/** Notes the inputs of a page. */
export function watchInput(page: EventTarget): void {
  const note = () => {
    lastInput = deviceNow();
  };
  for (const name of ["pointerdown", "keydown", "wheel"])
    page.addEventListener(name, note, { capture: true, passive: true });
}

/** Marks the reads of a page that no one is at: the server does not count them as a use of the session (docs/product.md §18). */
export const backgroundHeaders = (method: string): Record<string, string> =>
  method === "GET" && deviceNow() - lastInput > CAUSED_MS ? { "x-background": "1" } : {};
