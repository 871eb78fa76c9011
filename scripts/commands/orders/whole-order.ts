import { AppError } from "@marketday/server/lib/app-error";
import type { Context } from "@marketday/server/lib/context";
import { sha256 } from "@marketday/server/lib/tokens";
import { findWholeOrder } from "@marketday/server/modules/orders/find-orders";

/** An order as `orders show` prints it; cents. */
export interface Whole {
  id: number;
  status: string;
  hub: string;
  /** The hub's, for the times below. */
  timeZone: string;
  day: string;
  type: string;
  customer: { id: number; email: string; name: string; phone: string | null } | null;
  address: { address: string; city: string; state: string; zipCode: string } | null;
  pickupPoint: string | null;
  items: { variantId: number; title: string; vendor: string; quantity: number; ordered: number; unitCents: number }[];
  acts: { at: string; who: string; what: string; why: string }[];
  totalCents: number;
  creditCents: number;
  /** Set aside: why it could not be charged, since when, and when it is charged again (ISO-8601, null: not automatically). */
  notCharged: { reason: string; since: string; tries: number; nextAt: string | null } | null;
  writtenOffAt: string | null;
  payment: { provider: string; state: string; capturedCents: number; refundedCents: number } | null;
}

/** An order with its lines, payment and acts. @throws AppError 404 */
export async function wholeOrder(ctx: Context, id: number): Promise<Whole> {
  const order = await findWholeOrder(ctx.deps.db, id);
  if (!order)
    throw new AppError(404, `There is no order ${id}. \`./market orders list\` lists them; nothing was done.`, {
      code: "not_found",
    });
  return order as unknown as Whole;
}

/** The same command line acts once: run again it changes nothing and says so. */
export const keyOf = (...parts: readonly unknown[]): string =>
  `operator ${sha256(parts.map(String).join("\n")).slice(0, 32)}`;
