import { isUniqueViolation, transaction } from "@marketday/db";
import { PASSWORD_MIN_REGISTER } from "@marketday/domain/limits";

import { AppError } from "../../lib/app-error.ts";
import { assertGoodPassword, hashPassword } from "../../lib/password.ts";
import { newUuid } from "../../lib/tokens.ts";
import { giveGuestCart } from "../cart/guest-cart-store.ts";
import { hubDirectory } from "../hubs/directory.ts";
import type { Actor, Context } from "../identity/context.ts";
import { hubOf } from "../identity/guards.ts";
import { endGuestSessions, endSession, insertSession } from "../identity/session-store.ts";
import { namesOf } from "./change-password.ts";
import { notServed } from "./create-guest.ts";
import { findGuest, insertCustomer, insertReferral, type Origin } from "./store.ts";

export interface RegisterInput {
  email: string;
  password: string;
  zipCode: string;
  firstName: string;
  lastName: string;
  referredByCustomerId?: string | number | null;
  origin: Origin;
}

const referrerOf = (id: string | number | null | undefined): number | null => {
  const text = String(id ?? "");
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : null;
};

/**
 * Creates an account; the browser's guest becomes it, with cart, hub, point and origin (docs/product.md §3). The account shops in the
 * session's market, also when that does not deliver to the ZIP code: pickup stays possible. Without a session the ZIP code decides;
 * one that no hub serves is 404. A taken email is 409.
 */
export async function register(ctx: Context, input: RegisterInput, userAgent: string): Promise<Actor> {
  const { deps, actor, now } = ctx;
  const directory = await hubDirectory(deps);
  const served = directory.serving({ zipCode: input.zipCode })[0];
  const hubFor = (id: number | null) => {
    const hub = (id === null ? undefined : directory.byId(id)) ?? served;
    if (!hub) throw notServed();
    return hub;
  };
  assertGoodPassword(input.password, {
    min: Math.max(PASSWORD_MIN_REGISTER, deps.env.passwordMin),
    names: namesOf(deps.env, {
      first_name: input.firstName,
      last_name: input.lastName,
      email: input.email,
      hub_name: hubFor(hubOf(actor)).name,
    }),
  });
  const passwordHash = await hashPassword(input.password, deps.env.pepper);
  const sessionId = newUuid();
  try {
    return await transaction(deps.db, async (tx): Promise<Actor> => {
      const guest = actor.type === "guest" ? await findGuest(tx, actor.guestId) : null;
      const hubId = hubFor(guest?.hub_id ?? hubOf(actor)).id;
      const referrer = referrerOf(input.referredByCustomerId) ?? guest?.referred_by_id ?? null;
      const customerId = await insertCustomer(tx, {
        email: input.email,
        passwordHash,
        firstName: input.firstName,
        lastName: input.lastName,
        zipCode: input.zipCode,
        // A point says where they are only together with its ZIP code.
        point: guest?.zip_code === input.zipCode ? { lat: guest.lat, lng: guest.lng } : { lat: null, lng: null },
        hubId,
        origin: {
          trk: input.origin.trk ?? guest?.trk,
          utmSource: input.origin.utmSource ?? guest?.utm_source,
          utmCampaign: input.origin.utmCampaign ?? guest?.utm_campaign,
          playerId: input.origin.playerId ?? guest?.player_id,
          os: input.origin.os ?? guest?.os,
        },
        referredById: null,
        now,
      });
      if (referrer !== null) await insertReferral(tx, customerId, referrer, now);
      if (guest) {
        await giveGuestCart(tx, guest.id, customerId);
        await endGuestSessions(tx, guest.id, now);
      } else if (actor.type === "customer") await endSession(tx, actor.sessionId, now);
      await insertSession(tx, { id: sessionId, owner: { customerId }, userAgent, now });
      return { type: "customer", customerId, hubId, sessionId };
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError(409, "An account with this email already exists. Please login.", {
      code: "email_taken",
      field: "email",
    });
  }
}
