import { isUniqueViolation, type Tx } from "@marketday/db";
import { compensationEntries, type LedgerEntry, refundEntries } from "@marketday/domain/ledger";
import { cents, formatUsd, zeroCents } from "@marketday/domain/money";

import { AppError, notFound } from "../../lib/app-error.ts";
import { withClientDryRun } from "../../lib/dry-run.ts";
import { newUuid } from "../../lib/tokens.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { bookPurchase, insertBookings } from "../ledger/booking-sql.ts";
import { findVendorBySlug } from "../ledger/store.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { stillCharging } from "../payments/charge-order.ts";
import { fetchMovedMoneyOfBox } from "../payments/fetch-moved-money.ts";
import { finishRefund, refundMailTime, type SettledRefund, settleRefunds } from "../payments/finish-refund.ts";
import { findBorneCents, findRefundByKey, insertRefund, type RefundRow } from "../payments/refund-store.ts";
import { type RefundInput, isCaptured, paidCents } from "./refund-paid.ts";
import { returnCredit } from "./return-credit.ts";
import { lockOrderForSupport, type OrderForSupport } from "./support-sql.ts";

/** A refund and what became of it. Cents. */
export interface RefundResult {
  /** Whether this call created the refund; false: an earlier call with the same key did. */
  isNew: boolean;
  /** Null: dry run. */
  refundId: string | null;
  amountCents: number;
  destination: "card" | "credit";
  state: SettledRefund["state"];
  /** Why it failed or waits; null: it did not. */
  failure: SettledRefund["failure"];
  /** What it wrote, or with a dry run would write, in the ledger; empty when an earlier call did. */
  entries: LedgerEntry[];
}

/** The state of an earlier refund. */
async function resultOf(ctx: Context, row: RefundRow, dryRun: boolean): Promise<RefundResult> {
  const refund = {
    isNew: false,
    refundId: row.id,
    amountCents: row.amount_cents,
    destination: row.destination,
    entries: [],
  };
  if (dryRun && row.state === "created") return { ...refund, state: "planned", failure: null };
  return { ...refund, ...(await finishRefund(ctx, row.id)) };
}

/** The vendor of the order who bears the refund. @throws AppError 404, 422 when it is more than the vendor sold in this order, less what it bears of it already */
async function findBearer(tx: Tx, order: OrderForSupport, slug: string, amountCents: number): Promise<number> {
  const vendor = await findVendorBySlug(tx, slug);
  const lines = order.items.filter(({ vendor_id: id }) => id === vendor?.id);
  if (!vendor || lines.length === 0)
    throw new AppError(404, `There is nothing of "${slug}" in this order.`, { code: "no_such_vendor" });
  const sold = lines.reduce((sum, { quantity, unit_price_cents: unitCents }) => sum + quantity * unitCents, 0);
  const borne = await findBorneCents(tx, order.id, vendor.id);
  const most = Math.max(0, sold - borne);
  if (amountCents > most)
    throw new AppError(
      422,
      borne === 0
        ? `The amount is more than ${vendor.name} sold in this order.`
        : `${vendor.name} sold ${formatUsd(cents(sold))} in this order and bears ${formatUsd(cents(borne))} of it already, so it can bear ${most === 0 ? "nothing more" : `at most ${formatUsd(cents(most))}`}.`,
      { code: "too_much", most },
    );
  return vendor.id;
}

/**
 * Refunds part of an order as goodwill: the sale stays unchanged, and the market or `bearer`, a vendor, bears the cost
 * (docs/product.md §14 `orders refund`). `amountCents` is at most the amount paid less earlier goodwill; to a card, at most what
 * the card paid, and never what the shopper's bank or the provider's dashboard has given back. The same `key` refunds once. One that the
 * provider refuses stays failed, for operators (`refunds list`). Sends an email with the result. For missing units use `shortOrder`, which lowers the vendors' shares too.
 * @throws AppError 404, `no_such_vendor` for the bearer; 409 `not_charged` when nothing is paid yet or no card was charged, `cancelled`, `no_customer`,
 * `still_charging`, `charge_disputed` when the shopper's bank has what would be refunded; 422 `too_much` with `most` in cents
 */
