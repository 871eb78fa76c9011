import type { Tx } from "@marketday/db";

/** A discount code that may move to another order, in cents and parts per million; null: none does. */
type MovableCode = { percent_ppm: number | null; amount_cents: number | null; minimum_cents: number } | null;

/**
 * The discount code and referral of an order that may move to another order. A code does not move to an order that has one;
 * neither moves while another order of the same checkout has a share of the discount.
 */
export async function findMovablePromotions(
  tx: Tx,
  fromId: number,
  toId: number,
): Promise<{ code: MovableCode; has_referral: boolean }> {
  const from = await tx.order.findUniqueOrThrow({
    where: { id: fromId },
    select: {
      discount_uses: {
        select: { discount_code: { select: { percent_ppm: true, amount_cents: true, minimum_cents: true } } },
        take: 1,
      },
      referral: { select: { credited_at: true } },
      attempt: {
        select: {
          orders: {
            where: { id: { not: fromId }, status: { not: "cancelled" }, discount_cents: { gt: 0 } },
            select: { id: true },
            take: 1,
          },
        },
      },
    },
  });
  if (from.attempt && from.attempt.orders.length > 0) return { code: null, has_referral: false };
  const hasCode = (await tx.discount_use.count({ where: { order_id: toId } })) > 0;
  return {
    code: hasCode ? null : (from.discount_uses[0]?.discount_code ?? null),
    has_referral: from.referral?.credited_at === null,
  };
}

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
