import { isDeepStrictEqual } from "node:util";

import type { Client, Prisma, Tx } from "@marketday/db";
import { calendarDate, type CalendarDate, dateFromUtc, dateToUtc } from "@marketday/domain/calendar-date";

import { hubColumns } from "./directory-store.ts";
import type { HubPlan } from "./hub-file.ts";
import { lockHub } from "./hub-sql.ts";

/** The market's share of sales where a hub's file names none, in parts per million. */
export const COMMISSION_DEFAULT_PPM = 150_000;

const ppm = (percent: number | undefined): number | undefined =>
  percent === undefined ? undefined : Math.round(percent * 10_000);
const cents = (dollars: number): number => Math.round(dollars * 100);

/** The amounts of a hub: cents and parts per million; a delivery fee of null is the market's. */
export type HubAmounts = Pick<
  Prisma.hubGetPayload<object>,
  "delivery_fee_cents" | "tax_rate_ppm" | "processing_ppm" | "processing_fixed_cents" | "commission_ppm"
>;

/** A written hub with its amounts before and after; `before` is null for a new one. */
interface WrittenHub {
  id: number;
  isChanged: boolean;
  isPublished: boolean;
  before: HubAmounts | null;
  after: HubAmounts;
}

/** Writes a hub by its slug. Missing values stay as they are, or have the column's default in a new hub. */
export async function upsertHub(tx: Tx, plan: HubPlan): Promise<WrittenHub> {
  const { slug } = plan;
  const values = {
    name: plan.name,
    description: plan.description,
    delivery_day: plan.deliveryDay,
    time_zone: plan.timeZone,
    delivery_fee_cents: plan.deliveryFee == null ? plan.deliveryFee : cents(plan.deliveryFee),
    tax_rate_ppm: ppm(plan.taxRate),
    processing_ppm: ppm(plan.processingPercent),
    processing_fixed_cents: plan.processingFixed === undefined ? undefined : cents(plan.processingFixed),
    commission_ppm: ppm(plan.commission),
    zip_code: plan.zipCode,
    city: plan.city,
    state: plan.state,
    lat: plan.lat,
    lng: plan.lng,
    boundaries: [...plan.wkt],
    is_published: plan.published,
    pack_unpaid: plan.packUnpaid,
  };
  await lockHub(tx, slug);
  const before = await tx.hub.findUnique({ where: { slug } });
  const create = { ...values, slug, commission_ppm: values.commission_ppm ?? COMMISSION_DEFAULT_PPM };
  const after = await tx.hub.upsert({ where: { slug }, create, update: values });
  const isChanged = before !== null && !isDeepStrictEqual(before, after);
  return { id: after.id, isChanged, isPublished: after.is_published, before, after };
}

/** Replaces the zips of a hub. @returns the number of changed rows */
export async function writeZips(tx: Tx, hubId: number, zips: readonly string[]): Promise<number> {
  const removed = await tx.hub_zip.deleteMany({ where: { hub_id: hubId, zip_code: { notIn: [...zips] } } });
  const added = await tx.hub_zip.createMany({
    data: zips.map((zip_code) => ({ hub_id: hubId, zip_code })),
    skipDuplicates: true,
  });
  return removed.count + added.count;
}

/** Replaces the closed dates of a hub. @returns the number of changed rows; a date with another reason counts as two */
export async function writeClosures(
  tx: Tx,
  hubId: number,
  closures: NonNullable<HubPlan["closures"]>,
): Promise<number> {
  const rows = closures.map(({ day, reason }) => ({ day: dateToUtc(calendarDate(day)), reason }));
  const removed = await tx.hub_closure.deleteMany({ where: { hub_id: hubId, NOT: { OR: rows } } });
  const added = await tx.hub_closure.createMany({
    data: rows.map((row) => ({ hub_id: hubId, ...row })),
    skipDuplicates: true,
  });
  return removed.count + added.count;
}

/** Closes a date of a hub; false when it is closed already. */
export async function insertClosure(tx: Tx, hubId: number, day: string, reason: string): Promise<boolean> {
  const data = { hub_id: hubId, day: dateToUtc(calendarDate(day)), reason };
  const { count } = await tx.hub_closure.createMany({ data, skipDuplicates: true });
  return count === 1;
}

const wholeHub = {
  ...hubColumns,
  is_published: true,
  pack_unpaid: true,
  pickup_points: {
    select: {
      id: true,
      name: true,
      address: true,
      city: true,
      state: true,
      zip_code: true,
      hours: true,
      is_active: true,
    },
    orderBy: { id: "asc" },
  },
  closures: { select: { day: true, reason: true }, orderBy: { day: "asc" } },
} satisfies Prisma.hubSelect;

/** A hub with all that a file of hubs has; `boundaries` are WKT polygons. */
export type WholeHub = Omit<Prisma.hubGetPayload<{ select: typeof wholeHub }>, "boundaries" | "zips" | "closures"> & {
  boundaries: string[];
  zips: string[];
  closures: { day: CalendarDate; reason: string }[];
};

/** The hubs with these slugs, or all (null), with all that a file of hubs has. */
export async function findWholeHubs(db: Client, slugs: readonly string[] | null): Promise<WholeHub[]> {
  const hubs = await db.hub.findMany({
    ...(slugs && { where: { slug: { in: [...slugs] } } }),
    select: wholeHub,
    orderBy: { id: "asc" },
  });
  return hubs.map((hub) => ({
    ...hub,
    boundaries: hub.boundaries as string[],
    zips: hub.zips.map((zip) => zip.zip_code),
    closures: hub.closures.map(({ day, reason }) => ({ day: dateFromUtc(day), reason })),
  }));
}

/** The slugs and names of all hubs. */
export const findHubNames = (db: Client): Promise<{ slug: string; name: string }[]> =>
  db.hub.findMany({ select: { slug: true, name: true }, orderBy: { id: "asc" } });
