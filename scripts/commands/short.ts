import { isCalendarDate } from "@marketday/domain/calendar-date";
import { shortVariant, type VariantShort } from "@marketday/server/modules/orders/short-variant";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import type { Output } from "../lib/cli/output.ts";
import { count, destination, usd } from "../lib/cli/values.ts";

const table = ({ boxes }: VariantShort, out: Output): string =>
  out.table(
    ["tote", "order", "ordered", "gets", "back"],
    boxes.map(({ tote, orderIds, ordered, gets, backCents }) => [
      tote ?? "–",
      orderIds.join(", "),
      ordered,
      gets,
      usd(backCents),
    ]),
    ["tote", "ordered", "gets", "back"],
  );

const summary = ({ came, ordered, title, vendor, boxes }: VariantShort): string =>
  `${came} of ${ordered} ${title} (${vendor}) came: ${boxes.length === 1 ? "1 box gets" : `${boxes.length} boxes get`} less.`;

/** `market short HUB DATE VENDOR ITEM CAME/ORDERED` (docs/product.md §14). */
export const shortCommand = (): Command =>
  command<{ to: "card" | "credit" }>({
    name: "short <hub> <date> <vendor> <item> <count>",
    summary: "share out what came of an item that came short: money back at once, and mails",
    about: [
      "The vendor is a slug or a name; the item is a variant number or the name as the sheets print it; the count is",
      "CAME/ORDERED, such as 9/12 when 9 of 12 came. Every box gets one before any box gets a second one, the oldest first;",
      "who gets less is lowered as by `orders short`. --dry-run shows who. The same count again does nothing; when one more",
      "is missing later, count again: 8/9.",
    ].join("\n"),
    examples: ['short carmel 2026-11-26 oak-farm "Brown eggs, Dozen" 9/12 --reason "fox" --yes'],
    options: (made) => made.option("--to <where>", "where the money goes: credit or card", destination, "credit"),
    writes: true,
    asks: true,
    reason: true,
    stopped: "Stopped. Run it again: boxes that are done stay done, the others are done then.",
    async run({ options, out, market, sure }, hub, day, vendor, item, text) {
      if (!isCalendarDate(day)) throw new CliError(EXIT.usage, `"${day}" is not a date. Give one such as 2026-11-26.`);
      const wanted = { hub, day, vendor, item, ...count(text) };
      const input = { to: options.to, reason: options.reason ?? "" };
      const dryRun = options.dryRun === true;
      const done = await market(async (ctx) => {
        const planned = await shortVariant(ctx, wanted, { ...input, dryRun: true });
        if (dryRun || planned.boxes.length === 0) return planned;
        await sure(`${summary(planned)}\n${table(planned, out)}\nTake it off and send the mails?`);
        return shortVariant(ctx, wanted, input);
      });
      out.answer({ ...done, dryRun }, () => {
        if (done.boxes.length === 0)
          return `No more than ${done.ordered} of ${done.title} (${done.vendor}) are ordered already; nothing was done.`;
        const where = options.to === "card" ? "the cards" : "store credit";
        return [
          summary(done),
          table(done, out),
          `${dryRun ? "Would give" : "Gave"} ${usd(done.backCents)} back to ${where}.`,
        ].join("\n");
      });
    },
  });
