import type { GiftCard } from "@marketday/contracts/gift-cards";
import { GIFT_CARD_SENDS_MAX } from "@marketday/domain/limits";
import { cents, toDollars } from "@marketday/domain/money";

import type { GiftCardRow } from "./store.ts";

/** `failing`: the mail server rejected its mail so far. A redeemed card says nothing of what is left of it: that is its recipient's. */
export function giftCardState(card: GiftCardRow): GiftCard["state"] {
  if (card.redeemed_at) return "redeemed";
  if (card.last_error !== null) return "failing";
  return card.is_queued ? "waiting" : "sent";
}

/** A gift card for its buyer. */
export const serializeGiftCard = (card: GiftCardRow): GiftCard => ({
  id: card.id,
  amount: toDollars(cents(card.amount_cents)),
  recipientEmail: card.recipient_email || null,
  message: card.message,
  deliverOn: card.deliver_on,
  state: giftCardState(card),
  version: card.code_version,
  canResend: card.redeemed_at === null && card.code_version < GIFT_CARD_SENDS_MAX,
});
