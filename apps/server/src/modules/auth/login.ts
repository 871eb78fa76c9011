import { transaction } from "@marketday/db";

import { AppError } from "../../lib/app-error.ts";
import { verifyPassword } from "../../lib/password.ts";
import { newUuid } from "../../lib/tokens.ts";
import { lockCart, mergeGuestCart } from "../cart/cart-sql.ts";
import type { Actor, Context } from "../identity/context.ts";
import { endGuestSessions, endSession, insertSession } from "../identity/session-store.ts";
import { lockPassword } from "./password-sql.ts";
import { findCredentials, findGuest, keepPlayer, moveCustomerToHub } from "./store.ts";

const invalidCredentials = () =>
  new AppError(401, "Invalid email or password. Please check those values.", { code: "invalid_credentials" });

/**
 * Opens an account's session under a new id. The browser's previous session ends at once (failures.md F1), and the guest's cart is
 * merged into the account's (docs/product.md §3). Known and unknown emails take the same work (F16).
 */
export async function login(
  ctx: Context,
  input: { username: string; password: string; playerId?: string | null | undefined; os?: string | null | undefined },
  userAgent: string,
): Promise<Actor> {
  const { deps, actor, now } = ctx;
  const known = await findCredentials(deps.db, input.username);
  const fits = await verifyPassword(known?.password_hash ?? null, input.password, deps.env.pepper);
  if (!known || !fits) throw invalidCredentials();

  const sessionId = newUuid();
  const hubId = await transaction(deps.db, async (tx) => {
    let hub = known.hub_id;
    if (actor.type === "guest") {
      const guest = await findGuest(tx, actor.guestId);
      const cart = await lockCart(tx, { customerId: known.id }, now);
      await mergeGuestCart(tx, actor.guestId, cart.id);
      await endGuestSessions(tx, actor.guestId, now);
      if (hub === null && guest) {
        hub = guest.hub_id;
        await moveCustomerToHub(tx, known.id, hub);
      }
    } else if (actor.type === "customer") await endSession(tx, actor.sessionId, now);
    // The password was changed or cleared in the meantime, which ended every session before this one is written.
    if (!(await lockPassword(tx, known.id, known.password_hash))) throw invalidCredentials();
    await keepPlayer(tx, known.id, input.playerId ?? null, input.os ?? null);
    await insertSession(tx, { id: sessionId, owner: { customerId: known.id }, userAgent, now });
    return hub;
  });
  return { type: "customer", customerId: known.id, hubId, sessionId };
}
