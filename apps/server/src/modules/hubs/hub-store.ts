import { execute, queryOne, sql, type AnyTx, query, type Conn } from "@marketday/db";
import { z } from "zod";

import type { HubPlan } from "./hub-file.ts";

/** The columns of a hub, as `hubColumns` reads them. */
const HubColumns = z.object({
  slug: z.string(),
  name: z.string(),
  description: z.string(),
  delivery_day: z.string(),
  time_zone: z.string(),
  delivery_fee_cents: z.number().nullable(),
  tax_rate_ppm: z.number(),
  processing_ppm: z.number(),
  processing_fixed_cents: z.number(),
  commission_ppm: z.number(),
  zip_code: z.string(),
  city: z.string(),
  state: z.string(),
  lat: z.number(),
  lng: z.number(),
  zips: z.array(z.string()),
  /** WKT polygons. */
  boundaries: z.array(z.string()),
});

/** The columns of `hub h` for `HubColumns`. */
const hubColumns = sql`h.slug, h.name, h.description, h.delivery_day, h.time_zone, h.delivery_fee_cents, h.tax_rate_ppm, h.processing_ppm,
  h.processing_fixed_cents, h.commission_ppm, h.zip_code, h.city, h.state, h.lat, h.lng, h.boundaries,
  coalesce((select array_agg(z.zip_code order by z.zip_code) from hub_zip z where z.hub_id = h.id), '{}') as zips`;

/** The market's share of sales where a hub's file names none, in parts per million. */
export const COMMISSION_DEFAULT_PPM = 150_000;

const ppm = (percent: number | undefined): number | null =>
  percent === undefined ? null : Math.round(percent * 10_000);
const cents = (dollars: number | null | undefined): number | null =>
  dollars == null ? null : Math.round(dollars * 100);

const Written = z.object({ id: z.number(), is_new: z.boolean() });

const HubAmounts = HubColumns.pick({
  delivery_fee_cents: true,
  tax_rate_ppm: true,
  processing_ppm: true,
  processing_fixed_cents: true,
  commission_ppm: true,
});
/** The amounts of a hub: cents and parts per million; a delivery fee of null is the market's. */
export type HubAmounts = z.infer<typeof HubAmounts>;

/** A hub's row: its amounts, and the whole of it as a text to compare. */
const StoredHub = HubAmounts.extend({ whole: z.string() });
const findStoredHub = (tx: AnyTx, slug: string): Promise<z.infer<typeof StoredHub> | null> =>
  queryOne(
    tx,
    sql`select h.delivery_fee_cents, h.tax_rate_ppm, h.processing_ppm, h.processing_fixed_cents, h.commission_ppm, to_jsonb(h)::text as whole
        from hub h where h.slug = ${slug} for update`,
    StoredHub,
  );

/** A written hub with its amounts before and after; `before` is null for a new one. */
interface WrittenHub {
  id: number;
  is_new: boolean;
  is_changed: boolean;
  before: HubAmounts | null;
  after: HubAmounts;
}

/** Writes a hub by its slug. Missing values stay as they are, or have the column's default in a new hub. */
export async function upsertHub(tx: AnyTx, plan: HubPlan): Promise<WrittenHub> {
  const before = await findStoredHub(tx, plan.slug);
  const row = await queryOne(
    tx,
    sql`insert into hub (slug, name, description, delivery_day, time_zone, delivery_fee_cents, tax_rate_ppm, processing_ppm, processing_fixed_cents,
          commission_ppm, zip_code, city, state, lat, lng, boundaries, is_published, pack_unpaid)
        values (${plan.slug}, ${plan.name}, coalesce(${plan.description ?? null}, ''), ${plan.deliveryDay}, ${plan.timeZone}, ${cents(plan.deliveryFee)}::int,
          coalesce(${ppm(plan.taxRate)}::int, 0), coalesce(${ppm(plan.processingPercent)}::int, 0), coalesce(${cents(plan.processingFixed)}::int, 0),
          coalesce(${ppm(plan.commission)}::int, ${COMMISSION_DEFAULT_PPM}::int), ${plan.zipCode}, ${plan.city}, ${plan.state}, ${plan.lat}, ${plan.lng}, ${JSON.stringify(plan.wkt)}::jsonb,
          coalesce(${plan.published ?? null}::boolean, true), coalesce(${plan.packUnpaid ?? null}::boolean, true))
        on conflict (slug) do update set name = excluded.name, description = coalesce(${plan.description ?? null}, hub.description), delivery_day = excluded.delivery_day,
          time_zone = excluded.time_zone,
          delivery_fee_cents = case when ${plan.deliveryFee !== undefined}::boolean then excluded.delivery_fee_cents else hub.delivery_fee_cents end,
          tax_rate_ppm = coalesce(${ppm(plan.taxRate)}::int, hub.tax_rate_ppm), processing_ppm = coalesce(${ppm(plan.processingPercent)}::int, hub.processing_ppm),
          processing_fixed_cents = coalesce(${cents(plan.processingFixed)}::int, hub.processing_fixed_cents),
          commission_ppm = coalesce(${ppm(plan.commission)}::int, hub.commission_ppm), zip_code = excluded.zip_code, city = excluded.city, state = excluded.state,
          lat = excluded.lat, lng = excluded.lng, boundaries = excluded.boundaries, is_published = coalesce(${plan.published ?? null}::boolean, hub.is_published),
          pack_unpaid = coalesce(${plan.packUnpaid ?? null}::boolean, hub.pack_unpaid)
        returning id, xmax = 0 as is_new`,
    Written,
  );
  const after = (await findStoredHub(tx, plan.slug))!;
  return { ...row!, is_changed: before !== null && before.whole !== after.whole, before, after };
}

