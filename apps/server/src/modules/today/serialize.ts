import type { Today as TodayResponse } from "@marketday/contracts/admin/today";
import { cents, toDollars } from "@marketday/domain/money";

import type { Today, TodayCount, TodayRow } from "./get-today.ts";

const toInstant = (at: Date | null): string | null => at?.toISOString() ?? null;
const toAmount = (amount: number | null): number | null => (amount === null ? null : toDollars(cents(amount)));

const toCount = ({ cents: amount, at, ...count }: TodayCount) => ({
  ...count,
  amount: toAmount(amount),
  at: toInstant(at),
});

const toRow = ({ row, steps, next: { cents: amount, ...next } }: TodayRow): TodayResponse["rows"][number] => ({
  hub: { id: row.hub_id, slug: row.slug, name: row.name, timeZone: row.time_zone },
  day: row.day,
  boxes: row.boxes,
  openOrders: row.open_orders,
  shorts: row.shorts.count,
  steps: steps.map(({ at, ...step }) => ({ ...step, at: toInstant(at) })),
  next: {
    ...next,
    amount: toAmount(amount),
    lateSince: toInstant(next.lateSince),
    dueAt: toInstant(next.dueAt),
  },
  pace: row.pace_before === null ? null : { thisWeek: row.boxes, lastWeek: row.pace_before },
});

/** The board as the app shows it. */
export const toTodayResponse = ({ now, rows, mostUrgent, counts, health }: Today): TodayResponse => ({
  now: now.toISOString(),
  rows: rows.map(toRow),
  mostUrgent,
  counts: {
    attention: counts.attention.map(toCount),
    stock: counts.stock.map(toCount),
    money: counts.money.map(toCount),
    system: counts.system.map(toCount),
  },
  health: {
    failed: health.failed,
    checkedAt: toInstant(health.checkedAt),
    lastBackupAt: toInstant(health.lastBackupAt),
  },
});
