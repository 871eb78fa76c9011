import { sql } from "@marketday/db";
import { z } from "zod";

import { isGiven, isUnresolved } from "../payments/refund-sql.ts";
import { collectCents, isPacked } from "./box-state-sql.ts";

/** The amounts of a box by what becomes of them. Cents. */
export const boxMoneyRow = {
  is_cancelled: z.boolean(),
  total_cents: z.number(),
  due_cents: z.number(),
  collect_cents: z.number(),
  is_declined: z.boolean(),
  held_cents: z.number(),
  to_charge_cents: z.number(),
  paid_cents: z.number(),
  written_off_cents: z.number(),
};
const BoxMoneyRow = z.object({ ...boxMoneyRow, back_cents: z.number(), back_failed_cents: z.number() });
export type BoxMoneyRow = z.infer<typeof BoxMoneyRow>;

const isLive = sql`o.status <> 'cancelled'`;
/** What is not paid by store credit. */
const rest = sql`(o.order_total_cents - o.credit_cents)`;

/**
 * Columns of `boxMoneyRow`: sums of the orders `o` of a box with their payments `y` and hub `h`. The total is of the live orders, and of a
 * cancelled box what it was. `due_cents` is to be paid at the door, `collect_cents` of it is collected there: where the hub does not pack
 * what could not be charged, the rest is not.
 */
export const boxMoneyColumns = sql`bool_and(o.status = 'cancelled') as is_cancelled,
          case when bool_and(o.status = 'cancelled') then sum(o.order_total_cents) else sum(o.order_total_cents) filter (where ${isLive}) end::int as total_cents,
          coalesce(sum(${collectCents}) filter (where ${isLive}), 0)::int as due_cents,
          coalesce(sum(${collectCents}) filter (where ${isLive} and ${isPacked(sql`o`)}), 0)::int as collect_cents,
          coalesce(bool_or(o.charge_failed_at is not null) filter (where ${isLive}), false) as is_declined,
          coalesce(sum(${rest}) filter (where ${isLive} and o.charge_failed_at is null and y.provider <> 'offline' and y.state = 'authorized'), 0)::int as held_cents,
          coalesce(sum(${rest}) filter (where ${isLive} and o.charge_failed_at is null and o.written_off_at is null
            and coalesce(y.state, '') not in ('authorized', 'captured')), 0)::int as to_charge_cents,
          coalesce(sum(o.order_total_cents) filter (where ${isLive} and (y.state = 'captured' or (${rest} <= 0 and o.written_off_at is null))), 0)::int as paid_cents,
          coalesce(sum(${rest}) filter (where ${isLive} and o.written_off_at is not null), 0)::int as written_off_cents`;

/** Columns of the refunds `r` of a box's orders: given back or on their way, and those that their card did not take. Cents. */
export const boxBackColumns = sql`coalesce(sum(r.amount_cents) filter (where ${isGiven(sql`r`)}), 0)::int as back_cents,
          coalesce(sum(r.amount_cents) filter (where ${isUnresolved(sql`r`)}), 0)::int as back_failed_cents`;

/** `boxStatus` in SQL: a column of the orders `o` of a box. */
export const boxStatusColumn = sql`case when bool_and(o.status = 'cancelled') then 'cancelled' when bool_or(o.status in ('open', 'future')) then 'open'
            when bool_or(o.status = 'pending') then 'packing' else 'delivered' end`;

/** `serializeBoxMoney` in SQL: the state of a row with the columns of `BoxMoneyRow`, for a filter by it. */
export const boxMoneyState = sql`case when due_cents > 0 then case when is_declined then 'declined' else 'due' end when back_failed_cents > 0 then 'back_failed'
            when back_cents > 0 then 'back' when written_off_cents > 0 then 'written_off' when held_cents > 0 then 'held' when to_charge_cents > 0 then 'to_charge'
            when paid_cents > 0 then 'paid' else 'none' end`;
