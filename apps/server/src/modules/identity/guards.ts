import { AppError, loginRequired } from "../../lib/app-error.ts";
import type { Actor, CustomerId, StaffActor } from "./context.ts";

/** The shopper's hub; null without a session. */
export const hubOf = (actor: Actor): number | null =>
  actor.type === "guest" || actor.type === "customer" ? actor.hubId : null;

/** Guard: a registered customer. 401 `login_required` for guests and without a session. */
export function requireCustomer(actor: Actor, message?: string): CustomerId {
  if (actor.type !== "customer") throw loginRequired(message);
  return actor.customerId;
}

/** Guard of favorites and follows: the same with the spec's sentence (spec §8 Guest favorites). */
export const requireFavoritesAccount = (actor: Actor): CustomerId =>
  requireCustomer(actor, "Favorites requires the creation of an account.");

/** Guard: a guest or a customer. */
export function requireShopper(actor: Actor): Extract<Actor, { type: "guest" | "customer" }> {
  if (actor.type !== "guest" && actor.type !== "customer") throw loginRequired();
  return actor;
}

/** Guard: the session is this one's, a `customerId` as the app has it. 409 `other_customer`; undefined: anyone's. */
export function assertShopper(actor: Actor, expected: string | undefined): void {
  if (expected === undefined) return;
  const shopper = requireShopper(actor);
  const id = shopper.type === "customer" ? String(shopper.customerId) : shopper.guestId;
  if (id !== expected) throw new AppError(409, "Someone else is signed in now.", { code: "other_customer" });
}

/** 401 without a staff session; the app shows its sign-in over the page and keeps what was typed. */
export const signInRequired = () => new AppError(401, "Please sign in.", { code: "sign_in_required" });

/** Guard: a person of the staff who is signed in. */
export function requireStaff(actor: Actor): StaffActor {
  if (actor.type !== "staff") throw signInRequired();
  return actor;
}

/** Guard: a shopper with a hub. */
export function requireHub(actor: Actor): number {
  const hubId = hubOf(actor);
  if (hubId === null) throw new AppError(422, "Choose a market first.", { code: "no_hub" });
  return hubId;
}
