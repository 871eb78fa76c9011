import { CARD_MINIMUM } from "@marketday/domain/limits";
import { formatTotalRow, totalRows } from "@marketday/domain/total-rows";
import type { OrderDetails } from "@marketday/server/modules/orders/find-whole-order";
import { formatDispute } from "@marketday/server/modules/payments/format-dispute";
import { formatRefundFailure } from "@marketday/server/modules/payments/refund-failures";
import type { Command } from "commander";

import { command } from "../../lib/cli/command.ts";
import type { Output } from "../../lib/cli/output.ts";
import { localTime, usd } from "../../lib/cli/values.ts";
import { readOrder } from "./read-order.ts";
import { oneTarget, type ToteOption, withTote } from "./targets.ts";

/** "Notes: Gate code 4471", further lines below the first one. */
const notesLine = (label: string, text: string | undefined): string[] =>
  text ? [`${label}: ${text.replaceAll("\n", `\n${" ".repeat(label.length + 2)}`)}`] : [];

function formatOrder(order: OrderDetails, out: Output): string {
  const destination = order.address
    ? [
        order.address.address,
        order.address.address2,
        `${order.address.city}, ${order.address.state} ${order.address.zipCode}`,
      ]
        .filter(Boolean)
        .join(", ")
    : (order.pickupPoint ?? "");
  const { payment, customer } = order;
  return [
    `Order ${order.id} · ${out.color.bold(order.status)} · ${order.hub}, ${order.day}`,
    customer
      ? `${customer.name} <${customer.email}>${customer.phone ? `, ${customer.phone}` : ""}, customer ${customer.id}`
      : "customer deleted",
    `${order.type}${destination === "" ? "" : `: ${destination}`}`,
    ...notesLine("Notes", order.boxNotes),
    ...notesLine("Directions", order.address?.instructions),
    out.table(
      ["variant", "item", "vendor", "ordered", "now", "each"],
      order.items.map((item) => [
        item.variantId,
        item.title,
        item.vendor,
        item.ordered,
        item.quantity,
        usd(item.unitCents),
      ]),
      ["variant", "ordered", "now", "each"],
    ),
    ...totalRows({
      type: order.type,
      items: order.itemsCents,
      discount: order.discountCents,
      delivery: order.deliveryFeeCents,
      tip: order.tipCents,
      processing: order.cardFeeCents,
      tax: order.taxCents,
      waived: order.waivedCents,
    }).map((row) => formatTotalRow(row).join(": ")),
    `Total ${usd(order.totalCents)}${order.creditCents > 0 ? `, of which ${usd(order.creditCents)} is store credit` : ""}${order.waivedCents > 0 ? `; ${usd(order.waivedCents)} was waived, because cards are charged ${usd(CARD_MINIMUM)} or more` : ""}`,
    payment
      ? `Paid by ${payment.provider}: ${payment.state}, captured ${usd(payment.capturedCents)}, refunded ${usd(payment.refundedCents)}`
      : "No payment",
    ...order.disputes.map((dispute) => `Disputed: ${formatDispute(dispute, order.timeZone)}`),
    ...order.refunds
      .filter(({ state, isResolved }) => state === "failed" && !isResolved)
      .map(
        ({ id, amountCents, failure }) =>
          `${usd(amountCents)} did not go back to the card: ${formatRefundFailure(failure)} Give it another way with: market refunds send ${id}`,
      ),
    ...(order.notCharged
      ? [
          `Not charged since ${localTime(order.notCharged.since, order.timeZone)}: ${order.notCharged.reason} ${order.notCharged.nextAt === null ? "It is not retried automatically." : `Next attempt: ${localTime(order.notCharged.nextAt, order.timeZone)}.`}`,
        ]
      : []),
    ...(order.writtenOffAt ? [`Written off on ${localTime(order.writtenOffAt, order.timeZone)}`] : []),
    ...order.operations.map(
      ({ at, who, what, why }) => `  ${localTime(at, order.timeZone)} ${who}: ${what}${why ? ` (${why})` : ""}`,
    ),
  ].join("\n");
}

/** `market orders show`. */
export const show = (): Command =>
  command<ToteOption>({
    name: "show <order> [date]",
    summary: "show an order: items, money, and manual operations",
    about: "With HUB DATE --tote: every order in the tote.",
    examples: ["orders show 123456789", "orders show carmel 2026-11-26 --tote 7"],
    options: withTote,
    async run({ options, out, market }, ...args) {
      const orders = await market(async (ctx) => {
        const { orderIds } = await oneTarget(ctx, args, options.tote);
        return Promise.all(orderIds.map((id) => readOrder(ctx, id)));
      });
      out.answer(options.tote ? orders : orders[0], () => orders.map((order) => formatOrder(order, out)).join("\n\n"));
    },
  });
