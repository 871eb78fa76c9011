import type { ReportedItem } from "@marketday/contracts/problems";
import { transaction } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { enqueueMail, enqueueMailTo } from "../mail/mail-sql.ts";
import { findBoxId } from "../orders/box-store.ts";
import { nameOfLine } from "../products/size-sql.ts";
import { deletePhotos } from "./photos.ts";
import { lockOrder } from "./problem-sql.ts";
import { type ReceivedReport, itemsNotFound } from "./receive-report.ts";
import { type BoxItem, findBoxItems, insertReport } from "./store.ts";

/**
 * A report as the market reads it: the items, one a line, then the customer's words: "2 of 3 Brown Eggs, Dozen".
 * What was cut short since is still reported, with what is left: "2 of 3 Brown Eggs, Dozen (now 1)".
 * @throws AppError 400 for an item that the box does not have, or not as often
 */
function describe(items: readonly ReportedItem[], ofBox: readonly BoxItem[], message: string): string {
  const lines = items.map(({ variantId, quantity }) => {
    const item = ofBox.find((one) => one.variant_id === variantId);
    if (!item || quantity > item.ordered) throw itemsNotFound();
    const name = nameOfLine(item);
    return quantity > item.quantity
      ? `${quantity} of ${item.ordered} ${name} (now ${item.quantity})`
      : `${quantity} of ${item.quantity} ${name}`;
  });
  return [...(lines.length > 0 ? [lines.join("\n")] : []), message].join("\n\n");
}

/**
 * Stores a problem report with its photos, mails it to the market and confirms it (docs/product.md §11). 404 for another customer's
 * order. The same report twice within the hour is one; photos of a report that is not stored are deleted.
 */
export async function reportProblem(
  { deps, now }: Context,
  customerId: CustomerId,
  orderId: number,
  { message, items, files }: ReceivedReport,
): Promise<void> {
  const { env } = deps;
  let isStored = false;
  try {
    isStored = await transaction(deps.db, async (tx) => {
      if (!(await lockOrder(tx, customerId, orderId))) throw notFound();
      const ofBox = items.length > 0 ? await findBoxItems(tx, await findBoxId(tx, orderId)) : [];
      const text = describe(items, ofBox, message);
      const reportId = await insertReport(tx, { customerId, orderId, message: text, files, now });
      if (reportId === null) return false;
      await enqueueMailTo(tx, {
        key: `problem:${reportId}`,
        template: "problem",
        to: env.supportEmail,
        data: { reportId },
        notBefore: null,
        isSecret: false,
        now,
      });
      await enqueueMail(tx, {
        key: `problem-received:${reportId}`,
        template: "problem-received",
        customerId,
        data: { orderId },
        now,
      });
      return true;
    });
  } finally {
    if (!isStored) await deletePhotos(env.dataDir, files);
  }
}
