import { calendarDate } from "@marketday/domain/calendar-date";
import type { AttentionCount, NextKind } from "@marketday/domain/day-steps";
import { type Grant, hubsWith, type Permission } from "@marketday/domain/staff";
import { addMs, atOrAfter } from "@marketday/domain/time";
import {
  type Allowed,
  ANSWER_LATE_MS,
  BACKUP_DUE_MS,
  BACKUP_LATE_MS,
  CHECKS_LATE_MS,
  type DayFacts,
  type DayPlan,
  type Loudness,
  MAIL_LATE_MS,
  mostUrgent,
  planDay,
} from "@marketday/domain/today";

import { notFound } from "../../lib/app-error.ts";
import { readHealth, type StoredHealth } from "../health/stored-health.ts";
import type { Context, StaffActor } from "../identity/context.ts";
import { toWeekDay } from "../week/week-sql.ts";
import { type BoardRow, findBoard } from "./board-sql.ts";
import { type CountsRow, findCounts } from "./counts-sql.ts";
import type { HubFilter, HubScope } from "./hub-filter-sql.ts";

/** A count below the board. `at`: since when the oldest one waits, or when it ran last. Cents. */
export interface TodayCount {
  key: AttentionCount;
  count: number | null;
  cents: number | null;
  at: Date | null;
  level: Loudness;
  /** Null: only a screen lists them. */
  command: string | null;
}
interface Amount {
  count: number;
  cents: number;
}
type Group = "attention" | "stock" | "money" | "system";

/** A row of the board. Amounts are null for who may see no money. */
export interface TodayRow extends DayPlan {
  row: BoardRow;
}

/** The board, its counts, and the health of the market, as one person may see them. */
export interface Today {
  now: Date;
  rows: TodayRow[];
  mostUrgent: number | null;
  counts: Record<Group, TodayCount[]>;
  health: StoredHealth;
}

/** The permission that each thing to do needs, in the market of its day. */
const NEEDED: Record<Exclude<NextKind, "nothing">, Permission> = {
  run_late_step: "day.run",
  create_sheets: "day.run",
  settle_shorts: "orders.adjust",
  renew_sheets: "day.run",
  collect_at_door: "orders.adjust",
  retry_charges: "orders.refund",
  deliver: "day.run",
  pay_vendors: "payouts.write",
};
/** Either of them shows amounts: reading money, or paying it back. */
const MONEY = ["money.read", "orders.refund"] as const satisfies readonly Permission[];

/** The hubs in which `grants` include one of these permissions. */
function scopeOf(grants: readonly Grant[], ...permissions: readonly Permission[]): HubScope {
  const scopes = permissions.map((permission) => hubsWith(grants, permission));
  return scopes.includes("all") ? "all" : [...new Set((scopes as (readonly number[])[]).flat())];
}

const isIn = (scope: HubScope, hubId: number): boolean => scope === "all" || scope.includes(hubId);

/** What a person may do and see in a hub. Vendors are paid for the whole market, so that the permission counts for all of it. */
function allowedIn(grants: readonly Grant[], hubId: number): Allowed {
  const kinds = Object.entries(NEEDED).filter(([, permission]) => {
    const scope = scopeOf(grants, permission);
    return permission === "payouts.write" ? scope === "all" : isIn(scope, hubId);
  });
  return {
    kinds: new Set(kinds.map(([kind]) => kind as NextKind)),
    payouts: isIn(scopeOf(grants, "money.read"), hubId),
  };
}

const toFacts = (row: BoardRow): DayFacts => ({
  ...toWeekDay(row),
  hub: { slug: row.slug, name: row.name, timeZone: row.time_zone },
  day: calendarDate(row.day),
  boxes: row.boxes,
  deliveredBoxes: row.delivered_boxes,
  deliveredAt: row.delivered_at,
  autoWanted: row.auto_wanted,
  autoOrdered: row.auto_ordered,
  sheetsAt: row.sheets_at,
  hadSheets: row.had_sheets,
  vendors: row.vendors.all,
  arrivedVendors: row.vendors.arrived,
  arrivedAt: row.vendors.at === null ? null : new Date(row.vendors.at),
  shorts: row.shorts,
  declined: { ...row.declined, totes: [] },
  toCollect: row.to_collect,
  undelivered: row.undelivered,
  payout: {
    vendors: row.payout_vendors,
    paid: row.payout_paid,
    paidAt: row.payout_at,
    unpaidCents: row.payout_unpaid_cents,
  },
});

/** Something that waits: loud from the first on, and late when the oldest waits longer than `lateMs`. */
function waiting(
  key: AttentionCount,
  found: CountsRow["problems"],
  { now, lateMs, command }: { now: Date; lateMs: number | null; command: string | null },
): TodayCount[] {
  if (!found) return [];
  const at = found.since === null ? null : new Date(found.since);
  const isLate = lateMs !== null && at !== null && atOrAfter(now, addMs(at, lateMs));
  const level = found.count === 0 ? "quiet" : isLate ? "late" : "due";
  return [{ key, count: found.count, cents: null, at, level, command }];
}

const quietly = (counts: TodayCount[]): TodayCount[] => counts.map((each) => ({ ...each, level: "quiet" as const }));

