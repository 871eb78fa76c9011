import { addDays, type CalendarDate } from "@marketday/domain/calendar-date";
import { suggestEmail } from "@marketday/domain/email-typo";
import { GIFT_CARD_DAYS_MAX, GIFT_CARD_MAX, GIFT_CARD_MIN } from "@marketday/domain/limits";
import { customerNamed } from "@marketday/server/modules/account/find-customers";
import type { EarlierOperation } from "@marketday/server/modules/audit/find-duplicate-operation";
import { grantCredit, issueGiftCard } from "@marketday/server/modules/gift-cards/grant-credit";
import { resendGiftCard } from "@marketday/server/modules/gift-cards/resend-gift-card";
import { giftCardState } from "@marketday/server/modules/gift-cards/serialize";
import { findGiftCard, findGiftCards, type GiftCardRow } from "@marketday/server/modules/gift-cards/store";
import { marketDate } from "@marketday/server/modules/hubs/market-date";
import type { Command } from "commander";

import { command, group } from "../lib/cli/command.ts";
import { EXIT, CliError } from "../lib/cli/exit.ts";
import { day, dollars, email, usd, whole } from "../lib/cli/values.ts";

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

/** " Did you mean ada@gmail.com?", or nothing. */
function formatTypo(address: string): string {
  const meant = suggestEmail(address);
  return meant === null ? "" : ` Did you mean ${meant}?`;
}

/** "waiting for 2026-12-24", "not delivered yet: 550 no such user" */
function formatState(card: GiftCardRow): string {
  const state = giftCardState(card);
  if (state === "waiting") return `waiting for ${card.deliver_on}`;
  if (state === "failing") return `not delivered yet: ${card.last_error || "the mail server rejected it"}`;
  const at = state === "redeemed" ? card.redeemed_at : card.sent_at;
  return at ? `${state} on ${at.toISOString().slice(0, 10)}` : state;
}

const recipientOf = (card: GiftCardRow): string => card.recipient_email || "(deleted)";

/** @throws CliError */
async function giftCardOf(db: Parameters<typeof findGiftCard>[0], id: number): Promise<GiftCardRow> {
  const card = await findGiftCard(db, id);
  if (!card) throw new CliError(EXIT.refused, `There is no gift card ${id}. \`./market gift-cards list\` lists them.`);
  return card;
}

const listGiftCards = () =>
  command<{ find: string; most: number }>({
    name: "list",
    summary: "list gift cards and their state, newest first",
    examples: ["gift-cards list", "gift-cards list --find fay@"],
    options: (cmd) =>
      cmd
        .option("--find <text>", "by id, or by part of the recipient's or the buyer's email", "")
        .option("--most <rows>", "maximum number of rows", whole, 50),
    async run({ options, out, market }) {
      const cards = await market(({ deps }) => findGiftCards(deps.db, options.find, options.most));
      out.answer(cards, () =>
        cards.length === 0
          ? "No gift cards."
          : out.table(
              ["id", "amount", "for", "by", "state"],
              cards.map((card) => [
                card.id,
                usd(card.amount_cents),
                recipientOf(card),
                card.buyer_email ?? (card.buyer_id === null ? "the market" : "(deleted)"),
                formatState(card),
              ]),
              ["id", "amount"],
            ),
      );
    },
  });

const showGiftCard = () =>
  command({
    name: "show <card>",
    summary: "show a gift card, its recipient and its state; never its code",
    examples: ["gift-cards show 12"],
    async run({ out, market }, id) {
      const card = await market(({ deps }) => giftCardOf(deps.db, whole(id)));
      out.answer(card, () =>
        [
          `Gift card ${card.id} of ${usd(card.amount_cents)} for ${recipientOf(card)}: ${formatState(card)}`,
          `Given by ${card.buyer_email ?? (card.buyer_id === null ? "the market" : "a deleted account")} on ${card.created_at.toISOString().slice(0, 10)}, to be emailed on ${card.deliver_on}`,
          ...(card.code_version > 1 ? [`Sent ${card.code_version} times; only the last code works`] : []),
          ...(card.message ? [`Message: ${card.message}`] : []),
        ].join("\n"),
      );
    },
  });

const resend = () =>
  command<{ to?: string }>({
    name: "resend <card>",
    summary: "send a gift card again, with a new code; the earlier code stops working",
    about:
      "To the address it has, or to another one with --to. Before its day it waits for its day. The buyer is emailed. A redeemed card is refused.",
    examples: ['gift-cards resend 12 --to fay@example.com --reason "mistyped address" --yes'],
    options: (cmd) => cmd.option("--to <email>", "another address", email),
    writes: true,
    needsConfirmation: true,
    reason: true,
    async run({ options, out, market, confirm }, text) {
      const [id, { reason = "", dryRun = false, to = null }] = [whole(text), options];
      const card = await market(({ deps }) => giftCardOf(deps.db, id));
      const address = to ?? recipientOf(card);
      await confirm(
        `Send gift card ${id} of ${usd(card.amount_cents)} to ${address}? Its earlier code stops working.${formatTypo(address)}`,
      );
      const sent = await market((ctx) => resendGiftCard(ctx, id, { to, version: card.code_version, reason, dryRun }));
      out.answer(
        { id, recipientEmail: sent.recipient_email, deliverOn: sent.deliver_on, dryRun },
        () =>
          `${dryRun ? "Would send" : "Sends"} gift card ${id} to ${sent.recipient_email} with a new code.${formatTypo(sent.recipient_email)}`,
      );
    },
  });

/** `market gift-cards …`. */
export const giftCardsCommand = (): Command =>
  group("gift-cards", "gift cards, bought and given", [
    listGiftCards(),
    showGiftCard(),
    resend(),
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
        await confirm(`Email ${recipientEmail} a gift card of ${usd(amountCents)}?${formatTypo(recipientEmail)}`);
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
