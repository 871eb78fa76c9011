import { addMs, Minute, Second } from "@marketday/domain/time";

import type { Deps } from "../../deps.ts";
import type { Identify } from "../../gateways/identify/identify.ts";
import { claimEvent, type EventRow, findPerson, markTold, markUntold } from "./store.ts";

const LEASE_MS = 1 * Minute.ms;
/** 1 s, 2 s, 4 s … at most 5 minutes between two tries. */
const pauseAfter = (attempts: number) => Math.min(5 * Minute.ms, 2 ** (attempts - 1) * Second.ms);

async function tell(deps: Deps, identify: Identify, event: EventRow): Promise<"told" | "refused" | "dropped"> {
  const person = await findPerson(deps.db, event.customer_id);
  if (!person) {
    await markTold(deps.db, event.id, deps.clock.now(), null);
    return "dropped";
  }
  const verdict = await identify.tell({
    id: event.id,
    event: event.event,
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
  await markTold(deps.db, event.id, deps.clock.now(), verdict === "refused" ? "refused" : null);
  return verdict === "refused" ? "refused" : "told";
}

/**
 * Tells of every event that is due, oldest first. Who does not answer is left alone until the next tick (failures.md E5);
 * who refuses one is not asked about it again. Without a webhook there is nothing to do.
 * @returns how many were told
 */
export async function tellDue(deps: Deps): Promise<number> {
  const { identify } = deps;
  if (!identify) return 0;
  let told = 0;
  for (;;) {
    const now = deps.clock.now();
    const event = await claimEvent(deps.db, now, addMs(now, LEASE_MS));
    if (!event) return told;
    try {
      if ((await tell(deps, identify, event)) === "told") told += 1;
    } catch (error) {
      deps.log.warn({ err: error, event: event.id, attempts: event.attempts }, "the identify webhook did not answer");
      const reason = error instanceof Error ? error.message : String(error);
      await markUntold(deps.db, event.id, reason, addMs(deps.clock.now(), pauseAfter(event.attempts)));
      return told;
    }
  }
}
