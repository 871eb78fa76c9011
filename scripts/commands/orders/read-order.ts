import { AppError } from "@marketday/server/lib/app-error";
import { sha256 } from "@marketday/server/lib/tokens";
import type { Context } from "@marketday/server/modules/identity/context";
import { findWholeOrder } from "@marketday/server/modules/orders/find-orders";

/** An order as `orders show` prints it; cents. */
export interface OrderDetails {
  id: number;
  status: string;
  hub: string;
  /** The hub's time zone, for the times below. */
  timeZone: string;
  day: string;
  type: "delivery" | "pickup";
  customer: { id: number; email: string; name: string; phone: string | null } | null;
  address: {
    address: string;
    address2?: string;
    city: string;
    state: string;
    zipCode: string;
    instructions?: string;
  } | null;
  /** The order's own, and those of its whole box; several lines. */
  deliveryNotes: string;
  boxNotes: string;
  pickupPoint: string | null;
  items: { variantId: number; title: string; vendor: string; quantity: number; ordered: number; unitCents: number }[];
  operations: { at: string; who: string; what: string; why: string }[];
  itemsCents: number;
  discountCents: number;
  tipCents: number;
  taxCents: number;
  cardFeeCents: number;
  deliveryFeeCents: number;
  /** Part of no total: it was too small to charge to a card. */
  waivedCents: number;
  totalCents: number;
  creditCents: number;
  /** The failed charge: its reason, since when, and the next attempt (ISO 8601, null: no automatic attempt). */
  notCharged: { reason: string; since: string; tries: number; nextAt: string | null } | null;
  writtenOffAt: string | null;
  /** Disputes of its charge; times in ISO 8601. */
  disputes: {
    ref: string;
    amountCents: number;
    status: string;
    reason: string;
    dueBy: string | null;
    closedAt: string | null;
  }[];
  refunds: {
    id: string;
    amountCents: number;
    destination: "card" | "credit";
    state: "created" | "done" | "failed";
    failure: string | null;
    isResolved: boolean;
    at: string;
    reason: string;
  }[];
  payment: { provider: string; state: string; capturedCents: number; refundedCents: number } | null;
}

/** 404 for a number without an order. */
export const noOrder = (id: number): AppError =>
  new AppError(404, `There is no order ${id}. \`./market orders list\` lists them; nothing was done.`, {
    code: "not_found",
  });

/** An order with its items, payment and manual operations. @throws AppError 404 */
export async function readOrder(ctx: Context, id: number): Promise<OrderDetails> {
  const order = await findWholeOrder(ctx.deps.db, id);
  if (!order) throw noOrder(id);
  return order as unknown as OrderDetails;
}

/** An idempotency key: the same command line takes effect once. */
export const idempotencyKey = (...parts: readonly unknown[]): string =>
  `operator ${sha256(parts.map(String).join("\n")).slice(0, 32)}`;
