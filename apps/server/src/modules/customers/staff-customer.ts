import { can, type Permission } from "@marketday/domain/staff";

import { AppError, notFound } from "../../lib/app-error.ts";
import { accountDeleted } from "../gift-cards/grant-credit.ts";
import { asCustomerId, type Context, type CustomerId, type StaffActor } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { findPerson, type Person } from "./store.ts";

/** A person whom the staff may change. */
export interface StaffCustomer extends Person {
  customerId: CustomerId;
  /** The markets of the person in which the person of the staff may do it, the person's own first; null: in all markets. */
  permittedIds: readonly (number | null)[];
  actor: StaffActor;
}

const forbidden = (permission: Permission, place: string) =>
  new AppError(403, `You may not do that in ${place}.`, { code: "forbidden", permission });

/**
 * A person in whose markets the person of the staff may do this.
 * @throws AppError 404 for a person of other markets only, the same as for an id without one; 403 without the permission there; 409
 * `deleted`
 */
export async function getStaffCustomer(ctx: Context, id: number, permission: Permission): Promise<StaffCustomer> {
  const actor = requireStaff(ctx.actor);
  const person = await findPerson(ctx.deps.db, id);
  const places: readonly (number | null)[] = person && person.hubIds.length > 0 ? person.hubIds : [null];
  const permitted = (needed: Permission) => places.filter((hub) => can(actor.grants, needed, hub ?? "all"));
  if (!person || permitted("people.read").length === 0) throw notFound();
  const permittedIds = permitted(permission);
  if (permittedIds.length === 0) throw forbidden(permission, person.hub?.name ?? "this person’s market");
  if (person.isDeleted) throw accountDeleted();
  return { ...person, customerId: asCustomerId(person.id), permittedIds, actor };
}

/** `getStaffCustomer` for what happens in the person's own market. @throws AppError also 422 `no_hub` for a person without one */
export async function getShopperOf(ctx: Context, id: number, permission: Permission) {
  const person = await getStaffCustomer(ctx, id, permission);
  if (!person.hub) throw new AppError(422, "This person has not chosen a market.", { code: "no_hub" });
  if (!can(person.actor.grants, permission, person.hub.id)) throw forbidden(permission, person.hub.name);
  return { ...person, hub: person.hub };
}
