import type { Client, Tx } from "@marketday/db";

import { asCustomerId, asGuestId, type CustomerId, type GuestId } from "../identity/context.ts";

/** The origin of a shopper (spec §2.2). */
export interface Origin {
  trk?: string | null;
  utmSource?: string | null;
  utmCampaign?: string | null;
  playerId?: string | null;
  os?: string | null;
}

/** The customer with this email, or null. The caller does the same work either way. */
export async function findCredentials(db: Client, email: string) {
  const row = await db.customer.findUnique({
    where: { email: email.toLowerCase(), deleted_at: null },
    select: { id: true, password_hash: true, hub_id: true },
  });
  return row && { ...row, id: asCustomerId(row.id) };
}

export interface NewCustomer {
  email: string;
  passwordHash: string;
  firstName: string;
  lastName: string;
  zipCode: string;
  /** Degrees, in the ZIP code; nulls: unknown. */
  point: { lat: number | null; lng: number | null };
  hubId: number;
  origin: Origin;
  referredById: number | null;
  now: Date;
}

/** Throws a unique violation when the email is taken. */
export async function insertCustomer(tx: Tx, customer: NewCustomer): Promise<CustomerId> {
  const { origin, point } = customer;
  const { id } = await tx.customer.create({
    data: {
      email: customer.email,
      password_hash: customer.passwordHash,
      password_changed_at: customer.now,
      first_name: customer.firstName,
      last_name: customer.lastName,
      zip_code: customer.zipCode,
      lat: point.lat,
      lng: point.lng,
      hub_id: customer.hubId,
      trk: origin.trk,
      utm_source: origin.utmSource,
      utm_campaign: origin.utmCampaign,
      player_id: origin.playerId,
      os: origin.os,
      referred_by_id: customer.referredById,
      created_at: customer.now,
    },
    select: { id: true },
  });
  return asCustomerId(id);
}

/** A guest: where they shop and came from. */
export async function findGuest(db: Client, guestId: GuestId) {
  const row = await db.guest.findUnique({ where: { id: guestId }, omit: { created_at: true } });
  return row && { ...row, id: asGuestId(row.id) };
}

/**
 * Records the referrer of a friend, if a customer has that id. Whether the two are one person is decided at each quote and order (`referrals/refusal.ts`).
 */
export async function insertReferral(tx: Tx, friendId: CustomerId, referrerId: number, now: Date): Promise<void> {
  if (referrerId === friendId) return;
  const isCustomer = await tx.customer.count({ where: { id: referrerId, deleted_at: null } });
  if (!isCustomer) return;
  await tx.referral.createMany({
    data: { friend_id: friendId, referrer_id: referrerId, created_at: now },
    skipDuplicates: true,
  });
}

export async function moveCustomerToHub(tx: Tx, customerId: CustomerId, hubId: number): Promise<void> {
  await tx.customer.updateMany({ where: { id: customerId }, data: { hub_id: hubId } });
}

/** The app's push address and system (spec §7.1), if the login has them. */
export async function keepPlayer(
  tx: Tx,
  customerId: CustomerId,
  playerId: string | null,
  os: string | null,
): Promise<void> {
  if (playerId === null && os === null) return;
  await tx.customer.updateMany({
    where: { id: customerId },
    data: { ...(playerId !== null && { player_id: playerId }), ...(os !== null && { os }) },
  });
}
