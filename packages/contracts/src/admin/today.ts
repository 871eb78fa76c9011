import { ATTENTION_COUNTS, DAY_STEP_STATES, DAY_STEPS, NEXT_KINDS } from "@marketday/domain/day-steps";
import { z } from "zod";

import { CalendarDate, Instant, Money } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

/**
 * A step: `ahead` of its time, `now` (it runs, or is partly done), `done`, `due` (a person should act), `late`, `off` (missed, not
 * needed, or not recorded by this market: `filled` and `loaded` are always `off`, with the total alone). `at` is when it is
 * due or was done; `count` of `total` say how far it is.
 */
const DayStep = z.object({
  step: z.enum(DAY_STEPS),
  state: z.enum(DAY_STEP_STATES),
  at: Instant.nullable(),
  count: z.number().int().nullable(),
  total: z.number().int().nullable(),
  /** Of `sheets`. */
  version: z.number().int().nullable(),
});

/** The next thing that this person may do for a day. Amounts are null for who may see no money. */
const NextAction = z.object({
  kind: z.enum(NEXT_KINDS),
  /** By the words of each kind: how many, and what it is worth. */
  count: z.number().int().nullable(),
  amount: Money.nullable(),
  /** When it should have been done; null: it is not late. */
  lateSince: Instant.nullable(),
  dueAt: Instant.nullable(),
  /** The command that does the same, without `./market`; null when there is nothing to do, or only a screen does it. `retry_charges`: of the first order. */
  command: z.string().nullable(),
});

export const TodayRow = z
  .object({
    hub: z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() }),
    day: CalendarDate,
    /** Boxes that are to be delivered or were. */
    boxes: z.number().int(),
    /** Orders that are open for changes. */
    openOrders: z.number().int(),
    /** Counted shortages that are to be settled. */
    shorts: z.number().int(),
    steps: z.array(DayStep),
    next: NextAction,
    /** Orders so far in this week and the week before, at the same distance from the cutoff; for the small curve. */
    pace: z.object({ thisWeek: z.number().int(), lastWeek: z.number().int() }).nullable(),
  })
  .meta({ id: "TodayRow" });
export type TodayRow = z.infer<typeof TodayRow>;

/** A count of the lists below the board, or the amount where it is money, or both. `level`: how loud it is. */
const Count = z.object({
  key: z.enum(ATTENTION_COUNTS),
  count: z.number().int().nullable(),
  amount: Money.nullable(),
  /** Since when the oldest one waits; of `checks_failed` and `backup_age`, when it ran last. */
  at: Instant.nullable(),
  level: z.enum(["quiet", "due", "late"]),
  /** The command that lists them, without `./market`; null: only a screen does. */
  command: z.string().nullable(),
});

/**
 * Every delivery day of the markets one may see that is not over, sorted by day and market; counts; and the health of the market. Counts
 * that a person may not see are left out. 404 for a `hub` (slug or id) that there is not, or that one may not see.
 */
export const getToday = adminEndpoint({
  method: "GET",
  url: "/today",
  access: { permission: "orders.read", where: "any" },
  schema: {
    querystring: z.object({ hub: z.string().max(200).optional() }),
    response: {
      200: z.object({
        now: Instant,
        rows: z.array(TodayRow),
        /** Index in `rows` of what is most urgent; null when nothing is to be done. */
        mostUrgent: z.number().int().nullable(),
        counts: z.object({
          attention: z.array(Count),
          stock: z.array(Count),
          money: z.array(Count),
          system: z.array(Count),
        }),
        /** Of the stored checks, which run each hour; `failed` null: they have not run yet. */
        health: z.object({
          failed: z.number().int().nullable(),
          checkedAt: Instant.nullable(),
          lastBackupAt: Instant.nullable(),
        }),
      }),
    },
  },
});
export type Today = z.output<(typeof getToday)["schema"]["response"][200]>;
