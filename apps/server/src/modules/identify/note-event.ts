import type { Deps } from "../../deps.ts";
import { insertEvent } from "./store.ts";

/** The cookie's own form; anything else was not made by us. */
const visitOf = (cookie: string | undefined): string | null =>
  cookie !== undefined && /^[\w-]{8,64}$/.test(cookie) ? cookie : null;

/**
 * Queues what e-mail marketing is told of a login or sign-up, where an operator wants that (spec §7.12). After the fact and
 * never in its way: what fails here is a line in the log.
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
