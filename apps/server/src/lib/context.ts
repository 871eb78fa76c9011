import type { Deps } from "../deps.ts";

declare const brand: unique symbol;
/** A customer who passed the guard: queries for somebody's data ask for this. */
export type CustomerId = number & { readonly [brand]: "CustomerId" };
export type GuestId = string & { readonly [brand]: "GuestId" };

/** On whose behalf something happens (docs/product.md §1 verb). */
export type Actor =
  | { type: "customer"; customerId: CustomerId; hubId: number | null; sessionId: string }
  | { type: "guest"; guestId: GuestId; hubId: number; sessionId: string }
  | { type: "nobody" }
  | { type: "system"; job: string }
  | { type: "operator"; name: string };

/** What a verb gets besides its input. One `now` for the whole request or tick. */
export interface Context {
  now: Date;
  actor: Actor;
  deps: Deps;
}

export const asCustomerId = (id: number) => id as CustomerId;
export const asGuestId = (id: string) => id as GuestId;
