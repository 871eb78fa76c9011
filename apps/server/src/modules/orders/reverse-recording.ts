import type { Tx } from "@marketday/db";
import { z } from "zod";

import type { Context } from "../identity/context.ts";
import { type ActionRow, findNewer } from "../staff-actions/store.ts";
import { undoPayments } from "./undo-payment.ts";

const Recorded = z.object({ orderIds: z.array(z.number()) });

/** In the audit log. */
const REASON = "Recorded by mistake at the door.";

/**
 * Undoes the payments at the door that an action recorded, all or none (`undoPayments`). Boxes that a newer action recorded, because they
 * were due again meanwhile, are left to it.
 * @throws AppError as `undoPayments`: 409 `paid_out` once a vendor was paid
 */
export async function reverseRecording(
  ctx: Context,
  action: ActionRow,
  complete: (tx: Tx) => Promise<void>,
): Promise<void> {
  const newer = new Set((await findNewer(ctx.deps.db, action)).flatMap(({ input }) => Recorded.parse(input).orderIds));
  const orderIds = Recorded.parse(action.input).orderIds.filter((id) => !newer.has(id));
  await undoPayments(ctx, orderIds, REASON, false, complete);
}
