import { existsSync } from "node:fs";
import { cp, mkdir, readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { REMIND_LEAD_MS } from "@marketday/domain/limits";
import { addMs, Hour, Second } from "@marketday/domain/time";
import { type Env, loadEnv } from "@marketday/server/env";
import { formatDueWork } from "@marketday/server/jobs/due";
import { makeFolder } from "@marketday/server/lib/make-folder";
import { getHubByKey } from "@marketday/server/modules/hubs/find-day";
import type { Context } from "@marketday/server/modules/identity/context";
import { readSheets } from "@marketday/server/modules/week/read-sheets";
import { readWeek } from "@marketday/server/modules/week/read-week";
import { makeSheets } from "@marketday/server/modules/week/sheets/make";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some, usd } from "../lib/cli/values.ts";
import { rehearse, type Rehearsal } from "../lib/rehearsal.ts";
import { type JobsRun, runJobs } from "../lib/run-jobs.ts";

interface Options {
  backup?: string;
  out?: string;
}

const STOPPED = "Stopped. The copy was removed; the market itself was not touched.";

/** Sorted future instants at which work of a delivery is due, plus one second each. */
function instantsOf(day: { autoCheckoutAt: Date; cutoffAt: Date; closesAt: Date }, now: Date): Date[] {
  return [
    addMs(day.autoCheckoutAt, -REMIND_LEAD_MS),
    day.autoCheckoutAt,
    addMs(day.cutoffAt, -REMIND_LEAD_MS),
    // A checkout that was open when the copy was made is never finished: the cutoff waits ten minutes for it.
    day.cutoffAt,
    addMs(day.cutoffAt, Hour.ms),
    day.closesAt,
  ]
    .map((instant) => addMs(instant, Second.ms))
    .filter((instant) => instant > now)
    .toSorted((a, b) => a.getTime() - b.getTime());
}

type RehearsedWeek = Awaited<ReturnType<typeof runWeekOf>>;

/** Runs the week of a hub's next delivery in the copy, and writes its sheets to `folder`. */
async function runWeekOf(
  { deps, moveTo }: Rehearsal,
  hubKey: string,
  { folder, signal, onStep }: { folder: string; signal: AbortSignal; onStep: (step: string) => void },
) {
  const ctx = (): Context => ({ now: deps.clock.now(), actor: { type: "system", job: "rehearsal" }, deps });
  const hub = await getHubByKey(ctx(), hubKey);
  const steps: ({ at: string } & JobsRun)[] = [];
  const step = async (at: Date): Promise<void> => {
    moveTo(at);
    onStep(at.toISOString());
    steps.push({ at: at.toISOString(), ...(await runJobs(ctx(), undefined, signal)) });
  };
  // Work due today; it also plans delivery days.
  await step(ctx().now);
  const open = await deps.db.delivery.findFirst({
    where: { hub_id: hub.id, cutoff_at: { gt: ctx().now }, snapshots: { none: {} } },
    orderBy: { cutoff_at: "asc" },
  });
  if (!open)
    throw new CliError(EXIT.refused, `${hub.name} has no delivery day that takes orders. Nothing was rehearsed.`);
  const day = open.day.toISOString().slice(0, 10);
  const planned = (await readWeek(ctx(), hub.slug)).days.find((each) => each.day === day);
  const closesAt = planned?.steps.find((each) => each.step === "close")?.at ?? addMs(open.day, 48 * Hour.ms);
  const instants = instantsOf({ autoCheckoutAt: open.auto_checkout_at, cutoffAt: open.cutoff_at, closesAt }, ctx().now);
  const isAfterCutoff = (at: Date) => at.getTime() >= open.cutoff_at.getTime() + Hour.ms;
  for (const at of instants.filter((each) => !isAfterCutoff(each))) await step(at);
  for (const at of instants.filter((each) => isAfterCutoff(each) && each < closesAt)) await step(at);
  const sheets = await readSheets(ctx(), { hub: hub.slug, day });
  const { plan } = sheets.day;
  onStep("sheets");
  const files = plan
    ? await makeSheets(
        {
          day: { ...sheets.day, plan },
          changes: sheets.changes,
          start: sheets.hub,
          pointOf: (zip) => deps.geocoder.place(zip),
        },
        folder,
        { signal },
      )
    : [];
  for (const at of instants.filter((each) => each >= closesAt)) await step(at);
  const orders = await deps.db.order.groupBy({
    by: ["status"],
    where: { delivery_id: open.id },
    _count: true,
    _sum: { order_total_cents: true },
    orderBy: { status: "asc" },
  });
  const mails = await deps.db.mail.groupBy({
    by: ["template"],
    where: { sent_at: { gte: new Date(steps[0]?.at ?? 0) } },
    _count: true,
    orderBy: { template: "asc" },
  });
  return {
    hub: { slug: hub.slug, name: hub.name },
    day,
    steps,
    orders: orders.map((each) => ({
      status: each.status,
      count: each._count,
      totalCents: each._sum.order_total_cents ?? 0,
    })),
    mails: mails.map((each) => ({ template: each.template, count: each._count })),
    totes: sheets.day.boxes.length,
    collectCents: sheets.day.boxes.reduce((sum, box) => sum + box.dueCents, 0),
    sheets: files.map(({ name }) => name),
  };
}