/** Replaces the zips of a hub. @returns the number of changed rows */
export async function writeZips(tx: AnyTx, hubId: number, zips: readonly string[]): Promise<number> {
  const gone = await execute(
    tx,
    sql`delete from hub_zip where hub_id = ${hubId}::int and not zip_code = any(${[...zips]}::text[])`,
  );
  const come = await execute(
    tx,
    sql`insert into hub_zip (hub_id, zip_code) select ${hubId}::int, z from unnest(${[...zips]}::text[]) as z on conflict do nothing`,
  );
  return gone + come;
}

/** Replaces the closed dates of a hub. */
export async function writeClosures(
  tx: AnyTx,
  hubId: number,
  closures: NonNullable<HubPlan["closures"]>,
): Promise<number> {
  const days = closures.map(({ day }) => day);
  const gone = await execute(
    tx,
    sql`delete from hub_closure where hub_id = ${hubId}::int and not day = any(${days}::date[])`,
  );
  const come = await execute(
    tx,
    sql`insert into hub_closure as c (hub_id, day, reason) select ${hubId}::int, d, r from unnest(${days}::date[], ${closures.map(({ reason }) => reason)}::text[]) as t (d, r)
        on conflict (hub_id, day) do update set reason = excluded.reason where c.reason <> excluded.reason`,
  );
  return gone + come;
}

/** Closes a date of a hub; false when it is closed already. */
export const insertClosure = async (tx: AnyTx, hubId: number, day: string, reason: string): Promise<boolean> =>
  (await execute(
    tx,
    sql`insert into hub_closure (hub_id, day, reason) values (${hubId}::int, ${day}::date, ${reason}) on conflict do nothing`,
  )) === 1;

/** Whether shoppers see the hub. */
export const isPublished = async (tx: AnyTx, hubId: number): Promise<boolean> =>
  (
    await queryOne(
      tx,
      sql`select is_published from hub where id = ${hubId}::int`,
      z.object({ is_published: z.boolean() }),
    )
  )?.is_published ?? false;

/** Statements of this transaction have no time limit: a file may have thousands of hubs. */
export const allowLongStatements = (tx: AnyTx): Promise<number> => execute(tx, sql`set local statement_timeout = 0`);

const WholeHub = HubColumns.extend({
  is_published: z.boolean(),
  pack_unpaid: z.boolean(),
  pickup_points: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      address: z.string(),
      city: z.string(),
      state: z.string(),
      zipCode: z.string(),
      hours: z.string(),
      active: z.boolean(),
    }),
  ),
  closures: z.array(z.object({ day: z.string(), reason: z.string() })),
});
/** A hub with all that a file of hubs has. */
export type WholeHub = z.infer<typeof WholeHub>;

/** The hubs with these slugs, or all (null), with all that a file of hubs has. */
export const findWholeHubs = (db: Conn, slugs: readonly string[] | null): Promise<WholeHub[]> =>
  query(
    db,
    sql`select ${hubColumns}, h.is_published, h.pack_unpaid,
          coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'address', p.address, 'city', p.city, 'state', p.state, 'zipCode', p.zip_code, 'hours', p.hours, 'active', p.is_active) order by p.id)
            from pickup_point p where p.hub_id = h.id), '[]') as pickup_points,
          coalesce((select json_agg(json_build_object('day', to_char(c.day, 'YYYY-MM-DD'), 'reason', c.reason) order by c.day) from hub_closure c where c.hub_id = h.id), '[]') as closures
        from hub h where ${slugs === null}::boolean or h.slug = any(${slugs ?? []}::text[]) order by h.id`,
    WholeHub,
  );
