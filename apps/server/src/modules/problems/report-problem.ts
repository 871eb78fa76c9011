import { transaction } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../identity/context.ts";
import { enqueueMail, enqueueMailTo } from "../mail/store.ts";
import { deletePhotos } from "./photos.ts";
import type { ReceivedReport } from "./receive-report.ts";
import { insertReport, lockOrder } from "./store.ts";

/**
 * Stores a problem report with its photos, mails it to the market and confirms it (docs/product.md §11). 404 for another customer's
 * order. The same report twice within the hour is one; photos of a report that is not stored are deleted.
 */
export async function reportProblem(
  { deps, now }: Context,
  customerId: CustomerId,
  orderId: number,
  { message, files }: ReceivedReport,
): Promise<void> {
  const { env } = deps;
  let isStored = false;
  try {
    isStored = await transaction(deps.db, async (tx) => {
      if (!(await lockOrder(tx, customerId, orderId))) throw notFound();
      const reportId = await insertReport(tx, { customerId, orderId, message, files, now });
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
