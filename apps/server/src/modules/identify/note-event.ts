import type { Deps } from "../../deps.ts";
import { insertEvent } from "./store.ts";

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
