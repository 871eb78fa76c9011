import type { Command } from "commander";
import { expect, test } from "vitest";

import { buildCommandLine } from "../lib/cli/command-line.ts";
import { EXIT } from "../lib/cli/exit.ts";
import { runCommandLine } from "../lib/cli/run.ts";

const market = await buildCommandLine(["--help"]);

/** Every command without subcommands, by its full name: "orders cancel". */
const leaves = (command: Command, words: readonly string[] = []): [string, Command][] =>
  command.commands.length === 0
    ? [[words.join(" "), command]]
    : command.commands.flatMap((each) => leaves(each, [...words, each.name()]));
const all = leaves(market);

/** Commands that do not change the market. All others must offer --dry-run. */
const READS = new Set([
  "hubs export",
  "images export",
  ...["vendors", "products", "collections", "bundles", "posts", "banners", "discounts"].map((noun) => `${noun} export`),
  "content export",
  "stock count",
  "stock watched",
  "week",
  "orders list",
  // Writes only a file.
  "orders recall",
  "orders show",
  "refunds list",
  "disputes list",
  "customers find",
  "staff list",
  "inbox list",
  "inbox show",
  "problems list",
  "applications list",
  "passes show",
  "gift-cards list",
  "gift-cards show",
  "ledger vendor",
  "ledger list",
  "doctor",
  // Writes only a new folder.
  "backup",
  // Writes to a copy, and a new folder.
  "rehearse",
]);

/** Commands that cannot be undone or give away money: they need confirmation. */
const CONFIRMED = new Set([
  "jobs run",
  "days close",
  "short",
  // For an outline far from its zip.
  "hubs import",
  "orders refund",
  "refunds send",
  "refunds close",
  "orders cancel",
  "orders write-off",
  "customers delete",
  "staff disable",
  "staff reset",
  "credit grant",
  "gift-cards issue",
  "gift-cards resend",
  "passes end",
  "ledger payouts",
  "ledger reverse",
  "restore",
]);

/** Manual operations that need a reason for the audit log. */
const REASONS = new Set([
  "days close",
  "short",
  "orders short",
  "orders undo-deliver",
  "orders undo-paid",
  "orders refund",
  "orders cancel",
  "orders write-off",
  "refunds send",
  "refunds close",
  "customers delete",
  "problems close",
  "credit grant",
  "gift-cards issue",
  "gift-cards resend",
  "passes end",
  "ledger reverse",
]);

/** A command line with a value for each required argument. */
const lineOf = (name: string, command: Command): string[] => [
  ...name.split(" "),
  ...command.registeredArguments.filter(({ required }) => required).map(() => "1"),
];

const findOption = (command: Command, flag: string) => command.options.find(({ long }) => long === flag);

test("command tables: every listed command exists", () => {
  const names = new Set(all.map(([name]) => name));
  expect([...READS, ...CONFIRMED, ...REASONS].filter((name) => !names.has(name))).toEqual([]);
  expect(all.length).toBeGreaterThan(35);
});

test.each(all)("%s: help has an example, --json, and --dry-run if the command writes", (name, command) => {
  let page = "";
  command.configureOutput({ writeOut: (text) => (page += text) });
  command.outputHelp();
  const [, examples = ""] = page.split("\nExamples:\n");
  expect(examples).toMatch(new RegExp(String.raw`^( {2}./market ${name}( .+)?\n)+$`));
  expect(command.summary()).toMatch(/^[a-z].+[^.]$/);
  expect(findOption(command, "--json"), "--json").toBeDefined();
  expect(findOption(command, "--dry-run") !== undefined, "--dry-run").toBe(!READS.has(name));
  expect(findOption(command, "--yes") !== undefined, "--yes").toBe(CONFIRMED.has(name));
  expect(findOption(command, "--reason")?.mandatory ?? false, "--reason").toBe(REASONS.has(name));
  // Every import describes --keep-going with the same words.
  const keepGoing = findOption(command, "--keep-going")?.description;
  if (name.endsWith(" import"))
    expect(keepGoing).toMatch(
      /^import what is right, and write the rejected (rows|files|hubs) and why to a file beside the (file|folder)$/,
    );
  else expect(keepGoing).toBeUndefined();
});

test.each(all)("%s: an unknown option and an extra argument exit with 2", async (name, command) => {
  for (const invalid of [["--no-such-option"], ["1", "2", "3", "4", "5"]]) {
    if (invalid.length > 1 && command.registeredArguments.some(({ variadic }) => variadic)) continue;
    const args = [...lineOf(name, command), ...invalid];
    const line = await buildCommandLine(args);
    for (const [, each] of leaves(line)) each.configureOutput({ writeErr: () => undefined });
    expect(await runCommandLine(line, args)).toBe(EXIT.usage);
  }
});

test.each([80, 90, 200])(
  "--help on a terminal of %i columns: paragraphs are wrapped once, to its width or 100",
  (columns) => {
    const width = Math.min(columns, 100);
    const before = Object.getOwnPropertyDescriptor(process.stdout, "columns");
    Object.defineProperty(process.stdout, "columns", { value: columns, configurable: true });
    try {
      for (const [name, command] of [["", market] as const, ...all]) {
        const lines = command
          .helpInformation()
          .split("\n")
          .filter((line) => !line.startsWith("Usage:"));
        const tooLong = lines.filter((line) => line.length > width);
        const ragged = lines.filter((line, place) => {
          const [next = ""] = (lines[place + 1] ?? "").split(" ");
          const isParagraph = /^[A-Za-z`]/.test(line) && next !== "" && !/^\w+:$/.test(line) && !next.endsWith(":");
          return isParagraph && line.length + 1 + next.length <= width;
        });
        expect({ name, tooLong, ragged }).toEqual({ name, tooLong: [], ragged: [] });
      }
    } finally {
      if (before) Object.defineProperty(process.stdout, "columns", before);
      else Reflect.deleteProperty(process.stdout, "columns");
    }
  },
);
