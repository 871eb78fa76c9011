import { askOutside } from "../../lib/outside.ts";
import type { Identify } from "./identify.ts";

/** `IDENTIFY_WEBHOOK_URL`: JSON by POST, with a key that is the same for every try. */
export const identifyWebhook = (url: string, timeoutMs?: number): Identify => ({
  async tell(about) {
    const { status } = await askOutside(
      url,
      {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": `identify-${about.id}` },
        body: JSON.stringify(about),
      },
      timeoutMs === undefined ? {} : { timeoutMs },
    );
    if (status < 300) return "taken";
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return "refused";
    throw new Error(`the identify webhook answered ${status}`);
  },
});
