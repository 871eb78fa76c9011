import { calendarDate, dateInZone, formatLong, formatShort } from "@marketday/domain/calendar-date";
import { formatClock } from "@marketday/domain/order";
import type { StepState, WeekLineItem, WeekStep } from "@marketday/domain/week-plan";
import { readWeek, readWeeks, type WeekOfHub } from "@marketday/server/modules/week/read-week";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import type { Output } from "../lib/cli/output.ts";

const STEP_LABELS: Record<WeekStep, string> = {
  open: "the cycle opens",
  remind_auto_checkout: "reminders of automatic checkout",
  auto_checkout: "automatic checkout",
  remind_order_by: "reminders of the cutoff",
  cutoff: "cutoff: orders close, money is taken",
  sheets: "sheets",
  close: "the day closes",
};
const STATE_LABELS: Record<StepState, string> = {
  ahead: "ahead",
  due: "due",
  running: "running",
  late: "LATE",
  done: "done",
  errors: "done, with errors",
  missed: "missed",
  before: "before the market was created",
};

function colorState(state: StepState, { color }: Output): string {
  const label = STATE_LABELS[state];
  if (state === "done") return color.green(label);
  if (state === "late" || state === "missed") return color.red(label);
  return state === "due" || state === "errors" ? color.yellow(label) : label;
}

const formatInstant = (at: Date | null, zone: string, now: Date): string =>
  at === null ? "" : `${formatShort(dateInZone(at, zone), dateInZone(now, zone))}, ${formatClock(at, zone)}`;

/** Commands for a step that needs an operator. */
function advice({ step, state }: WeekLineItem, hub: string, day: string): string[] {
  if (step === "sheets" && state === "due") return [`./market sheets ${hub} ${day}`];
  return state === "late" ? ["./market jobs run"] : [];
}

function formatDay(
  { hub, now }: WeekOfHub,
  { day, orders, version, steps }: WeekOfHub["days"][number],
  out: Output,
): string {
  const counts = Object.entries(orders).map(([status, count]) => `${count} ${status}`);
  const head = `${out.color.bold(formatLong(calendarDate(day), dateInZone(now, hub.time_zone)))}: ${counts.length > 0 ? `orders ${counts.join(", ")}` : "no orders"}`;
  const rows = steps.map((line) => [
    `  ${STEP_LABELS[line.step]}${line.step === "sheets" && version !== null ? `, version ${version}` : ""}`,
    formatInstant(line.at, hub.time_zone, now),
    colorState(line.state, out),
  ]);
  const width = Math.max(...rows.map(([step]) => step?.length ?? 0));
  const errors = steps.flatMap((line) => line.errors.map((error) => `    ${STEP_LABELS[line.step]}: ${error}`));
  const todo = [...new Set(steps.flatMap((line) => advice(line, hub.slug, day)))].map((line) => `  → ${line}`);
  const lines = rows.map(([step = "", at = "", state = ""]) => `${step.padEnd(width)}  ${at.padEnd(22)}  ${state}`);
  return [head, ...lines, ...errors, ...todo].join("\n");
}

const formatWeek = (week: WeekOfHub, out: Output): string =>
  week.days.length === 0
    ? `${week.hub.name} has no delivery days yet. They are planned within an hour, or now with: ./market jobs run`
    : week.days.map((each) => formatDay(week, each, out)).join("\n\n");

/** The JSON output of one hub. */
const answerOf = ({ hub, days }: WeekOfHub) => ({
  hub: hub.slug,
  timeZone: hub.time_zone,
  late: days.flatMap(({ day, steps }) =>
    steps.filter(({ state }) => state === "late").map(({ step }) => ({ day, step })),
  ),
  days,
});

/** `market week [HUB]`: due, finished and late steps (docs/product.md §14). */
export const weekCommand = (): Command =>
  command({
    name: "week [hub]",
    summary: "list due, finished and late steps of one hub's week, or of every hub's",
    about: [
      "The hub is a slug or id; without one, every hub. The list has the last closed day, later days that are not closed, and the",
      "day that takes orders now, in the hub's time zone. A step is late 15 minutes after it was due.",
    ].join("\n"),
    examples: ["week", "week carmel"],
    async run({ out, market }, hub?: string) {
      if (hub !== undefined) {
        const week = await market((ctx) => readWeek(ctx, hub));
        return out.answer(answerOf(week), () => formatWeek(week, out));
      }
      const weeks = await market(readWeeks);
      out.answer({ hubs: weeks.map(answerOf) }, () =>
        weeks.length === 0
          ? "There are no hubs yet: ./market hubs import FILE"
          : weeks
              .map((week) => `${out.color.bold(`== ${week.hub.name} (${week.hub.slug})`)}\n${formatWeek(week, out)}`)
              .join("\n\n"),
      );
    },
  });