/** Rehearses on a copy and writes sheets and mails to `folder`, which appears only if the rehearsal finishes. */
async function rehearseInto(
  folder: string,
  env: Env,
  hubKey: string,
  options: { backup: string | null; signal: AbortSignal; onStep: (step: string) => void },
): Promise<RehearsedWeek> {
  const { signal, onStep } = options;
  const partial = `${folder}.partial`;
  const removeEmpty = await makeFolder(dirname(folder));
  try {
    await rm(partial, { recursive: true, force: true });
    return await rehearse(env, options, async (rehearsal) => {
      const results = { sheets: join(rehearsal.folder, "sheets"), mails: rehearsal.mailDir };
      const week = await runWeekOf(rehearsal, hubKey, { folder: results.sheets, signal, onStep });
      // Another rehearsal that created the folder around this one, and failed, has removed it.
      await mkdir(dirname(folder), { recursive: true });
      // Copied last, in one step: a killed rehearsal leaves no files outside its own folder.
      await mkdir(partial, { mode: 0o700 });
      for (const [name, from] of Object.entries(results))
        if (existsSync(from)) await cp(from, join(partial, name), { recursive: true });
      signal.throwIfAborted();
      await rename(partial, folder);
      return week;
    });
  } catch (error) {
    throw signal.aborted ? new CliError(EXIT.interrupted, STOPPED) : error;
  } finally {
    await rm(partial, { recursive: true, force: true });
    // With the results in it, the folder around them stays.
    await removeEmpty();
  }
}

const formatWeek = (week: RehearsedWeek, folder: string): string =>
  [
    `Rehearsed ${week.hub.name} for ${week.day} on a copy; the market itself was not touched.`,
    ...week.steps.flatMap((step) => [
      `${step.at}:`,
      ...(step.done.length > 0 ? step.done.map((item) => `  ${formatDueWork(item)}`) : ["  nothing was due"]),
      ...(step.uncharged > 0 ? [`  could not charge ${some(step.uncharged, "orders")}`] : []),
      ...step.failed.map((problem) => `  failed: ${problem}`),
    ]),
    ...(week.orders.length > 0
      ? week.orders.map((each) => `Orders ${each.status}: ${each.count}, ${usd(each.totalCents)}`)
      : ["No orders: there is nothing to print."]),
    `Totes: ${week.totes}. To collect at the door: ${usd(week.collectCents)}.`,
    `Emails written: ${week.mails.map((each) => `${each.template} ${each.count}`).join(", ") || "none"}.`,
    `Sheets and emails are in ${folder}`,
  ].join("\n");

/** `market rehearse HUB`: the next week of a hub on a copy, from reminders to delivery (docs/operating.md). */
export const rehearseCommand = (): Command =>
  command<Options>({
    name: "rehearse <hub>",
    summary: "run a hub's next week on a copy: reminders, orders, cutoff, sheets, delivery",
    about: `Copies the market into a separate database, moves the clock of the copy to each step of the week, and writes the sheets and
emails to a folder. The copy has its own settings: no email is sent, no card is charged, no webhook is called, and the market
itself is only read. Other hubs run in the copy too. Pictures are not copied.`,
    examples: ["rehearse carmel", "rehearse carmel --out rehearsal --backup /mnt/backups/monday"],
    options: (cmd) =>
      cmd
        .option("--backup <folder>", "use this backup instead of the market's database")
        .option("--out <folder>", "a new folder for sheets and emails (default: in DATA_DIR/rehearsals)"),
    async run({ options, out, signal }, hubKey = "") {
      const env = loadEnv();
      const name = `${hubKey.replaceAll(/[^\w-]/g, "-")}-${new Date().toISOString().slice(0, 19).replaceAll(":", "")}`;
      const folder = resolve(options.out ?? `${env.dataDir}/rehearsals/${name}`);
      if ((await readdir(folder).catch(() => null)) !== null)
        throw new CliError(EXIT.usage, `${folder} already exists: give a new folder with --out. Nothing was done.`);
      const backup = options.backup === undefined ? null : resolve(options.backup);
      const bar = out.progress("Rehearsing");
      let steps = 0;
      const onStep = (step: string) => bar.at((steps += 1), 9, step);
      const week = await rehearseInto(folder, env, hubKey, { backup, signal, onStep }).finally(() => bar.end());
      if (week.steps.some((step) => step.failed.length > 0)) process.exitCode = EXIT.refused;
      out.answer({ ...week, folder }, () => formatWeek(week, folder));
    },
  });
