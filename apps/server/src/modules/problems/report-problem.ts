import { sqlTransaction } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { enqueueMail, enqueueMailTo } from "../mail/store.ts";
import { dropPhotos } from "./photos.ts";
import type { ReceivedReport } from "./receive-report.ts";
import { holdOrder, insertReport } from "./store.ts";

/**
 * Something is wrong with an order (docs/product.md §11): kept with its photos, mailed to the market and confirmed. 404 for an
 * order that is not theirs; the same report twice within the hour is one. Photos of a report that is not kept are removed.
 */
export async function reportProblem(
  { deps, now }: Context,
  customerId: CustomerId,
  orderId: number,
  { message, files }: ReceivedReport,
): Promise<void> {
  const { env } = deps;
  let isKept = false;
  try {
    isKept = await sqlTransaction(deps.db, async (tx) => {
      if (!(await holdOrder(tx, customerId, orderId))) throw notFound();
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
    if (!isKept) await dropPhotos(env.dataDir, files);
  }
}
