import type { Tx } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { GIFT_CARD_SENDS_MAX } from "@marketday/domain/limits";

import { AppError, notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { deleteUnsent } from "../mail/outbox-store.ts";
import { lockGiftCard } from "./gift-card-sql.ts";
import { enqueueCode, giftCodeHash, newGiftCode } from "./gift-code.ts";
import { type CardRow, findCard, findGiftCard, giftMailKey, type GiftCardRow, replaceCode } from "./store.ts";

interface Resend {
  /** The number of the code with which the card was seen. */
  version: number;
  recipientEmail: string;
}

/**
 * Replaces the code of a locked card and enqueues its mail and the buyer's; the earlier code is dead, and a mail with it that is not
 * sent yet is dropped. A second request of the same press finds the card as the first one left it.
 */
async function resend(ctx: Context, tx: Tx, card: CardRow, wanted: Resend): Promise<GiftCardRow> {
  const { id, buyer_id: buyerId, amount_cents: amountCents, message } = card;
  const deliverOn = dateFromUtc(card.deliver_on);
  const { recipientEmail } = wanted;
  if (card.redeemed_at)
    throw new AppError(409, "This gift card was redeemed already, so it can't be sent again.", { code: "redeemed" });
  if (card.code_version !== wanted.version) {
    if (card.recipient_email === recipientEmail) return (await findGiftCard(tx, id))!;
    throw new AppError(
      409,
      `This gift card was sent to ${card.recipient_email} in the meantime. Look again before you send it to another address.`,
      { code: "changed" },
    );
  }
  const code = newGiftCode();
  await deleteUnsent(tx, giftMailKey(id, card.code_version));
  const version = await replaceCode(tx, id, giftCodeHash(code), recipientEmail);
  const isWaiting = await enqueueCode(
    tx,
    {
      id,
      version,
      code,
      buyerId,
      recipientEmail,
      amountCents,
      message,
      deliverOn,
    },
    ctx.now,
  );
  if (buyerId !== null)
    await enqueueMail(tx, {
      key: `gift-card-resent:${id}:${version}`,
      template: "gift-card-resent",
      customerId: buyerId,
      data: { amountCents, recipientEmail, message, deliverOn, isWaiting },
      now: ctx.now,
    });
  return (await findGiftCard(tx, id))!;
}

/**
 * Sends a gift card again for its buyer, to this address, with a new code (docs/product.md §7).
 * @throws AppError 404; 409 `redeemed`, `changed`, `sent_often`
 */
export async function resendOwnGiftCard(
  ctx: Context,
  customerId: CustomerId,
  id: number,
  wanted: Resend,
): Promise<GiftCardRow> {
  const sent = await withClientDryRun(ctx.deps.db, false, async (tx) => {
    await lockGiftCard(tx, id);
    const card = await findCard(tx, id);
    if (card?.buyer_id !== customerId) throw notFound();
    if (card.redeemed_at === null && card.code_version === wanted.version && card.code_version >= GIFT_CARD_SENDS_MAX)
      throw new AppError(
        409,
        "This gift card was sent many times already. Write to us or call, and we'll send it for you.",
        { code: "sent_often" },
      );
    const replaced = await resend(ctx, tx, card, wanted);
    await ctx.deps.failpoint("gift-card:resent");
    return replaced;
  });
  await ctx.deps.failpoint("gift-card:resend-committed");
  return sent;
}

/**
 * Sends a gift card again for an operator (docs/product.md §14 `gift-cards resend`), with a new code.
 * @param to null: to the address that it has
 * @throws AppError 404; 409 `redeemed`, `changed`, `no_address`
 */
export async function resendGiftCard(
  ctx: Context,
  id: number,
  { to, version, reason, dryRun }: { to: string | null; version: number; reason: string; dryRun: boolean },
): Promise<GiftCardRow> {
  return withClientDryRun(ctx.deps.db, dryRun, async (tx) => {
    await lockGiftCard(tx, id);
    const card = await findCard(tx, id);
    if (!card) throw new AppError(404, `There is no gift card ${id}.`, { code: "not_found" });
    const recipientEmail = to ?? card.recipient_email;
    if (recipientEmail === "")
      throw new AppError(409, `Gift card ${id} has no address any more. Give one with --to.`, { code: "no_address" });
    const sent = await resend(ctx, tx, card, { version, recipientEmail });
    if (sent.code_version !== card.code_version)
      await writeAuditEntry(tx, ctx, {
        action: "gift-cards resend",
        subject: `gift-card:${id}`,
        reason,
        data: { isNewAddress: recipientEmail !== card.recipient_email },
      });
    return sent;
  });
}
