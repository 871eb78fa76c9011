import { isCalendarDate } from "@marketday/domain/calendar-date";
import type { VariantShort } from "@marketday/server/modules/orders/short-variant";
import { shortItem } from "@marketday/server/modules/shorts/short-item";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import type { Output } from "../lib/cli/output.ts";
import { bearer, count, destination, formatMoneyBack, hasFailedRefund } from "../lib/cli/values.ts";

const formatBoxes = ({ boxes }: VariantShort, to: "card" | "credit", out: Output): string =>
  out.table(
    ["tote", "order", "ordered", "gets", "money"],
    boxes.map(({ tote, orderIds, ordered, gets, ...money }) => [
      tote ?? "–",
      orderIds.join(", "),
      ordered,
      gets,
      formatMoneyBack(money, to),
    ]),
    ["tote", "ordered", "gets"],
  );

const formatSummary = ({ came, ordered, title, vendor, boxes }: VariantShort): string =>
  `${came} of ${ordered} ${title} (${vendor}) came: ${boxes.length === 1 ? "1 box gets" : `${boxes.length} boxes get`} less.`;

/** `market short HUB DATE VENDOR ITEM CAME/ORDERED` (docs/product.md §14). */
export const shortCommand = (): Command =>
  command<{ to: "card" | "credit"; bearer: "market" | "vendor" }>({
    name: "short <hub> <date> <vendor> <item> <count>",
    summary: "distribute an item of which too few came: refund the rest, and email customers",
    about: [
      "The vendor is a slug or a name; the item is a variant number or the name as the sheets print it; the count is",
      "CAME/ORDERED, such as 9/12 when 9 of 12 came. Every box gets one before any box gets a second one, oldest first.",
      "Boxes that get less are reduced as by `orders short`. --dry-run lists them. The same count again does nothing; if one",
      "more is missing later, count again: 8/9. With --bearer market the vendor keeps the share of what did not come.",
      "A count of the item in the admin app is settled with it. One that the app is about to settle is not touched.",
    ].join("\n"),
    examples: ['short carmel 2026-11-26 oak-farm "Brown eggs, Dozen" 9/12 --reason "fox" --yes'],
    options: (cmd) =>
      cmd
        .option("--to <where>", "where the money is refunded to: credit or card", destination, "credit")
        .option("--bearer <who>", "who bears it: vendor or market", bearer, "vendor"),
    writes: true,
    needsConfirmation: true,
    reason: true,
    stopped: "Stopped. Run it again to finish the remaining boxes.",
    async run({ options, out, market, confirm }, hub, day, vendor, item, text) {
      if (!isCalendarDate(day)) throw new CliError(EXIT.usage, `"${day}" is not a date. Give one such as 2026-11-26.`);
      const request = { hub, day, vendor, item, ...count(text) };
      const input = { to: options.to, bearer: options.bearer, reason: options.reason ?? "" };
      const dryRun = options.dryRun === true;
      const done = await market(async (ctx) => {
        const planned = await shortItem(ctx, request, { ...input, dryRun: true });
        if (dryRun || planned.boxes.length === 0) return planned;
        await confirm(
          `${formatSummary(planned)}\n${formatBoxes(planned, options.to, out)}\nLower them and send the emails?`,
        );
        return shortItem(ctx, request, input);
      });
      if (hasFailedRefund(done)) process.exitCode = EXIT.refused;
      out.answer({ ...done, dryRun }, () => {
        if (done.boxes.length === 0)
          return `No more than ${done.ordered} of ${done.title} (${done.vendor}) are still ordered; nothing was done.`;
        return [
          formatSummary(done),
          formatBoxes(done, options.to, out),
          `${dryRun ? "Would record" : "Recorded"}: ${formatMoneyBack(done, options.to, "the cards")}.`,
        ].join("\n");
      });
    },
  });
