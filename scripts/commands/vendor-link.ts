import { isCalendarDate } from "@marketday/domain/calendar-date";
import { marketUrl } from "@marketday/server/lib/market-url";
import { vendorLink } from "@marketday/server/modules/week/vendor-link";
import type { Command } from "commander";

import { command } from "../lib/cli/command.ts";
import { CliError, EXIT } from "../lib/cli/exit.ts";

/** `market vendors link HUB DATE VENDOR` (docs/product.md §10). */
export const linkCommand = (): Command =>
  command<{ new?: boolean }>({
    name: "link <hub> <date> <vendor>",
    summary: "print the link with which a vendor confirms what they bring",
    about: [
      "After the cutoff, until the delivery day ends: the link of the email about the order list, or one for a vendor without an email address.",
      "Anyone who has it can lower the vendor's numbers. --new makes another one, and the earlier ones no longer work.",
    ].join("\n"),
    examples: ["vendors link carmel 2026-11-26 oak-farm", "vendors link carmel 2026-11-26 oak-farm --new"],
    options: (cmd) => cmd.option("--new", "replace the links that were given out"),
    writes: true,
    async run({ options, out, market }, hub, day, vendor) {
      if (!isCalendarDate(day)) throw new CliError(EXIT.usage, `"${day}" is not a date. Give one such as 2026-11-26.`);
      const replace = options.new === true;
      const dryRun = options.dryRun === true;
      const link = await market(async (ctx) => {
        const { path, ...made } = await vendorLink(ctx, { hub, day, vendor, replace, dryRun });
        return { ...made, url: path === null ? null : `${marketUrl(ctx.deps.env)}${path}` };
      });
      out.answer({ ...link, dryRun }, () => {
        if (link.url === null) return `Would make a ${replace ? "new " : ""}link for ${link.vendor}.`;
        const state = !link.isNew
          ? " It was there already, so nothing was done."
          : replace
            ? " Earlier links no longer work."
            : "";
        return `The link for ${link.vendor}, until the end of ${day}:\n  ${link.url}\nAnyone who has it can lower the vendor’s numbers.${state}`;
      });
    },
  });
