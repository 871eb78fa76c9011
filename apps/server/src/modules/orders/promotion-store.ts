import type { Tx } from "@marketday/db";

/** Moves the use of a discount code, of the referral, or both from one order to another. */
export async function movePromotions(
  tx: Tx,
  fromId: number,
  toId: number,
  moved: { isCodeMoved: boolean; isReferralMoved: boolean },
): Promise<void> {
  if (moved.isCodeMoved) await tx.discount_use.updateMany({ where: { order_id: fromId }, data: { order_id: toId } });
  if (moved.isReferralMoved)
    await tx.referral.updateMany({ where: { order_id: fromId, credited_at: null }, data: { order_id: toId } });
}
