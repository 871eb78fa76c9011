import type { DaySheets } from "@marketday/contracts/admin/days";
import { calendarDate, dateInZone } from "@marketday/domain/calendar-date";
import { cents, toDollars } from "@marketday/domain/money";
import { itemTitle, type SheetChange } from "@marketday/domain/sheets";
import { isBefore } from "@marketday/domain/time";

import type { DayFactsRow } from "./day-facts-sql.ts";
import type { DayOfHub } from "./read-day.ts";

function stateOf(
  { hub, versions, takes_orders, is_skipped, is_cut_off, cutoff_at }: DayFactsRow,
  day: string,
  now: Date,
) {
  if (versions.length > 0) return "frozen";
  if (takes_orders) return "open";
  if (is_cut_off) return "frozen";
  if (is_skipped && isBefore(now, cutoff_at)) return "skipped";
  const isOver = dateInZone(now, hub.timeZone) > calendarDate(day);
  return isOver ? "over" : "closing";
}

const serializeChange = ({ kind, tote, orderId, name, lines, due, goesTo }: SheetChange) => ({
  kind,
  tote,
  orderId,
  name,
  lines: lines.map((line) => ({
    vendor: line.vendor,
    item: itemTitle(line),
    before: line.before,
    after: line.after,
  })),
  collect: { before: toDollars(due.before), after: toDollars(due.after) },
  goesTo,
});

const serializeKnown = (known: DayFactsRow["vendors"][number]["arrived"]) =>
  known && { ...known, at: new Date(known.at).toISOString() };

/** A delivery day as the admin API answers it. */
export function serializeDay({ facts, changes, files }: DayOfHub, day: string, now: Date): DaySheets {
  const { hub, cutoff_at: cutoff, versions, vendors } = facts;
  const first = versions[0] === undefined ? cutoff : new Date(versions[0].frozenAt);
  const closed = isBefore(first, cutoff) ? first : cutoff;
  const state = stateOf(facts, day, now);
  return {
    hub,
    day,
    cutoffAt: cutoff.toISOString(),
    state,
    closedAt: state === "open" || state === "skipped" ? null : closed.toISOString(),
    isStale: facts.is_stale,
    boxes: facts.boxes,
    units: facts.units,
    toCollect: toDollars(cents(facts.collect_cents)),
    vendors: vendors.map(({ confirmed, arrived, ...vendor }) => ({
      ...vendor,
      confirmed: serializeKnown(confirmed),
      arrived: serializeKnown(arrived),
    })),
    versions: versions.toReversed().map((version) => ({
      version: version.version,
      frozenAt: new Date(version.frozenAt).toISOString(),
      madeAt: version.madeAt === null ? null : new Date(version.madeAt).toISOString(),
      drivers: version.drivers,
      changes: changes.get(version.version)?.map(serializeChange) ?? null,
    })),
    files,
  };
}
