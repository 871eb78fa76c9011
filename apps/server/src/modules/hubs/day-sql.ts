import { type AnyTx, type Conn, query, queryOne, sql, type Sql } from "@marketday/db";
import { calendarDate, type CalendarDate } from "@marketday/domain/calendar-date";
import { z } from "zod";

import { isClosedDate, isClosedDay, takesOrders } from "./delivery-sql.ts";

const SheetDayRow = z.object({
  id: z.number(),
  cutoff_at: z.date(),
  takes_orders: z.boolean(),
  cutoff_state: z.string().nullable(),
});
export type SheetDayRow = z.infer<typeof SheetDayRow>;

/** A hub's delivery day, whether it takes orders at `now`, and the state of its cutoff. */
export const findSheetDay = (db: Conn, hubId: number, day: string, now: Date): Promise<SheetDayRow | null> =>
  queryOne(
    db,
    sql`select d.id, d.cutoff_at, ${takesOrders(sql`d`, now)} as takes_orders, r.state as cutoff_state from delivery d
        left join delivery_run r on r.delivery_id = d.id and r.step = 'cutoff'
        where d.hub_id = ${hubId}::int and d.day = ${day}::date`,
    SheetDayRow,
  );

const DayRow = z.object({ day: z.string() });

/** The delivery days nearest to a date that is not one, for the error message. */
export const findDaysAround = (db: Conn, hubId: number, day: string): Promise<{ day: string }[]> =>
  query(
    db,
    sql`select to_char(day, 'YYYY-MM-DD') as day from (
          select day from delivery where hub_id = ${hubId}::int order by abs(day - ${day}::date), day limit 3) near order by near.day`,
    DayRow,
  );

const OpenDay = z.object({ id: z.number(), day: z.string(), cutoff_at: z.date(), auto_checkout_at: z.date() });
export type OpenDay = z.infer<typeof OpenDay>;

/** The hub's delivery days that take orders at `now`, the next one first. */
export const findOpenDays = (db: Conn, hubId: number | null, now: Date): Promise<OpenDay[]> =>
  query(
    db,
    sql`select d.id, to_char(d.day, 'YYYY-MM-DD') as day, d.cutoff_at, d.auto_checkout_at from delivery d
        where d.hub_id = ${hubId}::int and ${takesOrders(sql`d`, now)} order by d.cutoff_at`,
    OpenDay,
  );

const LockedDay = z.object({ id: z.number() });

/**
 * Keeps the delivery days of an order open until the transaction ends: their freeze waits for it, and it waits for a freeze in
 * progress. False when one of the days is closed already or unknown, so its orders cannot be changed. The lock is a separate
 * statement, so that the next one reads the result of a freeze.
 */
export const lockOpenDeliveries = (tx: Conn, deliveryIds: readonly number[]): Promise<boolean> =>
  lockDeliveries(tx, deliveryIds, isClosedDay(sql`d`));

/** `lockOpenDeliveries` for a new order; false for a closed date too, whose last orders can be changed but get no company. */
export const lockDeliveriesToOrder = (tx: Conn, deliveryIds: readonly number[]): Promise<boolean> =>
  lockDeliveries(tx, deliveryIds, sql`(${isClosedDay(sql`d`)} or ${isClosedDate(sql`d`)})`);

async function lockDeliveries(tx: Conn, deliveryIds: readonly number[], isRefused: Sql): Promise<boolean> {
  const ids = [...new Set(deliveryIds)];
  const locked = await query(
    tx,
    sql`select id from delivery where id = any(${ids}::int[]) order by id for key share`,
    LockedDay,
  );
  if (locked.length < ids.length) return false;
  return (
    (await queryOne(
      tx,
      sql`select d.id from delivery d where d.id = any(${ids}::int[]) and ${isRefused} limit 1`,
      LockedDay,
    )) === null
  );
}

/** Locks a delivery day against new orders, changes and its freeze until the transaction ends. */
export const lockDay = (tx: Conn, deliveryId: number): Promise<unknown> =>
  query(tx, sql`select id from delivery where id = ${deliveryId}::int for update`, LockedDay);

/** Locks those of these dates that a hub delivers on, so that no checkout adds an order meanwhile. */
export const lockDates = (tx: AnyTx, slug: string, days: readonly string[]): Promise<unknown> =>
  query(
    tx,
    sql`select d.id from delivery d where d.hub_id = (select id from hub where slug = ${slug}) and d.day = any(${[...days]}::date[])
        order by d.id for update`,
    LockedDay,
  );

/** A delivery day whose cutoff is ahead. `hasOrders`: it has orders or a checkout, or its orders are closed already. */
interface StoredDay {
  id: number;
  day: CalendarDate;
  cutoff: Date;
  hasOrders: boolean;
}
const StoredDayRow = z.object({ id: z.number(), day: z.string(), cutoff_at: z.date(), has_orders: z.boolean() });

/**
 * Locks the days of a hub whose cutoff is ahead, so that a checkout of one of them waits and then finds it or another. The lock is a
 * separate statement, so that the next one reads the result of a checkout before it.
 */
export async function lockDaysFrom(tx: AnyTx, hubId: number, now: Date): Promise<StoredDay[]> {
  await query(
    tx,
    sql`select id from delivery where hub_id = ${hubId}::int and cutoff_at > ${now} order by id for update`,
    LockedDay,
  );
  const rows = await query(
    tx,
    sql`select d.id, d.day::text as day, d.cutoff_at, exists (select 1 from orders o where o.delivery_id = d.id)
            or exists (select 1 from checkout_attempt a where a.delivery_id = d.id) or ${isClosedDay(sql`d`)} as has_orders
        from delivery d where d.hub_id = ${hubId}::int and d.cutoff_at > ${now} order by d.id`,
    StoredDayRow,
  );
  return rows.map(({ id, day, cutoff_at: cutoff, has_orders: hasOrders }) => ({
    id,
    day: calendarDate(day),
    cutoff,
    hasOrders,
  }));
}
