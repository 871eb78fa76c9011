import type { Grant } from "@marketday/domain/staff";

import type { Deps } from "../../deps.ts";

declare const brand: unique symbol;
/** Id of a customer who passed the guard; required by queries for a customer's data. */
export type CustomerId = number & { readonly [brand]: "CustomerId" };
export type GuestId = string & { readonly [brand]: "GuestId" };
/** Id of a person of the staff who is signed in. */
export type StaffId = number & { readonly [brand]: "StaffId" };

/** A person of the staff, in the admin API. */
export interface StaffActor {
  type: "staff";
  staffId: StaffId;
  email: string;
  name: string;
  grants: readonly Grant[];
  sessionId: string;
  /** The last proof of identity within this session. */
  steppedUpAt: Date | null;
  /** The key that a program calls with, which has no session. `grants` include only what it opens. */
  apiKey?: { id: number; name: string };
}

/** The person or job on whose behalf a use case runs (docs/product.md §1). */
export type Actor =
  | { type: "customer"; customerId: CustomerId; hubId: number | null; sessionId: string }
  | { type: "guest"; guestId: GuestId; hubId: number; sessionId: string }
  | StaffActor
  | { type: "anonymous" }
  /** A vendor, by the link of a delivery day's list. */
  | { type: "vendor"; slug: string; name: string }
  | { type: "system"; job: string }
  | { type: "operator"; name: string };

/** Parameters of a use case besides its input. One `now` for the whole request or tick. */
export interface Context {
  now: Date;
  actor: Actor;
  deps: Deps;
  /** The action of the staff that is being done or undone: its audit entries name it. */
  actionId?: number;
  /** Aborted when the process stops: work on many items ends before the next one, and another server or the next start goes on. */
  signal?: AbortSignal;
}

export const asCustomerId = (id: number) => id as CustomerId;
export const asStaffId = (id: number) => id as StaffId;
export const asGuestId = (id: string) => id as GuestId;
