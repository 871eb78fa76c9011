import { sqlTransaction } from "@marketday/db";

import { notFound } from "../../lib/app-error.ts";
import type { Context, CustomerId } from "../../lib/context.ts";
import { enqueueMail, enqueueMailTo } from "../mail/store.ts";
import { dropPhotos, keepPhotos, redraw } from "./photos.ts";
import { holdOrder, insertReport } from "./store.ts";

/** Photos are drawn one after the other, whoever sends them: a picture of 40 megapixels takes 160 MB while it is open. */
let drawing: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = drawing.then(work, work);
  drawing = mine.catch(() => undefined);
  return mine;
}

/**
 * Something is wrong with an order (decisions §11): kept with its photos, mailed to the market and confirmed. 404 for an
 * order that is not theirs; the same report twice within the hour is one.
 */
export async function reportProblem(
  { deps, now }: Context,
  customerId: CustomerId,
  orderId: number,
  { message, photos }: { message: string; photos: readonly Buffer[] },
): Promise<void> {
  const { env } = deps;
  const redrawn: Buffer[] = [];
  for (const bytes of photos) redrawn.push(await inTurn(() => redraw(bytes)));
  const files = await keepPhotos(env.dataDir, redrawn);
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
