import { calendarDate, dateInZone, formatLong, formatShort } from "@marketday/domain/calendar-date";
import { clockWords } from "@marketday/domain/order";
import type { StepState, WeekLineItem, WeekStep } from "@marketday/domain/week-plan";
import { readWeek, readWeeks, type WeekOfHub } from "@marketday/server/modules/week/read-week";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import type { Output } from "../lib/cli/output.ts";

const STEP_WORDS: Record<WeekStep, string> = {
  open: "the cycle opens",
  remind_auto_checkout: "reminders of automatic checkout",
  auto_checkout: "automatic checkout",
  remind_order_by: "reminders of the cutoff",
  cutoff: "cutoff: orders close, money is taken",
  sheets: "sheets",
  close: "the day closes",
};
const STATE_WORDS: Record<StepState, string> = {
  ahead: "ahead",
  due: "due",
  running: "running",
  late: "LATE",
  done: "done",
  errors: "done, not for all",
  missed: "missed",
};

function painted(state: StepState, { color }: Output): string {
  const words = STATE_WORDS[state];
  if (state === "done") return color.green(words);
  if (state === "late" || state === "missed") return color.red(words);
  return state === "due" || state === "errors" ? color.yellow(words) : words;
}

const when = (at: Date | null, zone: string): string =>
  at === null ? "" : `${formatShort(dateInZone(at, zone))}, ${clockWords(at, zone)}`;

/** What to do about a step that waits for somebody. */
function advice({ step, state }: WeekLineItem, hub: string, day: string): string[] {
  if (step === "sheets" && state === "due") return [`./market sheets ${hub} ${day}`];
  return state === "late" ? ["./market jobs run"] : [];
}

function dayWords({ hub }: WeekOfHub, { day, orders, version, steps }: WeekOfHub["days"][number], out: Output): string {
  const counts = Object.entries(orders).map(([status, count]) => `${count} ${status}`);
  const head = `${out.color.bold(formatLong(calendarDate(day)))}: ${counts.length > 0 ? `orders ${counts.join(", ")}` : "no orders"}`;
  const rows = steps.map((line) => [
    `  ${STEP_WORDS[line.step]}${line.step === "sheets" && version !== null ? `, version ${version}` : ""}`,
    when(line.at, hub.time_zone),
    painted(line.state, out),
  ]);
  const wide = Math.max(...rows.map(([step]) => step?.length ?? 0));
  const errors = steps.flatMap((line) => line.errors.map((error) => `    ${STEP_WORDS[line.step]}: ${error}`));
  const todo = [...new Set(steps.flatMap((line) => advice(line, hub.slug, day)))].map((line) => `  → ${line}`);
  const lines = rows.map(([step = "", at = "", state = ""]) => `${step.padEnd(wide)}  ${at.padEnd(22)}  ${state}`);
  return [head, ...lines, ...errors, ...todo].join("\n");
}

const weekWords = (week: WeekOfHub, out: Output): string =>
  week.days.length === 0
    ? `${week.hub.name} has no delivery days yet. They are planned within an hour, or by: ./market jobs run`
    : week.days.map((each) => dayWords(week, each, out)).join("\n\n");

/** What `--json` prints of a hub. */
const answerOf = ({ hub, days }: WeekOfHub) => ({
  hub: hub.slug,
  timeZone: hub.time_zone,
  late: days.flatMap(({ day, steps }) =>
    steps.filter(({ state }) => state === "late").map(({ step }) => ({ day, step })),
  ),
  days,
});

/** `market week [HUB]`: what is due, done and late (docs/product.md §14). */
export const weekCommand = (): Command =>
  command({
    name: "week [hub]",
    summary: "say what is due, done and late in a hub's week, or in every hub's",
    about: [
      "The hub is its slug or id; without one, every hub. Shown are the last day that is closed, the days behind it that are not, and the day that",
      "takes orders now; times are the hub's. A step is late a quarter of an hour after it came due.",
    ].join("\n"),
    examples: ["week", "week carmel"],
    async run({ out, market }, hub?: string) {
      if (hub !== undefined) {
        const week = await market((ctx) => readWeek(ctx, hub));
        return out.answer(answerOf(week), () => weekWords(week, out));
      }
      const weeks = await market(readWeeks);
      out.answer({ hubs: weeks.map(answerOf) }, () =>
        weeks.length === 0
          ? "There are no hubs yet: ./market hubs import FILE"
          : weeks
              .map((week) => `${out.color.bold(`== ${week.hub.name} (${week.hub.slug})`)}\n${weekWords(week, out)}`)
              .join("\n\n"),
      );
    },
  });
