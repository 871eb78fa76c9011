import { z } from "zod";

import { adminEndpoint } from "./endpoint.ts";

/** A delivery in a market: both are ids. */
export interface DeliveryChange {
  hubId: number;
  deliveryId: number;
}

/**
 * The events of `GET /api/admin/events` by name (https://html.spec.whatwg.org/multipage/server-sent-events.html); the data of each is
 * JSON. They carry ids alone: the page rereads what it shows of them. Nothing is replayed: after a reconnect it rereads all.
 */
export interface LiveEvents {
  /** First on each stream. `build` is the id of the app that the server has; null: it has none. */
  ready: { build: string | null };
  /** Orders of a delivery changed, in a market in which the person has a role. */
  orders: DeliveryChange;
  /** Steps, sheets or times of a delivery changed. */
  day: DeliveryChange;
  /** Products, prices or what is offered changed. */
  products: Record<string, never>;
  /** The audit log has new entries, which the person may not all read. */
  audit: Record<string, never>;
  /** The person's own roles or sessions changed: reread the session. */
  staff: Record<string, never>;
  /** Notifications were lost: reread all. */
  reread: Record<string, never>;
}

/**
 * Server-sent events, one stream per page. It ends with its session, which the next connect answers with 401, and when the server stops.
 * 429 `too_many_streams` beyond ten of a session; beyond four over plain http, where a browser opens six connections in all.
 */
export const getEvents = adminEndpoint({
  method: "GET",
  url: "/events",
  access: "signed_in",
  schema: { response: { 200: z.string() } },
});
