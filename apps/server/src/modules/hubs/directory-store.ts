import type { Client, Prisma } from "@marketday/db";
import { calendarDate, type CalendarDate, dateFromUtc, dateToUtc } from "@marketday/domain/calendar-date";

/** What a shown hub and a file of hubs have both. */
export const hubColumns = {
  slug: true,
  name: true,
  description: true,
  delivery_day: true,
  time_zone: true,
  delivery_fee_cents: true,
  tax_rate_ppm: true,
  processing_ppm: true,
  processing_fixed_cents: true,
  commission_ppm: true,
  zip_code: true,
  city: true,
  state: true,
  lat: true,
  lng: true,
  boundaries: true,
  zips: { select: { zip_code: true }, orderBy: { zip_code: "asc" } },
} satisfies Prisma.hubSelect;

const shownHub = {
  id: true,
  ...hubColumns,
  pickup_points: {
    where: { is_active: true },
    select: { id: true, name: true, address: true, city: true, state: true, zip_code: true, hours: true },
    orderBy: { id: "asc" },
  },
} satisfies Prisma.hubSelect;

/** A published hub with its zips, active pickup points and boundaries (WKT polygons). */
export type HubRow = Omit<Prisma.hubGetPayload<{ select: typeof shownHub }>, "boundaries" | "zips"> & {
  boundaries: string[];
  zips: string[];
};
/** A published hub's own row with its zips and pickup points; amounts in cents, rates in parts per million. */
export type HubFacts = Omit<HubRow, "boundaries">;

/** Every published hub, ids ascending. */
export async function findHubs(db: Client): Promise<HubRow[]> {
  const hubs = await db.hub.findMany({ where: { is_published: true }, select: shownHub, orderBy: { id: "asc" } });
  return hubs.map((hub) => ({
    ...hub,
    boundaries: hub.boundaries as string[],
    zips: hub.zips.map((zip) => zip.zip_code),
  }));
}

/** WKT polygons of one published hub; null when there is no such hub. */
export async function findBoundaries(db: Client, hubId: number): Promise<string[] | null> {
  const hub = await db.hub.findUnique({ where: { id: hubId, is_published: true }, select: { boundaries: true } });
  return hub && (hub.boundaries as string[]);
}

const hubKey = { id: true, slug: true, name: true, time_zone: true, lat: true, lng: true } satisfies Prisma.hubSelect;
export type HubKeyRow = Prisma.hubGetPayload<{ select: typeof hubKey }>;

/** A hub by its id or slug, published or not. */
export function findHubByKey(db: Client, key: string): Promise<HubKeyRow | null> {
  const id = /^[1-9]\d{0,8}$/.test(key) ? Number(key) : null;
  return db.hub.findFirst({
    where: id === null ? { slug: key } : { OR: [{ slug: key }, { id }] },
    select: hubKey,
    orderBy: { id: "asc" },
  });
}

/** Every hub, published or not, by name. */
export const findHubKeys = (db: Client): Promise<HubKeyRow[]> =>
  db.hub.findMany({ select: hubKey, orderBy: [{ name: "asc" }, { id: "asc" }] });

/** The hubs that deliver on a date, by name. */
export const findHubsOfDay = (db: Client, day: string): Promise<HubKeyRow[]> =>
  db.hub.findMany({
    where: { deliveries: { some: { day: dateToUtc(calendarDate(day)) } } },
    select: hubKey,
    orderBy: [{ name: "asc" }, { id: "asc" }],
  });

/** What a hub's delivery days are planned by. */
export interface DeliveryPlan {
  id: number;
  delivery_day: string;
  time_zone: string;
  closures: CalendarDate[];
  /** Its days whose cutoff is ahead. */
  days: CalendarDate[];
}

/** The plan of one hub, or (null) of all published ones. */
export async function findPlans(db: Client, hubId: number | null, now: Date): Promise<DeliveryPlan[]> {
  const hubs = await db.hub.findMany({
    where: hubId === null ? { is_published: true } : { id: hubId },
    select: {
      id: true,
      delivery_day: true,
      time_zone: true,
      closures: { select: { day: true } },
      deliveries: { where: { cutoff_at: { gt: now } }, select: { day: true } },
    },
    orderBy: { id: "asc" },
  });
  return hubs.map(({ closures, deliveries, ...hub }) => ({
    ...hub,
    closures: closures.map(({ day }) => dateFromUtc(day)),
    days: deliveries.map(({ day }) => dateFromUtc(day)),
  }));
}
