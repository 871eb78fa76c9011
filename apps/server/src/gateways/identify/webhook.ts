import { httpFetch } from "../../lib/http-client.ts";
import { ReceiverUnavailable } from "../../lib/receiver-unavailable.ts";
import type { Identify } from "./identify.ts";

/** `IDENTIFY_WEBHOOK_URL`: JSON by POST, with a key that is the same for every try. */
export const identifyWebhook = (url: string, timeoutMs?: number): Identify => ({
  async tell(about) {
    const { status } = await httpFetch(
      url,
      {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": `identify-${about.id}` },
        body: JSON.stringify(about),
      },
      timeoutMs === undefined ? {} : { timeoutMs },
    ).catch((error: unknown) => {
      throw new ReceiverUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
    });
    if (status < 300) return "taken";
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return "refused";
    throw new ReceiverUnavailable(`the identify webhook answered ${status}`);
  },
});
