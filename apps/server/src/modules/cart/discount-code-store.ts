import type { Tx } from "@marketday/db";

/** Sets or removes the cart's discount code; false when there is no such code. `code` in upper case. */
export async function setDiscountCode(tx: Tx, cartId: number, code: string | null): Promise<boolean> {
  const found = code === null ? null : await tx.discount_code.findUnique({ where: { code }, select: { id: true } });
  if (code !== null && !found) return false;
  await tx.cart.updateMany({ where: { id: cartId }, data: { discount_code_id: found?.id ?? null } });
  return true;
}
