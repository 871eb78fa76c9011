import { resolve } from "node:path";

import { isCalendarDate } from "@marketday/domain/calendar-date";
import type { FrozenDay, SheetChange } from "@marketday/domain/sheets";
import { itemTitle } from "@marketday/domain/sheets";
import { AppError } from "@marketday/server/lib/app-error";
import { findHubsOfDay } from "@marketday/server/modules/hubs/directory-store";
import type { Context } from "@marketday/server/modules/identity/context";
import { readSheets, type SheetDay } from "@marketday/server/modules/week/read-sheets";
import { makeChangedSheets } from "@marketday/server/modules/week/sheets/changed";
import { makeSheets, type SheetFile } from "@marketday/server/modules/week/sheets/make";
import { formatDestination } from "@marketday/server/modules/week/sheets/storage";
import { type Command, InvalidArgumentError } from "commander";

import { command, type Tools } from "../lib/cli/command.ts";
import { EXIT, CliError, fileProblem } from "../lib/cli/exit.ts";
import { usd } from "../lib/cli/values.ts";

interface Options {
  drivers?: number;
  out?: string;
  /** Only what differs from this version; `true`: from the one before whose sheets were made. */
  changed?: number | true;
}

function parseDrivers(text: string): number {
  const drivers = Number(text);
  if (!/^\d{1,3}$/.test(text) || drivers < 1) throw new InvalidArgumentError("Give a number of drivers from 1 to 999.");
  return drivers;
}

function parseVersion(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError("Give the number of a version, such as 1.");
  return Number(text);
}

const CHANGE_LABELS: Record<SheetChange["kind"], string> = {
  cancelled: "canceled",
  changed: "has other contents",
  added: "new",
  moved: "goes to another address",
  rerouted: "goes to another stop",
  noted: "new note",
  collect: "collect",
};

/** "Driver 1, stop 15 → Driver 2, stop 1"; empty if the destination is the same. */
function placeLine({ kind, goesTo }: SheetChange): string[] {
  if (kind !== "moved" && kind !== "rerouted") return [];
  const [was, now] = [goesTo.before, goesTo.after].map(formatDestination);
  return was === now ? [] : [`    ${was} → ${now}`];
}

/** "$10.00, was $14.08" */
const amounts = ({ due }: SheetChange): string => `${usd(due.after)}, was ${usd(due.before)}`;

/** "  tote 17, order 123456789: canceled", and the lines that changed. */
const changeLines = (change: SheetChange): string[] => [
  `  tote ${change.tote}, order ${change.orderId}: ${CHANGE_LABELS[change.kind]}${change.kind === "collect" ? ` ${amounts(change)}` : ""}`,
  ...(change.kind === "changed" && change.due.before !== change.due.after ? [`    collect ${amounts(change)}`] : []),
  ...placeLine(change),
  ...(change.kind === "changed"
    ? change.lines.map((line) => `    ${itemTitle(line)}: ${line.after}, was ${line.before}`)
    : []),
];

/** Rethrows file system errors (disk full, no permission) as CliError. */
function throwUnwritable(error: unknown, folder: string): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
  const problem = fileProblem(code, folder);
  const sentence = problem
    ? `The sheets cannot be written. ${problem}`
    : `The sheets cannot be written to ${folder}: ${message}`;
  throw new CliError(EXIT.refused, sentence, { folder });
}

/** The JSON output for the sheets of one hub. */
interface HubSheets {
  hub: string;
  day: string;
  version: number;
  isNew: boolean;
  frozenAt: string;
  totes: number;
  units: number;
  drivers: number;
  /** Null when nothing was written. */
  folder: string | null;
  files: SheetFile[];
  changes: SheetChange[];
}

/** The older version that `--changed` compares with; null without the option. @throws AppError when its sheets were never made */
function sinceOf({ day, earlier }: SheetDay, changed: Options["changed"]): FrozenDay | null {
  if (changed === undefined) return null;
  const made = earlier.filter(({ plan }) => plan !== null);
  const since = changed === true ? made.at(-1) : made.find(({ version }) => version === changed);
  if (since) return since;
  const which = changed === true ? "before" : `numbered ${changed}`;
  throw new AppError(
    409,
    `${day.hub}, ${day.day}: version ${day.version} is the newest, and there are no sheets of a version ${which} that it could be compared with.`,
    { code: "not_made" },
  );
}

