import { isCalendarDate } from "@marketday/domain/calendar-date";
import { type ClosedBox, type ClosedDay, closeDay } from "@marketday/server/modules/orders/close-day";
import { sumMoney } from "@marketday/server/modules/orders/refund-paid";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import type { Output } from "../lib/cli/output.ts";
import { day, destination, formatMoneyBack, NO_MONEY, some } from "../lib/cli/values.ts";

const NO_ADDRESS = "no address";

/** What a moved box has to do with the rest of its customer's orders and cards. */
const formatMove = ({ joins, beside, needsCard, isSkipped }: ClosedBox): string =>
  [
    ...(joins === null ? [] : [`joins order ${joins}`]),
    ...(beside === null ? [] : [`beside order ${beside}, at another place`]),
    ...(isSkipped ? ["skipped the new day"] : []),
    ...(needsCard ? ["must save a card, or pays at the door"] : []),
  ].join(", ") || "–";

/** The customers and vendors who are emailed, and what vendors bring more. */
const formatNotified = ({ boxes, waiting, vendors, bring, movedTo }: ClosedDay, out: Output): string =>
  [
    ...(boxes.length === 0
      ? []
      : [
          out.table(
            ["order", "customer", "email", "phone", "money", ...(movedTo === null ? [] : ["note"])],
            boxes.map((box) => [
              box.orderIds.join(", "),
              box.name,
              box.email ?? NO_ADDRESS,
              box.phone ?? "–",
              formatMoneyBack(box, box.to),
              ...(movedTo === null ? [] : [formatMove(box)]),
            ]),
          ),
        ]),
    ...(waiting.length === 0
      ? []
      : [
          "Customers whose automatic order was still to come:",
          out.table(
            ["customer", "email", "phone"],
            waiting.map(({ name, email, phone }) => [name, email ?? NO_ADDRESS, phone ?? "–"]),
          ),
        ]),
    ...(vendors.length > 0 ? [`Vendors who had their list: ${vendors.join(", ")}.`] : []),
    ...(bring.length > 0
      ? [
          `On ${movedTo} vendors bring for the moved orders, on top of that day's stock: ${bring.map(({ vendor, units }) => `${vendor} ${some(units, "units")}`).join(", ")}.`,
        ]
      : []),
    ...bring
      .filter(({ unsold }) => unsold.length > 0)
      .map(({ vendor, unsold }) => `Not sold at present: ${unsold.join(", ")} (${vendor}). Ask whether it comes.`),
  ].join("\n");

const formatBoxCount = ({ boxes }: ClosedDay): string => some(boxes.length, "orders");

/** "cancel 2 orders", "move 1 order to 2026-12-03" */
const formatAction = (day: ClosedDay, isDone: boolean): string =>
  day.movedTo === null
    ? `${isDone ? "canceled" : "cancel"} ${formatBoxCount(day)}`
    : `${isDone ? "moved" : "move"} ${formatBoxCount(day)} to ${day.movedTo}`;

/** The money of all boxes, by where it goes. */
function formatAllMoney(boxes: readonly ClosedBox[]): string {
  const groups = (["card", "credit"] as const).map((to) => [to, boxes.filter((box) => box.to === to)] as const);
  const amounts = groups.map(([to, part]) => formatMoneyBack(sumMoney(part), to, "the cards"));
  return [...new Set(amounts)].filter((amount, _, all) => all.length === 1 || amount !== NO_MONEY).join(", ");
}

/** What is or would be done. */
function formatClosed(done: ClosedDay, dryRun: boolean, out: Output): string {
  if (!done.isNew) return `${done.hub} is closed on ${done.day} already; nothing was done.`;
  const closes = `${dryRun ? "Would close" : "Closed"} ${done.hub} on ${done.day}`;
  const emails = dryRun ? "These would be emailed:" : "Emailed:";
  if (done.boxes.length > 0)
    return `${closes} and ${formatAction(done, !dryRun)}: ${formatAllMoney(done.boxes)}. ${emails}\n${formatNotified(done, out)}`;
  return done.waiting.length === 0
    ? `${closes}. It has no orders; no one is emailed.`
    : `${closes}. It has no orders. ${emails}\n${formatNotified(done, out)}`;
}

/** `market days close HUB DATE` (docs/product.md §4, §14). */
export const daysCommand = (): Command =>
  group("days", "close a delivery day", [
    command<{ cancel?: boolean; moveTo?: string; to: "card" | "credit" }>({
      name: "close <hub> <date>",
      summary: "close a delivery day: cancel or move its orders, and email the customers",
      about: [
        "The hub skips the date: carts, automatic orders and reminders go on with the next day. A day with orders needs --cancel or",
        "--move-to. Orders are canceled as by `orders cancel`, all or none, before or after the cutoff. Until the cutoff they can",
        "move with their add-ons to a later delivery day that takes orders: prices, payments and units stay as they were sold, and",
        "a box joins the customer's box of that day at the same place. Vendors who were sent their list are emailed that they bring",
        "nothing, and customers whose automatic order was still to come that it is for the next day. --dry-run lists who is emailed.",
        "The date is a closure of the hub: `hubs export` has it, and a later `hubs import` whose closures do not have it opens the",
        "day again.",
      ].join("\n"),
      examples: [
        'days close carmel 2026-11-26 --cancel --reason "snow storm" --yes',
        'days close carmel 2026-11-26 --move-to 2026-12-03 --reason "snow storm" --yes',
      ],
      options: (cmd) =>
        cmd
          .option("--cancel", "cancel the orders of the day")
          .option("--move-to <date>", "move the orders of the day to this delivery day", day)
          .option("--to <where>", "where captured money is refunded to: card or credit", destination, "card"),
      writes: true,
      needsConfirmation: true,
      reason: true,
      async run({ options, out, market, confirm }, hub, date) {
        if (!isCalendarDate(date))
          throw new CliError(EXIT.usage, `"${date}" is not a date. Give one such as 2026-11-26.`);
        const { cancel, moveTo, to } = options;
        if (cancel === true && moveTo !== undefined)
          throw new CliError(EXIT.usage, "Say --cancel or --move-to, not both.");
        const moved = moveTo === undefined ? null : ({ kind: "move", to: moveTo } as const);
        const orders = cancel === true ? ({ kind: "cancel", to } as const) : moved;
        const input = { orders, reason: options.reason ?? "" };
        const dryRun = options.dryRun === true;
        const done = await market(
          async (ctx) => {
            const planned = await closeDay(ctx, hub, date, { ...input, dryRun: true });
            if (dryRun) return planned;
            if (planned.boxes.length > 0 || planned.waiting.length > 0)
              await confirm(
                `${formatNotified(planned, out)}\nClose ${planned.hub} on ${date}${planned.boxes.length > 0 ? `, ${formatAction(planned, false)}` : ""} and send the emails?`,
              );
            const expected = planned.boxes.flatMap(({ orderIds }) => orderIds);
            return closeDay(ctx, hub, date, { ...input, dryRun: false, expected });
          },
          { long: true },
        );
        out.answer({ ...done, dryRun }, () => formatClosed(done, dryRun, out));
      },
    }),
  ]);
