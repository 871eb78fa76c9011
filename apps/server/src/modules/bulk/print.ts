import type { PrintKind, PrintPlan } from "@marketday/contracts/admin/bulk";
import { totalRows } from "@marketday/domain/total-rows";

import { AppError } from "../../lib/app-error.ts";
import { marketUrl } from "../../lib/market-url.ts";
import type { Context } from "../identity/context.ts";
import { nameOfLine } from "../products/size-sql.ts";
import { readMadeVersion } from "../week/read-sheets.ts";
import type { PrintedDay, Receipt } from "../week/sheets/box-prints.ts";
import type { SheetJob } from "../week/sheets/job.ts";
import { type SelectedBox, selectBoxes } from "./select-boxes.ts";
import { findMadeVersions, findReceiptTypes } from "./steps-store.ts";

const sumOf = (box: SelectedBox["orders"], part: (order: SelectedBox["orders"][number]) => number): number =>
  box.reduce((sum, order) => sum + part(order), 0);

/** A box as its customer pays for it; a cancelled one as it was. */
function receiptOf(box: SelectedBox, type: "delivery" | "pickup"): Receipt {
  const live = box.orders.filter(({ status }) => status !== "cancelled");
  const orders = live.length > 0 ? live : box.orders;
  const items = orders.flatMap((order) => order.items).filter(({ quantity }) => quantity > 0);
  return {
    orderId: box.id,
    name: box.name,
    lines: items.map((item) => ({
      title: nameOfLine(item),
      quantity: item.quantity,
      cents: item.quantity * item.unit_price_cents,
    })),
    rows: totalRows({
      type,
      items: items.reduce((sum, item) => sum + item.quantity * item.unit_price_cents, 0),
      discount: sumOf(orders, (order) => order.discount_cents),
      delivery: sumOf(orders, (order) => order.delivery_fee_cents),
      tip: sumOf(orders, (order) => order.tip_cents),
      processing: sumOf(orders, (order) => order.card_fee_cents),
      tax: sumOf(orders, (order) => order.tax_cents),
      waived: sumOf(orders, (order) => order.waived_cents),
    }),
    totalCents: sumOf(orders, (order) => order.order_total_cents),
    creditCents: sumOf(orders, (order) => order.credit_cents),
  };
}

interface Printed {
  plan: PrintPlan;
  days: PrintedDay[];
}

/** The chosen boxes by delivery day, in the order of the days; receipts by order number. Boxes without sheets are refused. */
async function readPrints(ctx: Context, kind: PrintKind, orderIds: readonly number[]): Promise<Printed> {
  const { db } = ctx.deps;
  const selected = await selectBoxes(db, ctx, orderIds, "people.read");
  const ofDays = [...Map.groupBy(selected, ({ delivery_id: id }) => id)].toSorted(([, a], [, b]) =>
    a[0]!.day < b[0]!.day ? -1 : 1,
  );
  const days: PrintedDay[] = [];
  const refused: PrintPlan["refused"] = [];
  const right: number[] = [];
  if (kind === "receipts") {
    const types = await findReceiptTypes(
      db,
      selected.map(({ id }) => id),
    );
    for (const [, boxes] of ofDays) {
      const [{ hub, day, time_zone: timeZone }] = boxes as [SelectedBox];
      days.push({
        // Nothing is frozen: a receipt is as the box is now.
        day: {
          hub,
          market: marketUrl(ctx.deps.env),
          day,
          timeZone,
          version: 0,
          cutoffAt: ctx.now,
          frozenAt: ctx.now,
          boxes: [],
          plan: null,
        },
        receipts: boxes.map((box) => receiptOf(box, types.get(box.id) ?? "pickup")),
      });
    }
    return { plan: { boxes: selected.length, refused, right: selected.map(({ id }) => id) }, days };
  }
  const versions = await findMadeVersions(
    db,
    ofDays.map(([deliveryId]) => deliveryId),
  );
  for (const [deliveryId, boxes] of ofDays) {
    const version = versions.get(deliveryId);
    const made = version ? await readMadeVersion(ctx, { ...version, day: boxes[0]!.day }) : null;
    const found = boxes.map((box) => ({
      box,
      printed: made?.day.boxes.find(({ orderId }) => box.orders.some(({ id }) => id === orderId)),
    }));
    for (const { box, printed } of found)
      if (printed) right.push(box.id);
      else
        refused.push({
          orderId: box.id,
          name: box.name,
          reason: made ? "This order is not on the newest sheets." : "The sheets of its day are not made yet.",
        });
    const printed = found.flatMap((each) => each.printed ?? []);
    if (made && printed.length > 0) days.push({ day: { ...made.day, boxes: printed }, receipts: [] });
  }
  return { plan: { boxes: right.length, refused, right }, days };
}

/** What would be printed of these boxes. @throws AppError 404; 403 */
export const planPrint = async (ctx: Context, kind: PrintKind, orderIds: readonly number[]): Promise<PrintPlan> =>
  (await readPrints(ctx, kind, orderIds)).plan;

/**
 * The job that draws one PDF of these boxes.
 * @throws AppError 404; 403; 409 `refused` with the boxes that are on no sheets
 */
export async function printJob(ctx: Context, kind: PrintKind, orderIds: readonly number[]): Promise<SheetJob> {
  const { plan, days } = await readPrints(ctx, kind, orderIds);
  if (plan.refused.length > 0)
    throw new AppError(
      409,
      `${plan.refused.map(({ orderId, reason }) => `Order ${orderId}: ${reason}`).join("\n")}\nNothing was printed.`,
      { code: "refused", current: plan },
    );
  return { kind: "boxes", print: kind, days };
}
