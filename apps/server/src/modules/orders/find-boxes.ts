import { type Conn, query, sql } from "@marketday/db";
import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { deliveryOf } from "../hubs/find-day.ts";
import type { Context } from "../identity/context.ts";

const ToteRow = z.object({ tote: z.number(), id: z.number(), orderIds: z.array(z.number()) });
/** A box by its tote number: the id of its first order, and its live orders, first order first. */
export type ToteBox = z.infer<typeof ToteRow>;

/** Every tote in any version of a delivery day's sheets, by number. Totes of cancelled boxes have no `orderIds`. */
const findTotes = (db: Conn, deliveryId: number): Promise<ToteBox[]> =>
  query(
    db,
    sql`select b.tote, b.order_id as id,
          array(select o.id from orders o where (o.id = b.order_id or o.add_on_to_id = b.order_id) and o.status <> 'cancelled'
            order by o.add_on_to_id nulls first, o.created_at, o.id) as "orderIds"
        from snapshot s join snapshot_box b on b.snapshot_id = s.id
        where s.delivery_id = ${deliveryId}::int and s.is_complete group by b.tote, b.order_id order by b.tote`,
    ToteRow,
  );

/**
 * The boxes of a delivery day with these tote numbers, in the given order. All or none.
 * @throws AppError 404 for an unknown hub or day; 409 `no_totes` before the sheets are frozen; 422 `no_such_tote` that names
 * every unknown or cancelled number
 */
export async function findBoxesByTote(
  ctx: Context,
  { hub: key, day }: { hub: string; day: string },
  totes: readonly number[],
): Promise<ToteBox[]> {
  const { hub, delivery } = await deliveryOf(ctx, key, day);
  const rows = await findTotes(ctx.deps.db, delivery.id);
  const last = rows.at(-1)?.tote;
  if (last === undefined)
    throw new AppError(
      409,
      `${hub.name} has no totes for ${formatLong(calendarDate(day), dateInZone(ctx.now, hub.time_zone))} yet: they are numbered when its orders close.`,
      { code: "no_totes" },
    );
  const byTote = new Map(rows.map((row) => [row.tote, row]));
  const found: ToteBox[] = [];
  const wrong: string[] = [];
  for (const tote of new Set(totes)) {
    const box = byTote.get(tote);
    if (!box) wrong.push(`There is no tote ${tote}: they go from 1 to ${last}.`);
    else if (box.orderIds.length === 0) wrong.push(`Tote ${tote} (order ${box.id}) was cancelled.`);
    else found.push(box);
  }
  if (wrong.length > 0)
    throw new AppError(422, `${wrong.join("\n")}\nNothing was done.`, {
      code: "no_such_tote",
      right: found.map(({ tote }) => tote),
    });
  return found;
}
