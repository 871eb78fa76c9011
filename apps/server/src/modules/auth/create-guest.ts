import type { Customer } from "@marketday/contracts/account";

import { AppError } from "../../lib/app-error.ts";
import { newUuid } from "../../lib/tokens.ts";
import type { HubFacts } from "../hubs/directory-store.ts";
import { hubDirectory } from "../hubs/directory.ts";
import { asGuestId, type Actor, type Context } from "../identity/context.ts";
import { loadProfile, serializeProfile } from "../profile/load-profile.ts";
import { saveGuest } from "./guest-sql.ts";
import type { Origin } from "./store.ts";

export interface GuestPlaceInput {
  zipCode?: string;
  lat?: number;
  lng?: number;
  hubId?: number;
}

export const notServed = () =>
  new AppError(404, "Sorry, we do not currently support your location.", { code: "not_served" });

/** Hubs that serve this place, nearest first (docs/product.md §3). None: 404 with the spec's sentence. */
export async function coverageOf({ deps }: Context, place: GuestPlaceInput): Promise<HubFacts[]> {
  const directory = await hubDirectory(deps);
  const hub = place.hubId === undefined ? undefined : directory.byId(place.hubId);
  const hubs =
    place.hubId !== undefined
      ? hub
        ? [hub]
        : []
      : place.lat !== undefined && place.lng !== undefined
        ? directory.serving({
            lat: place.lat,
            lng: place.lng,
            zipCode: (await deps.geocoder.zipAt(place.lat, place.lng))?.zipCode,
          })
        : place.zipCode !== undefined
          ? directory.serving({ zipCode: place.zipCode })
          : null;
  if (hubs === null) throw new AppError(400, "Enter a 5-digit zip code.", { code: "invalid", field: "zipCode" });
  if (hubs.length === 0) throw notServed();
  return hubs;
}

/**
 * Creates a guest for a served place, or moves the guest of this session, who keeps cart and id. A registered customer's
 * session stays as it is (docs/product.md §3).
 */
export async function createGuest(
  ctx: Context,
  place: GuestPlaceInput,
  origin: Origin,
  referredByCustomerId: string | undefined,
  userAgent: string,
): Promise<{ actor: Actor; started: boolean; profile: Customer }> {
  const { deps, actor, now } = ctx;
  const [hub] = await coverageOf(ctx, place);
  if (actor.type === "customer" || !hub) return { actor, started: false, profile: await loadProfile(deps, actor, now) };
  const referrer = /^[1-9]\d{0,8}$/.test(referredByCustomerId ?? "") ? Number(referredByCustomerId) : null;
  const started = actor.type !== "guest";
  const guestId = started ? asGuestId(newUuid()) : actor.guestId;
  const sessionId = started ? newUuid() : actor.sessionId;
  const point =
    place.lat !== undefined && place.lng !== undefined ? { lat: place.lat, lng: place.lng } : { lat: null, lng: null };
  const zipCode =
    place.zipCode ?? (point.lat === null ? null : ((await deps.geocoder.zipAt(point.lat, point.lng))?.zipCode ?? null));
  const session = { id: sessionId, guestId, isNew: started, userAgent };
  const saved = await saveGuest(deps.db, session, { hubId: hub.id, zipCode, ...point }, origin, referrer, now);
  const profile = await serializeProfile(deps, saved, now);
  return { actor: { type: "guest", guestId, hubId: hub.id, sessionId }, started, profile };
}
