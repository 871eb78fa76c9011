import type { Client } from "@marketday/db";

import type { MailData } from "../../lib/mail-template.ts";

/** A refund to the card as it is when the mail is sent. */
export interface RefundState {
  state: "created" | "done" | "failed";
  failure: string | null;
  amount_cents: number;
  /** It was paid at the door, and is given back there by hand. */
  is_offline: boolean;
}

/** The states of the card refunds that a mail's data names. */
export async function findRefundStates(db: Client, { refundIds }: MailData): Promise<RefundState[]> {
  const ids = Array.isArray(refundIds) ? refundIds.map(String) : [];
  if (ids.length === 0) return [];
  const refunds = await db.refund.findMany({
    where: { id: { in: ids }, payment_id: { not: null } },
    select: { state: true, failure: true, amount_cents: true, payment: { select: { provider: true } } },
    orderBy: { id: "asc" },
  });
  return refunds.map(({ state, payment, ...refund }) => ({
    ...refund,
    state: state as RefundState["state"],
    is_offline: payment?.provider === "offline",
  }));
}
