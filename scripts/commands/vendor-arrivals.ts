import { isCalendarDate } from "@marketday/domain/calendar-date";
import { type Arrivals, setArrivals } from "@marketday/server/modules/week/set-arrivals";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { some } from "../lib/cli/values.ts";

/** What one command sets, and how it says so. */
interface Kind {
  name: "arrived" | "confirmed";
  summary: string;
  about: string;
  examples: readonly [string, ...string[]];
  /** "2 vendors …" */
  done: string;
  undone: string;
}

const KINDS: readonly Kind[] = [
  {
    name: "arrived",
    summary: "check in the vendors of a delivery day who are here",
    about: "Only after the cutoff, when what they bring is known.",
    examples: ["vendors arrived carmel 2026-11-26", "vendors arrived carmel 2026-11-26 oak-farm"],
    done: "here",
    undone: "not here",
  },
  {
    name: "confirmed",
    summary: "record that vendors of a delivery day have confirmed what they bring",
    about: "Before the cutoff too, for what is ordered so far.",
    examples: ["vendors confirmed carmel 2026-11-26 oak-farm"],
    done: "confirmed",
    undone: "not confirmed",
  },
];

const namesOf = (vendors: Arrivals["changed"]): string => vendors.map(({ name }) => name).join(", ");

/** `market vendors arrived|confirmed HUB DATE [VENDOR…]` (docs/product.md §18). */
export const arrivalCommands = (): Command[] =>
  KINDS.map(({ name, summary, about, examples, done, undone }) =>
    command<{ undo?: boolean }>({
      name: `${name} <hub> <date> [vendors...]`,
      summary,
      about: [
        "The hub is a slug or id, the date YYYY-MM-DD. Vendors are slugs or names; without any, all of the day. What is known already",
        `keeps its time and person. ${about} --undo takes it back.`,
      ].join("\n"),
      examples,
      options: (cmd) => cmd.option("--undo", "take it back"),
      writes: true,
      async run({ options, out, market }, hub, day, ...rest) {
        if (!isCalendarDate(day))
          throw new CliError(EXIT.usage, `"${day}" is not a date. Give one such as 2026-11-26.`);
        const vendors = rest.flat();
        const is = options.undo !== true;
        const dryRun = options.dryRun === true;
        const changed = await market((ctx) =>
          setArrivals(ctx, {
            hub,
            day,
            vendors: vendors.length > 0 ? vendors : null,
            ...(name === "arrived" ? { hasArrived: is } : { isConfirmed: is }),
            dryRun,
          }),
        );
        out.answer({ ...changed, dryRun }, () =>
          changed.changed.length === 0
            ? `That is known of ${some(changed.unchanged.length, "vendors")} already. Nothing was done.`
            : `${some(changed.changed.length, "vendors")} ${dryRun ? "would be" : changed.changed.length === 1 ? "is" : "are"} ${is ? done : undone}: ${namesOf(changed.changed)}.`,
        );
      },
    }),
  );
