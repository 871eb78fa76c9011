import { type Conn, execute, query, queryOne, sql } from "@marketday/db";
import { z } from "zod";

import { asCustomerId, asGuestId, type CustomerId, type GuestId } from "../identity/context.ts";
import { guestProfile, ProfileRow } from "../profile/store.ts";

/** The origin of a shopper (spec §2.2). */
export interface Origin {
  trk?: string | null;
  utmSource?: string | null;
  utmCampaign?: string | null;
  playerId?: string | null;
  os?: string | null;
}

interface GuestPlace {
  hubId: number;
  zipCode: string | null;
  lat: number | null;
  lng: number | null;
}

/**
 * Creates a guest with a session, or (`isNew` false) moves the guest of a session, which every server then reads again; a known origin is
 * never emptied. One statement, which returns the guest's profile. `referrerId`: ignored when there is no such customer.
 */
export async function saveGuest(
  db: Conn,
  session: { id: string; guestId: GuestId; isNew: boolean; userAgent: string },
  place: GuestPlace,
  origin: Origin,
  referrerId: number | null,
  now: Date,
): Promise<ProfileRow> {
  const [profile] = await query(
    db,
    sql`with saved as (
          insert into guest (id, hub_id, zip_code, lat, lng, trk, utm_source, utm_campaign, player_id, os, referred_by_id, created_at)
          select ${session.guestId}::uuid, ${place.hubId}::int, ${place.zipCode}, ${place.lat}::float8, ${place.lng}::float8, ${origin.trk ?? null},
            ${origin.utmSource ?? null}, ${origin.utmCampaign ?? null}, ${origin.playerId ?? null}, ${origin.os ?? null},
            (select c.id from customer c where c.id = ${referrerId}::int and c.deleted_at is null), ${now}::timestamptz
          on conflict (id) do update set hub_id = excluded.hub_id, zip_code = excluded.zip_code, lat = excluded.lat, lng = excluded.lng,
            trk = coalesce(excluded.trk, guest.trk), utm_source = coalesce(excluded.utm_source, guest.utm_source),
            utm_campaign = coalesce(excluded.utm_campaign, guest.utm_campaign), player_id = coalesce(excluded.player_id, guest.player_id),
            os = coalesce(excluded.os, guest.os), referred_by_id = coalesce(excluded.referred_by_id, guest.referred_by_id)
          returning *),
        started as (
          insert into session (id, guest_id, user_agent, created_at, last_seen_at)
          select ${session.id}::uuid, saved.id, ${session.userAgent.slice(0, 300)}, ${now}::timestamptz, ${now}::timestamptz
          from saved where ${session.isNew}::boolean),
        moved as materialized (select pg_notify('session', ${session.id}::text) from saved where not ${session.isNew}::boolean)
        select ${guestProfile} from saved g left join moved on true`,
    ProfileRow,
  );
  if (!profile) throw new Error("a guest without a row");
  return profile;
}

const CredentialRow = z.object({ id: z.number(), password_hash: z.string().nullable(), hub_id: z.number().nullable() });

/** The customer with this email, or null. The caller does the same work either way. */
export async function findCredentials(db: Conn, email: string) {
  const row = await queryOne(
    db,
    sql`select id, password_hash, hub_id from customer where email = ${email.toLowerCase()} and deleted_at is null`,
    CredentialRow,
  );
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
export async function insertCustomer(tx: Conn, customer: NewCustomer): Promise<CustomerId> {
  const { origin, point } = customer;
  const row = await queryOne(
    tx,
    sql`insert into customer (email, password_hash, password_changed_at, first_name, last_name, zip_code, lat, lng, hub_id,
          trk, utm_source, utm_campaign, player_id, os, referred_by_id, created_at)
        values (${customer.email}, ${customer.passwordHash}, ${customer.now}, ${customer.firstName}, ${customer.lastName},
          ${customer.zipCode}, ${point.lat}::float8, ${point.lng}::float8, ${customer.hubId}::int, ${origin.trk ?? null}, ${origin.utmSource ?? null}, ${origin.utmCampaign ?? null},
          ${origin.playerId ?? null}, ${origin.os ?? null}, ${customer.referredById}::int, ${customer.now})
        returning id`,
    z.object({ id: z.number() }),
  );
  return asCustomerId(row!.id);
}

const GuestRow = z.object({
  id: z.string(),
  hub_id: z.number(),
  zip_code: z.string().nullable(),
  lat: z.number().nullable(),
  lng: z.number().nullable(),
  trk: z.string().nullable(),
  utm_source: z.string().nullable(),
  utm_campaign: z.string().nullable(),
  player_id: z.string().nullable(),
  os: z.string().nullable(),
  referred_by_id: z.number().nullable(),
});

export async function findGuest(db: Conn, guestId: GuestId) {
  const row = await queryOne(
    db,
    sql`select id::text as id, hub_id, zip_code, lat, lng, trk, utm_source, utm_campaign, player_id, os, referred_by_id from guest where id = ${guestId}::uuid`,
    GuestRow,
  );
  return row && { ...row, id: asGuestId(row.id) };
}

/**
 * Records the referrer of a friend, if a customer has that id. Whether the two are one person is decided at each quote and order (`referrals/refusal.ts`).
 */
export async function insertReferral(tx: Conn, friendId: CustomerId, referrerId: number, now: Date): Promise<void> {
  await execute(
    tx,
    sql`insert into referral (friend_id, referrer_id, created_at)
        select ${friendId}::int, c.id, ${now}
        from customer c where c.id = ${referrerId}::int and c.id <> ${friendId}::int and c.deleted_at is null
        on conflict do nothing`,
  );
}

export async function moveCustomerToHub(tx: Conn, customerId: CustomerId, hubId: number): Promise<void> {
  await execute(tx, sql`update customer set hub_id = ${hubId}::int where id = ${customerId}::int`);
}

/** The app's push address and system (spec §7.1), if the login has them. */
export async function keepPlayer(
  tx: Conn,
  customerId: CustomerId,
  playerId: string | null,
  os: string | null,
): Promise<void> {
  if (playerId === null && os === null) return;
  await execute(
    tx,
    sql`update customer set player_id = coalesce(${playerId}::text, player_id), os = coalesce(${os}::text, os) where id = ${customerId}::int`,
  );
}