/** Makes the sheets of one hub and day. Returns the JSON answer and the text for people. */
async function sheetsOf(
  ctx: Context,
  { options, out, signal }: Pick<Tools<Options>, "options" | "out" | "signal">,
  hub: string,
  day: string,
): Promise<{ answer: HubSheets; text: string }> {
  const { deps } = ctx;
  const { drivers, dryRun = false } = options;
  const sheets = await readSheets(ctx, { hub, day, drivers, dryRun });
  const { boxes, version, plan } = sheets.day;
  const since = sinceOf(sheets, options.changed);
  const folder = resolve(
    options.out ?? `${deps.env.dataDir}/sheets`,
    `${sheets.hub.slug}-${sheets.day.day}-v${version}${since ? `-changed-since-${since.version}` : ""}`,
  );
  const bar = out.progress("sheets");
  let files: SheetFile[] = [];
  try {
    if (!dryRun && plan) {
      const input = {
        day: { ...sheets.day, plan },
        changes: sheets.changes,
        start: sheets.hub,
        pointOf: (zipCode: string) => deps.geocoder.place(zipCode),
      };
      const options = { onProgress: (name: string, done: number, total: number) => bar.at(done, total, name), signal };
      const making = since
        ? makeChangedSheets({ ...input, since }, folder, options)
        : makeSheets(input, folder, options);
      files = await making.catch((error: unknown) => throwUnwritable(error, folder));
    }
  } finally {
    bar.end();
  }
  const newest = sheets.changes.at(-1)?.changes ?? [];
  const answer: HubSheets = {
    hub: sheets.hub.slug,
    day: sheets.day.day,
    version,
    isNew: sheets.isNew,
    frozenAt: sheets.day.frozenAt.toISOString(),
    totes: boxes.length,
    units: boxes.reduce((total, box) => total + box.lines.reduce((sum, line) => sum + line.quantity, 0), 0),
    drivers: plan?.drivers ?? drivers ?? 1,
    folder: files.length > 0 ? folder : null,
    files,
    changes: newest,
  };
  const head = `${sheets.day.hub}, ${sheets.day.day}: ${answer.totes} totes, ${answer.units} units, version ${version}.`;
  const preview = dryRun && sheets.isNew ? ["The orders or drivers have changed: a new version would be made."] : [];
  const changeSummary = version > 1 ? [`What version ${version} changed:`, ...newest.flatMap(changeLines)] : [];
  const fileSummary =
    files.length > 0
      ? [
          folder,
          out.table(
            ["file", "bytes"],
            files.map(({ name, bytes }) => [name, bytes.toLocaleString("en-US")]),
            ["bytes"],
          ),
        ]
      : [dryRun ? `Would write to ${folder}. Nothing was written.` : "No orders: there is nothing to print."];
  return { answer, text: [head, ...preview, ...changeSummary, ...fileSummary].join("\n") };
}

/** The sheets of every hub that delivers on a date. Hubs whose sheets cannot be made yet are listed with the reason. */
async function sheetsOfAll(
  ctx: Context,
  tools: Pick<Tools<Options>, "options" | "out" | "signal">,
  day: string,
): Promise<void> {
  const hubs = await findHubsOfDay(ctx.deps.db, day);
  if (hubs.length === 0)
    throw new CliError(EXIT.refused, `No hub delivers on ${day}. \`./market week\` lists the days.`);
  const made: { answer: HubSheets; text: string }[] = [];
  const refused: { hub: string; message: string }[] = [];
  for (const { slug } of hubs)
    try {
      made.push(await sheetsOf(ctx, tools, slug, day));
    } catch (error) {
      if (!(error instanceof AppError) || error.status === 503) throw error;
      refused.push({ hub: slug, message: error.message });
    }
  const reasons = refused.map(({ message }) => message);
  if (made.length === 0) throw new CliError(EXIT.refused, reasons.join("\n"), { refused });
  if (refused.length > 0) process.exitCode = EXIT.refused;
  tools.out.answer({ day, hubs: made.map(({ answer }) => answer), refused }, () =>
    [...made.map(({ text }) => text), ...reasons].join("\n\n"),
  );
}

/** `market sheets HUB DATE`: the printed sheets of a delivery day, from its cutoff snapshot (docs/product.md §14). */
export const sheetsCommand = (): Command =>
  command<Options>({
    name: "sheets <hub> [date]",
    summary: "make a delivery day's sheets: pick, fill, pack, load, drivers, labels",
    about: [
      "The hub is a slug or id, the date YYYY-MM-DD; with only a date, sheets are made for every hub that delivers then. They",
      "are written as PDF and CSV to a new folder; labels as Avery 5160 sheets and as ZPL. They are made from the snapshot of",
      "the cutoff: the same version always gives the same bytes. If an order was canceled or came short since then, or the",
      "number of drivers differs, a new version is made, with a sheet that lists the changes. Totes, drivers and stops of all",
      "other orders stay the same. With --changed only what differs is printed: the list of changes, and the fill lines, pack",
      "lists, driver stops and labels that replace older ones.",
    ].join("\n"),
    examples: [
      "sheets carmel 2026-11-26",
      "sheets carmel 2026-11-26 --drivers 4 --out print",
      "sheets carmel 2026-11-26 --changed",
      "sheets 2026-11-26 --out print",
    ],
    options: (cmd) =>
      cmd
        .option(
          "--drivers <number>",
          "number of drivers of a hub (default: as in the last version, or 1)",
          parseDrivers,
        )
        .option("--changed [version]", "only what differs from a version (default: the one before)", parseVersion)
        .option("--out <folder>", "parent folder for the new folder (default: DATA_DIR/sheets)"),
    writes: true,
    stopped: "Stopped. Unfinished sheets were not written.",
    async run(tools, hub, date?: string) {
      const day = date ?? hub;
      if (!isCalendarDate(day))
        throw new CliError(EXIT.usage, `"${day}" is not a date. Give one such as 2026-11-26, alone or after the hub.`);
      await tools.market(
        async (ctx) => {
          if (date === undefined) return sheetsOfAll(ctx, tools, day);
          const { answer, text } = await sheetsOf(ctx, tools, hub, day);
          tools.out.answer(answer, () => text);
        },
        { long: true },
      );
    },
  });