function amount(key: AttentionCount, found: Amount | null, command: string): TodayCount[] {
  if (!found) return [];
  return [{ key, count: found.count, cents: found.cents, at: null, level: found.count > 0 ? "due" : "quiet", command }];
}

/** The stored checks and the last backup. */
function systemCounts({ failed, checkedAt, lastBackupAt }: StoredHealth, now: Date): TodayCount[] {
  const isOld = checkedAt === null || atOrAfter(now, addMs(checkedAt, CHECKS_LATE_MS));
  const isBackupOlder = (ms: number) => lastBackupAt !== null && atOrAfter(now, addMs(lastBackupAt, ms));
  return [
    {
      key: "checks_failed",
      count: failed,
      cents: null,
      at: checkedAt,
      level: failed !== null && failed > 0 ? "late" : isOld ? "due" : "quiet",
      command: "doctor",
    },
    {
      key: "backup_age",
      count: null,
      cents: null,
      at: lastBackupAt,
      level: isBackupOlder(BACKUP_LATE_MS)
        ? "late"
        : lastBackupAt === null || isBackupOlder(BACKUP_DUE_MS)
          ? "due"
          : "quiet",
      command: "backup",
    },
  ];
}

function countsOf(
  row: CountsRow,
  {
    payouts,
    health,
    hasSystem,
  }: { payouts: (Amount & { until: string | null }) | null; health: StoredHealth; hasSystem: boolean },
  now: Date,
): Today["counts"] {
  const answer = (key: AttentionCount, found: CountsRow["problems"], command: string) =>
    waiting(key, found, { now, lateMs: ANSWER_LATE_MS, command });
  const any = (key: AttentionCount, found: CountsRow["problems"], command: string | null) =>
    waiting(key, found, { now, lateMs: null, command });
  const [checks, backup] = hasSystem ? systemCounts(health, now) : [];
  return {
    attention: [
      ...any("shorts_to_settle", row.shorts, null),
      ...answer("problems_open", row.problems, "problems list"),
      ...answer("questions_waiting", row.questions, "inbox list"),
      ...answer("messages_waiting", row.messages, "inbox list"),
      ...quietly(any("applications_new", row.applications, "applications list")),
    ],
    stock: quietly(any("sold_out_watched", row.watched, "stock watched")),
    money: [
      ...any("cards_declined", row.declined, "doctor"),
      ...amount("to_collect", row.to_collect, "orders list --owing"),
      ...any("refunds_waiting", row.refunds, "refunds list"),
      ...any("disputes_open", row.disputes, "disputes list"),
      ...amount("payouts_due", payouts, `ledger payouts --to ${payouts?.until ?? row.market_date} --dry-run`),
    ],
    system: [
      ...(checks ? [checks] : []),
      ...waiting("mails_waiting", row.mails, { now, lateMs: MAIL_LATE_MS, command: "jobs run --dry-run" }),
      ...any("jobs_failed", row.jobs, "doctor"),
      ...(backup ? [backup] : []),
    ],
  };
}

/**
 * Every delivery day that is not over, its next thing to do, and the counts below the board (docs/product.md §18), as far as the person
 * may see: in two statements, whatever the number of hubs.
 * @param hub slug or id of the only hub to show
 * @throws AppError 404 for a hub that there is not, or that the person may not see
 */
export async function getToday({ deps, now }: Context, actor: StaffActor, hub: string | null): Promise<Today> {
  const { grants } = actor;
  const only = (...permissions: Permission[]): HubFilter => ({ scope: scopeOf(grants, ...permissions), hub });
  const seen = only("orders.read");
  const isForAll = (permission: Permission) => hubsWith(grants, permission) === "all";
  const hasSystem = isForAll("reports.read");
  const [board, counts] = await Promise.all([
    findBoard(deps.db, { hubs: seen, payouts: only("money.read") }, now),
    findCounts(
      deps.db,
      {
        seen,
        shorts: only("orders.adjust"),
        inbox: only("inbox.reply"),
        stock: only("catalogue.write"),
        money: only(...MONEY),
        applications: isForAll("vendors.write"),
        system: hasSystem,
      },
      now,
    ),
  ]);
  if (hub !== null && counts.hubs === 0) throw notFound();
  const money = scopeOf(grants, ...MONEY);
  const allowedByHub = new Map<number, Allowed>();
  const rows = board
    .map((row): TodayRow => {
      const allowed = allowedByHub.get(row.hub_id) ?? allowedIn(grants, row.hub_id);
      allowedByHub.set(row.hub_id, allowed);
      const { next, ...plan } = planDay(toFacts(row), allowed, now);
      return { row, ...plan, next: isIn(money, row.hub_id) ? next : { ...next, cents: null } };
    })
    .filter(({ isOver }) => !isOver);
  const health = readHealth(counts.facts);
  const canSeePayouts = scopeOf(grants, "money.read").length > 0;
  const payouts = canSeePayouts
    ? {
        count: board[0]?.unpaid_vendors ?? 0,
        cents: board[0]?.unpaid_cents ?? 0,
        until: board[0]?.payable_until ?? null,
      }
    : null;
  return {
    now,
    rows,
    mostUrgent: mostUrgent(rows),
    counts: countsOf(counts, { payouts, health, hasSystem }, now),
    health,
  };
}
