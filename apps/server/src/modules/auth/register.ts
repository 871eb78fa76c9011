import { isUniqueViolation, transaction } from "@marketday/db";
import { PASSWORD_MIN_REGISTER } from "@marketday/domain/limits";

import { AppError } from "../../lib/app-error.ts";
import { assertGoodPassword, hashPassword } from "../../lib/password.ts";
import { newUuid } from "../../lib/tokens.ts";
import { giveGuestCart } from "../cart/store.ts";
import type { Actor, Context } from "../identity/context.ts";
import { endGuestSessions, endSession, insertSession } from "../identity/session-store.ts";
import { namesOf } from "./change-password.ts";
import { coverageOf } from "./create-guest.ts";
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
 * Creates an account; the browser's guest becomes it, with cart, hub and origin (docs/product.md §3). A taken email is 409.
 * A zip code that no hub serves is 404, unless the guest already shops in a hub that serves them.
 */
export async function register(ctx: Context, input: RegisterInput, userAgent: string): Promise<Actor> {
  const { deps, actor, now } = ctx;
  const serving = await coverageOf(ctx, { zipCode: input.zipCode });
  const hubFor = (id: number | null) => serving.find((hub) => hub.id === id) ?? serving[0]!;
  assertGoodPassword(input.password, {
    min: Math.max(PASSWORD_MIN_REGISTER, deps.env.passwordMin),
    names: namesOf(deps.env, {
      first_name: input.firstName,
      last_name: input.lastName,
      email: input.email,
      hub_name: hubFor(actor.type === "guest" ? actor.hubId : null).name,
    }),
  });
  const passwordHash = await hashPassword(input.password, deps.env.pepper);
  const sessionId = newUuid();
  try {
    return await transaction(deps.db, async (tx): Promise<Actor> => {
      const guest = actor.type === "guest" ? await findGuest(tx, actor.guestId) : null;
      const hubId = hubFor(guest?.hub_id ?? null).id;
      const referrer = referrerOf(input.referredByCustomerId) ?? guest?.referred_by_id ?? null;
      const customerId = await insertCustomer(tx, {
        email: input.email,
        passwordHash,
        firstName: input.firstName,
        lastName: input.lastName,
        zipCode: input.zipCode,
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
