import { z } from "zod";

import { CalendarDate, Instant, Money } from "../common.ts";
import { adminEndpoint } from "./endpoint.ts";

/** The ten steps of a delivery day on the board, in order. */
export const DAY_STEPS = [
  "opens",
  "auto_checkout",
  "cutoff",
  "sheets",
  "vendors_in",
  "filled",
  "loaded",
  "delivered",
  "closed",
  "paid_out",
] as const;

/**
 * A step: `ahead` of its time, `now` (it runs, or is partly done), `done`, `due` (a person should act), `late`, `off` (missed, or not
 * used by this market). `at` is when it is due or was done; `count` of `total` say how far it is.
 */
const DayStep = z.object({
  step: z.enum(DAY_STEPS),
  state: z.enum(["ahead", "now", "done", "due", "late", "off"]),
  at: Instant.nullable(),
  count: z.number().int().nullable(),
  total: z.number().int().nullable(),
  /** Of `sheets`. */
  version: z.number().int().nullable(),
});

/** The next thing that a person should do for a day. */
const NextAction = z.object({
  kind: z.enum([
    "nothing",
    "run_late_step",
    "create_sheets",
    "renew_sheets",
    "answer_vendors",
    "settle_shorts",
    "retry_charges",
    "collect_at_door",
    "deliver",
    "pay_vendors",
  ]),
  /** By the words of each kind: how many, and what it is worth. */
  count: z.number().int().nullable(),
  amount: Money.nullable(),
  /** When it should have been done; null: it is not late. */
  lateSince: Instant.nullable(),
  dueAt: Instant.nullable(),
  /** The command that does the same, without `./market`; null when there is nothing to do. */
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
    steps: z.array(DayStep),
    next: NextAction,
    /** Orders so far in this week and the week before, at the same distance from the cutoff; for the small curve. */
    pace: z.object({ thisWeek: z.number().int(), lastWeek: z.number().int() }).nullable(),
  })
  .meta({ id: "TodayRow" });
export type TodayRow = z.infer<typeof TodayRow>;

/** A count of the lists below the board; `amount` instead where it is money. `level`: how loud it is. */
const Count = z.object({
  key: z.enum([
    "problems_open",
    "questions_waiting",
    "messages_waiting",
    "applications_waiting",
    "reviews_hidden",
    "sold_out_watched",
    "vendors_unconfirmed",
    "cards_declined",
    "to_collect",
    "refunds_waiting",
    "payouts_due",
    "checks_failed",
    "mails_waiting",
    "jobs_failed",
    "backup_age",
  ]),
  count: z.number().int().nullable(),
  amount: Money.nullable(),
  at: Instant.nullable(),
  level: z.enum(["quiet", "due", "late"]),
  /** The command that lists them, without `./market`. */
  command: z.string(),
});

/**
 * Every delivery day of the markets one may see that is not over, sorted by day; counts; and the health of the market. Counts that a
 * person may not see are left out.
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
        /** `failed` null: the checks have not run yet. */
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
