import type { Tx } from "@marketday/db";
import { z } from "zod";

import type { Context } from "../identity/context.ts";
import type { ActionRow } from "../staff-actions/store.ts";
import { undoPayments } from "./undo-payment.ts";

const Recorded = z.object({ orderIds: z.array(z.number()), payments: z.array(z.object({ id: z.string() })) });

/** In the audit log. */
const REASON = "Recorded by mistake at the door.";

/**
 * Undoes the payments at the door that an action recorded, all or none (`undoPayments`). What was undone before, and what another action
 * recorded for the same boxes, is another payment and stays as it is.
 * @throws AppError as `undoPayments`: 409 `paid_out` once a vendor was paid
 */
export async function reverseRecording(
  ctx: Context,
  action: ActionRow,
  complete: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { orderIds, payments } = Recorded.parse(action.input);
  await undoPayments(ctx, orderIds, REASON, false, { paymentIds: payments.map(({ id }) => id), complete });
}
