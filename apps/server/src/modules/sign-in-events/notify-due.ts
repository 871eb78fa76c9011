import type { Deps } from "../../deps.ts";
import type { Identify } from "../../gateways/identify/identify.ts";
import { processQueue } from "../../lib/process-queue.ts";
import { enqueueUnnotified, insertEvent } from "./event-sql.ts";
import { type EventRow, findPerson, findUnnotified, markNotified, markUnnotified } from "./store.ts";

async function send(deps: Deps, identify: Identify, event: EventRow): Promise<"sent" | "rejected" | "dropped"> {
  const person = await findPerson(deps.db, event.customer_id);
  if (!person) {
    await markNotified(deps.db, event.id, deps.clock.now(), null);
    return "dropped";
  }
  const verdict = await identify.send({
    id: event.id,
    event: event.event as "login" | "sign_up",
    at: event.created_at.toISOString(),
    visit: event.visit,
    customer: {
      id: person.id,
      email: person.email,
      firstName: person.first_name,
      lastName: person.last_name,
      zipCode: person.zip_code,
      hubId: person.hub_id,
      subscribedMarketingEmails: person.subscribed_marketing_emails,
      subscribedMarketingSms: person.subscribed_marketing_sms,
      utmSource: person.utm_source,
      utmCampaign: person.utm_campaign,
      trk: person.trk,
    },
  });
  await markNotified(deps.db, event.id, deps.clock.now(), verdict === "rejected" ? "refused" : null);
  return verdict === "rejected" ? "rejected" : "sent";
}

/**
 * Sends every due event, oldest first. A service that does not respond is tried again at a later tick (failures.md E5); a rejected
 * event is not sent again. Does nothing without a webhook.
 * @returns the number of sent events
 */
export async function notifyDue(deps: Deps, signal?: AbortSignal): Promise<number> {
  const { identify } = deps;
  if (!identify) return 0;
  let sent = 0;
  await enqueueUnnotified(deps.db);
  await processQueue(deps, "identify", {
    workers: 1,
    signal,
    async deliver(id) {
      const event = await findUnnotified(deps.db, id);
      if (event && (await send(deps, identify, event)) === "sent") sent += 1;
    },
    refused: (id, reason) => markUnnotified(deps.db, id, reason),
  });
  return sent;
}

/** The form of the cookie; any other value is ignored. */
const visitOf = (cookie: string | undefined): string | null =>
  cookie !== undefined && /^[\w-]{8,64}$/.test(cookie) ? cookie : null;

/**
 * Queues a login or sign-up for the email marketing service, if the operator configured one (spec §7.12). Runs after the response;
 * a failure is only logged.
 * @param cookie the value of `mkt_as`
 */
export async function noteEvent(
  deps: Deps,
  event: { event: "login" | "sign_up"; customerId: number; cookie: string | undefined; now: Date },
): Promise<void> {
  if (!deps.identify) return;
  try {
    await insertEvent(deps.db, { ...event, visit: visitOf(event.cookie) });
  } catch (error) {
    deps.log.warn({ err: error }, "an identify event was not queued");
  }
}
