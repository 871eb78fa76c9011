import { resolve } from "node:path";

import { isCalendarDate } from "@marketday/domain/calendar-date";
import type { SheetChange } from "@marketday/domain/sheets";
import { itemTitle } from "@marketday/domain/sheets";
import { readSheets } from "@marketday/server/modules/week/read-sheets";
import { type Command, InvalidArgumentError } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT, Refusal } from "../lib/cli/exit.ts";
import { makeSheets, type SheetFile } from "../sheets/make.ts";
import { destinationWords } from "../sheets/storage.ts";

interface Options {
  drivers?: number;
  out?: string;
}

function driversOf(words: string): number {
  const drivers = Number(words);
  if (!/^\d{1,3}$/.test(words) || drivers < 1)
    throw new InvalidArgumentError("Give a number of drivers from 1 to 999.");
  return drivers;
}

const CHANGE_WORDS: Record<SheetChange["kind"], string> = {
  cancelled: "cancelled",
  changed: "holds something else",
  added: "came in",
  moved: "goes to another address",
  rerouted: "goes another way",
  collect: "has another amount to collect",
};

/** "Driver 1, stop 15 → Driver 2, stop 1"; nothing where it goes as before. */
function placeLine({ before, after }: SheetChange["goesTo"]): string[] {
  const [was, now] = [before, after].map(destinationWords);
  return before === null || after === null || was === now ? [] : [`    ${was} → ${now}`];
}

/** "  tote 17, order 123456789: cancelled", and its lines. */
const changeLines = ({ tote, orderId, kind, lines, goesTo }: SheetChange): string[] => [
  `  tote ${tote}, order ${orderId}: ${CHANGE_WORDS[kind]}`,
  ...placeLine(goesTo),
  ...(kind === "changed" ? lines.map((line) => `    ${itemTitle(line)}: ${line.after}, was ${line.before}`) : []),
];

/** A disk that is full or closed is no defect of ours. */
function unwritable(error: unknown, folder: string): never {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
  throw new Refusal(EXIT.refused, `The sheets cannot be written to ${folder}: ${message}`, { folder });
}

/** `market sheets HUB DATE`: the papers of a delivery day, from the snapshot frozen at its cutoff (decisions §14). */
export const sheetsCommand = (): Command =>
  command<Options>({
    name: "sheets <hub> <date>",
    summary: "make a delivery day's sheets: pick, fill, pack, load, drivers, labels",
    about: [
      "The hub is its slug or id, the date YYYY-MM-DD. The sheets come as PDF to print and as CSV, in a folder of their own;",
      "labels as a sheet of Avery 5160 and as ZPL. They are made from what was frozen at the cutoff: run it again, and the",
      "same version gives the same bytes. When an order was cancelled or came short since, or the number of drivers is",
      "another one, it makes the next version, whose sheet of changes lists what differs. Totes, drivers and stops stay as",
      "they are for all other orders.",
    ].join("\n"),
    examples: ["sheets carmel 2026-11-26", "sheets carmel 2026-11-26 --drivers 4 --out print"],
    options: (made) =>
      made
        .option("--drivers <number>", "how many drivers share the doors (default: as before, else 1)", driversOf)
        .option("--out <folder>", "where the folder of the sheets is put (default: DATA_DIR/sheets)"),
    writes: true,
    stopped: "Stopped. No sheets were written.",
    async run({ options, out, market, signal }, hub, day) {
      if (!isCalendarDate(day ?? ""))
        throw new Refusal(EXIT.usage, `"${day}" is no date. Give one such as 2026-11-26.`);
      await market(
        async (ctx) => {
          const { deps } = ctx;
          const { drivers, dryRun = false } = options;
          const sheets = await readSheets(ctx, { hub: hub ?? "", day: day ?? "", drivers, dryRun });
          const { boxes, version, plan } = sheets.day;
          const folder = resolve(
            options.out ?? `${deps.env.dataDir}/sheets`,
            `${sheets.hub.slug}-${sheets.day.day}-v${version}`,
          );
          const bar = out.progress("sheets");
          let files: SheetFile[] = [];
          try {
            if (!dryRun && plan)
              files = await makeSheets(
                {
                  day: { ...sheets.day, plan },
                  changes: sheets.changes,
                  start: sheets.hub,
                  pointOf: (zipCode) => deps.geocoder.place(zipCode),
                },
                folder,
                { told: (name, done, total) => bar.at(done, total, name), signal },
              ).catch((error: unknown) => unwritable(error, folder));
          } finally {
            bar.end();
          }
          const newest = sheets.changes.at(-1)?.changes ?? [];
          const answer = {
            hub: sheets.hub.slug,
            day: sheets.day.day,
            version,
            isNew: sheets.isNew,
            frozenAt: sheets.day.frozenAt.toISOString(),
            totes: boxes.length,
            units: boxes.reduce((all, box) => all + box.lines.reduce((sum, line) => sum + line.quantity, 0), 0),
            drivers: plan?.drivers ?? drivers ?? 1,
            folder: files.length > 0 ? folder : null,
            files,
            changes: newest,
          };
          out.answer(answer, () => {
            const head = `${sheets.day.hub}, ${sheets.day.day}: ${answer.totes} totes, ${answer.units} units, version ${version}.`;
            const next =
              dryRun && sheets.isNew
                ? ["The orders or drivers have changed since: the next version would be made."]
                : [];
            const differs = version > 1 ? [`What version ${version} changed:`, ...newest.flatMap(changeLines)] : [];
            const written =
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
            return [head, ...next, ...differs, ...written].join("\n");
          });
        },
        { long: true },
      );
    },
  });
