import { addDays, type CalendarDate } from "@marketday/domain/calendar-date";
import { GIFT_CARD_DAYS_MAX, GIFT_CARD_MAX, GIFT_CARD_MIN } from "@marketday/domain/limits";
import { customerNamed } from "@marketday/server/modules/account/find-customers";
import type { EarlierOperation } from "@marketday/server/modules/audit/find-duplicate-operation";
import { grantCredit, issueGiftCard } from "@marketday/server/modules/gift-cards/grant-credit";
import { marketDate } from "@marketday/server/modules/hubs/market-date";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { day, dollars, email, usd } from "../lib/cli/values.ts";

const ONCE =
  "The same customer, amount and reason\nare accepted once within 24 hours: to give again, give another reason. With --key, each key is accepted once, permanently.";

const keyed = (cmd: Command): Command => cmd.option("--key <text>", "idempotency key: the gift is given once per key");

/** "already on 2026-11-21 at 14:03 UTC by operator:ada; nothing was done" */
const formatEarlier = ({ at, who }: EarlierOperation): string => {
  const [date, time] = at.split("T");
  return `already on ${date} at ${time?.slice(0, 5)} UTC by ${who}; nothing was done`;
};

/** `market credit grant`. */
export const creditCommand = (): Command =>
  group("credit", "manual store credit", [
    command<{ key?: string }>({
      name: "grant <customer> <dollars>",
      summary: "give a customer store credit at the market's expense",
      about: `The customer is a full email or an id. ${ONCE}`,
      examples: ['credit grant rosa@little-wagon.example 10.00 --reason "late delivery" --yes'],
      options: keyed,
      writes: true,
      needsConfirmation: true,
      reason: true,
      async run({ options, out, market, confirm }, who, amount) {
        const amountCents = dollars(amount);
        const { key = null, reason = "", dryRun = false } = options;
        await confirm(`Give ${who} ${usd(amountCents)} of store credit?`);
        const { customer, before } = await market(async (ctx) => {
          const customer = await customerNamed(ctx.deps.db, who);
          return { customer, before: await grantCredit(ctx, customer, { amountCents, reason, key, dryRun }) };
        });
        out.answer({ customerId: customer.id, amountCents, before, dryRun }, () =>
          before
            ? `${customer.email ?? who} was given ${usd(amountCents)} ${formatEarlier(before)}.`
            : `${dryRun ? "Would give" : "Gave"} ${customer.email ?? who} ${usd(amountCents)}.`,
        );
      },
    }),
  ]);

/** Refuses an --on date before the market's date, or later than a gift card may be scheduled (docs/product.md §17). */
function requireMailDate(on: string, today: CalendarDate): void {
  if (on < today) throw new CliError(EXIT.usage, `${on} is in the past. Give today or a later date; nothing was done.`);
  if (on > addDays(today, GIFT_CARD_DAYS_MAX))
    throw new CliError(
      EXIT.usage,
      `${on} is more than ${GIFT_CARD_DAYS_MAX} days away. Give an earlier date; nothing was done.`,
    );
}

/** `market gift-cards issue`. */
export const giftCardsCommand = (): Command =>
  group("gift-cards", "manual gift cards", [
    command<{ message: string; on?: string; key?: string }>({
      name: "issue <email> <dollars>",
      summary: "give a gift card at the market's expense; its code is emailed",
      about: ONCE,
      examples: ['gift-cards issue ada@farm.example 25.00 --message "Thank you" --reason "raffle" --yes'],
      options: (cmd) =>
        keyed(cmd)
          .option("--message <text>", "printed in the email", "")
          .option("--on <date>", "emailed on this date (default: today in the market)", day),
      writes: true,
      needsConfirmation: true,
      reason: true,
      async run({ options, out, market, confirm }, to, amount) {
        const [recipientEmail, amountCents] = [email(to), dollars(amount)];
        const { key = null, reason = "", dryRun = false, message } = options;
        if (amountCents < GIFT_CARD_MIN || amountCents > GIFT_CARD_MAX)
          throw new CliError(EXIT.usage, `A gift card is ${usd(GIFT_CARD_MIN)} to ${usd(GIFT_CARD_MAX)}.`);
        const today = await market(({ deps, now }) => marketDate(deps, now));
        const deliverOn = options.on ?? today;
        requireMailDate(deliverOn, today);
        await confirm(`Email ${recipientEmail} a gift card of ${usd(amountCents)}?`);
        const gift = { recipientEmail, amountCents, message, deliverOn, reason, key, dryRun };
        const card = await market((ctx) => issueGiftCard(ctx, gift));
        out.answer({ ...card, deliverOn, recipientEmail, amountCents, dryRun }, () =>
          card.before
            ? `${recipientEmail} was given a gift card of ${usd(amountCents)} ${formatEarlier(card.before)}.`
            : `${dryRun ? "Would email" : "Emails"} ${recipientEmail} a gift card of ${usd(amountCents)} on ${deliverOn}.`,
        );
      },
    }),
  ]);