export async function refundOrder(
  ctx: Context,
  orderId: number,
  input: RefundInput & {
    amountCents: number;
    /** A vendor's slug; default: the market. */
    bearer?: string;
    /** Of the staff's action. */
    actionId?: number;
  },
): Promise<RefundResult> {
  const { deps, now } = ctx;
  if (!Number.isSafeInteger(input.amountCents) || input.amountCents <= 0)
    throw new AppError(400, "Give an amount above zero.", { code: "invalid", field: "amount" });
  const before = input.key === null ? null : await findRefundByKey(deps.db, input.key);
  if (before) return resultOf(ctx, before, input.dryRun ?? false);
  if (!input.dryRun) await fetchMovedMoneyOfBox(ctx, orderId);
  const id = newUuid();
  const written: LedgerEntry[] = [];
  try {
    await withClientDryRun(deps.db, input.dryRun ?? false, async (tx) => {
      const order = await lockOrderForSupport(tx, orderId);
      if (!order) throw notFound();
      if (order.customer_id === null)
        throw new AppError(409, "The account of this order was deleted.", { code: "no_customer" });
      if (order.status === "cancelled")
        throw new AppError(409, "This order is cancelled; its money went back already.", { code: "cancelled" });
      if (order.is_charging) throw stillCharging();
      if (input.to === "card" && (!isCaptured(order) || order.provider === "offline"))
        throw new AppError(409, "No card was charged for this order. Refund it as store credit.", {
          code: "not_charged",
        });
      const left = Math.max(0, paidCents(order) - order.goodwill_cents);
      if (left === 0 && !isCaptured(order) && order.order_total_cents > order.credit_cents)
        throw new AppError(
          409,
          "This order is not charged or recorded as paid yet. Refund it after that, or give store credit with: market credit grant.",
          { code: "not_charged" },
        );
      const most =
        input.to === "card"
          ? Math.min(order.left_cents, order.order_total_cents - order.credit_cents - order.goodwill_card_cents, left)
          : left;
      if (input.amountCents > most && order.bank_cents > 0)
        throw new AppError(
          409,
          `The shopper's bank has taken back ${formatUsd(cents(order.bank_cents))} of this order in a dispute, and returns it to the shopper unless the market wins. ${most > 0 ? `At most ${formatUsd(cents(most))} can be refunded.` : "It is not refunded again."} \`./market disputes list\` shows it; nothing was done.`,
          { code: "charge_disputed", most },
        );
      if (input.amountCents > most)
        throw new AppError(422, "The amount is more than can still be refunded for this order.", {
          code: "too_much",
          most,
        });
      const refunded = refundEntries(order.customer_id, input.to, {
        backCents: cents(input.amountCents),
        owedCents: zeroCents,
      });
      written.splice(0, written.length, ...refunded);
      await bookPurchase(
        tx,
        { kind: "refund", paymentId: order.payment_id, note: `order ${order.id}: ${input.reason}`, now },
        refunded,
      );
      let bearerId: number | null = null;
      if (input.bearer !== undefined) {
        bearerId = await findBearer(tx, order, input.bearer, input.amountCents);
        const entries = compensationEntries([{ vendorId: bearerId, amountCents: cents(-input.amountCents) }]);
        await insertBookings(tx, [{ kind: "compensation", orderId: order.id, entries }], now);
        written.push(...entries);
      }
      await insertRefund(tx, {
        id,
        paymentId: order.payment_id,
        orderId: order.id,
        kind: "goodwill",
        destination: input.to,
        amountCents: input.amountCents,
        reason: input.reason,
        key: input.key,
        bearerId,
        now,
      });
      if (input.to === "credit") await returnCredit(tx, asCustomerId(order.customer_id), input.amountCents);
      await writeAuditEntry(tx, ctx, {
        action: "orders refund",
        subject: `order:${order.id}`,
        reason: input.reason,
        data: {
          amountCents: input.amountCents,
          to: input.to,
          bearer: input.bearer ?? "market",
          actionId: input.actionId,
        },
      });
      await enqueueMail(tx, {
        key: `order-refunded:${id}`,
        template: "order-refunded",
        customerId: order.customer_id,
        data: {
          orderId: order.id,
          amountCents: input.amountCents,
          to: input.to,
          reason: input.reason,
          refundIds: input.to === "card" ? [id] : [],
        },
        now,
        ...(input.to === "card" && { notBefore: refundMailTime(now) }),
      });
    });
  } catch (error) {
    const existing =
      input.key !== null && isUniqueViolation(error, "refund_key_key") && (await findRefundByKey(deps.db, input.key));
    if (!existing) throw error;
    return resultOf(ctx, existing, false);
  }
  const { amountCents, to: destination } = input;
  const refund: SettledRefund = { id, amountCents, state: destination === "card" ? "planned" : "done", failure: null };
  if (!input.dryRun) {
    await deps.failpoint("refund:written");
    if (destination === "card") await settleRefunds(ctx, [refund]);
  }
  const { state, failure } = refund;
  return {
    isNew: true,
    refundId: input.dryRun ? null : id,
    amountCents,
    destination,
    state,
    failure,
    entries: written,
  };
}
