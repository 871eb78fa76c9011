import { isCalendarDate } from "@marketday/domain/calendar-date";
import { type ClosedDay, closeDay } from "@marketday/server/modules/orders/close-day";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import type { Output } from "../lib/cli/output.ts";
import { destination, formatMoneyBack, some } from "../lib/cli/values.ts";

/** The customers and vendors who are emailed. */
const formatNotified = ({ boxes, vendors }: ClosedDay, to: "card" | "credit", out: Output): string =>
  [
    out.table(
      ["order", "customer", "email", "phone", "money"],
      boxes.map((box) => [
        box.orderIds.join(", "),
        box.name,
        box.email ?? "–",
        box.phone ?? "–",
        formatMoneyBack(box, to),
      ]),
    ),
    ...(vendors.length > 0 ? [`Vendors who had their list: ${vendors.join(", ")}.`] : []),
  ].join("\n");

const formatBoxCount = ({ boxes }: ClosedDay): string => some(boxes.length, "orders");

/** `market days close HUB DATE` (docs/product.md §4, §14). */
export const daysCommand = (): Command =>
  group("days", "close a delivery day", [
    command<{ cancel?: boolean; to: "card" | "credit" }>({
      name: "close <hub> <date>",
      summary: "close a delivery day: cancel its orders, refund them, and email the customers",
      about: [
        "The hub skips the date: carts, automatic orders and reminders go on with the next day. Orders are canceled as by",
        "`orders cancel`, all or none, before or after the cutoff; a day with orders needs --cancel. Vendors who were sent their",
        "list are emailed that they bring nothing. --dry-run lists who is emailed. The date is a closure of the hub: `hubs",
        "export` has it, and a later `hubs import` whose closures do not have it opens the day again.",
      ].join("\n"),
      examples: ['days close carmel 2026-11-26 --cancel --reason "snow storm" --yes'],
      options: (cmd) =>
        cmd
          .option("--cancel", "cancel the orders of the day")
          .option("--to <where>", "where captured money is refunded to: card or credit", destination, "card"),
      writes: true,
      needsConfirmation: true,
      reason: true,
      async run({ options, out, market, confirm }, hub, day) {
        if (!isCalendarDate(day))
          throw new CliError(EXIT.usage, `"${day}" is not a date. Give one such as 2026-11-26.`);
        const input = { cancels: options.cancel === true, to: options.to, reason: options.reason ?? "" };
        const dryRun = options.dryRun === true;
        const done = await market(
          async (ctx) => {
            const planned = await closeDay(ctx, hub, day, { ...input, dryRun: true });
            if (dryRun) return planned;
            if (planned.boxes.length > 0)
              await confirm(
                `${formatNotified(planned, options.to, out)}\nClose ${planned.hub} on ${day}, cancel ${formatBoxCount(planned)} and send the emails?`,
              );
            return closeDay(ctx, hub, day, { ...input, dryRun: false });
          },
          { long: true },
        );
        out.answer({ ...done, dryRun }, () =>
          !done.isNew
            ? `${done.hub} is closed on ${day} already; nothing was done.`
            : done.boxes.length === 0
              ? `${dryRun ? "Would close" : "Closed"} ${done.hub} on ${day}. It has no orders; no one is emailed.`
              : [
                  `${dryRun ? "Would close" : "Closed"} ${done.hub} on ${day} and ${dryRun ? "cancel" : "canceled"} ${formatBoxCount(done)}: ${formatMoneyBack(done, options.to, "the cards")}. ${dryRun ? "These would be emailed" : "Emailed"}:`,
                  formatNotified(done, options.to, out),
                ].join("\n"),
        );
      },
    }),
  ]);
