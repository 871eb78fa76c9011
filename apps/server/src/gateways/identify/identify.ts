import { ReceiverUnavailable } from "../../lib/app-error.ts";
import { httpFetch } from "../../lib/http-client.ts";

/** A login or sign-up as it is sent to an email marketing service (spec §7.12). */
interface IdentifyEvent {
  /** Id of the row, so that the receiver can recognize a repeated event. */
  id: number;
  event: "login" | "sign_up";
  /** ISO-8601. */
  at: string;
  /** Random id of the visit, as in data-layer events. */
  visit: string | null;
  customer: {
    id: number;
    email: string;
    firstName: string;
    lastName: string;
    zipCode: string | null;
    hubId: number | null;
    subscribedMarketingEmails: boolean;
    subscribedMarketingSms: boolean;
    utmSource: string | null;
    utmCampaign: string | null;
    trk: string | null;
  };
}

/** The receiver of login and sign-up events. By default there is none: `deps.identify` is null and nothing is queued. */
export interface Identify {
  /** `rejected`: a retry would be rejected too. Throws `ReceiverUnavailable` when the event should be retried. */
  send(event: IdentifyEvent): Promise<"accepted" | "rejected">;
}

/** `IDENTIFY_WEBHOOK_URL`: JSON by POST, with the same idempotency key for every try. */
export const identifyWebhook = (url: string, timeoutMs?: number): Identify => ({
  async send(event) {
    const { status } = await httpFetch(
      url,
      {
        method: "POST",
        headers: { "content-type": "application/json", "idempotency-key": `identify-${event.id}` },
        body: JSON.stringify(event),
      },
      timeoutMs === undefined ? {} : { timeoutMs },
    ).catch((error: unknown) => {
      throw new ReceiverUnavailable(error instanceof Error ? error.message : String(error), { cause: error });
    });
    if (status < 300) return "accepted";
    if (status >= 400 && status < 500 && status !== 408 && status !== 429) return "rejected";
    throw new ReceiverUnavailable(`the identify webhook returned ${status}`);
  },
});
