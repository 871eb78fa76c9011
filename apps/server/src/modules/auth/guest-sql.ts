import { type Conn, query, sql } from "@marketday/db";

import type { GuestId } from "../identity/context.ts";
import { guestProfile, ProfileRow } from "../profile/profile-sql.ts";
import type { Origin } from "./store.ts";

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
