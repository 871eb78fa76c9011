import type { Tx } from "@marketday/db";
import { dateFromUtc } from "@marketday/domain/calendar-date";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, findNewestAction, isSuperseded } from "../staff-actions/store.ts";
import { skip } from "../subscriptions/change.ts";
import { readBoxes } from "./read-customers.ts";
import { getShopperOf } from "./staff-customer.ts";
import { findDelivery, findPerson, isSkipping } from "./store.ts";

const Skipped = z.object({
  customerId: z.number(),
  hubId: z.number(),
  deliveryId: z.number(),
  day: z.string(),
  isSkipped: z.boolean(),
});
type Skipped = z.infer<typeof Skipped>;

/** In the transaction of a skip: the day is so already, or was changed since the action to undo. It is rolled back. */
class SoAlready extends Error {}

/** Skips a day by the shopper's own function. False: it is so already, or was changed since `undone`. */
async function skipOnce(
  ctx: Context,
  { customerId, hubId, deliveryId, day, isSkipped }: Skipped,
  write: (tx: Tx) => Promise<void>,
  undone?: ActionRow,
): Promise<boolean> {
  const own = asCustomerId(customerId);
  try {
    await skip(ctx, own, hubId, day, isSkipped, {
      async before(tx) {
        if ((await isSkipping(tx, own, deliveryId)) === isSkipped) throw new SoAlready();
        if (undone && (await isSuperseded(tx, undone))) throw new SoAlready();
      },
      after: write,
    });
    return true;
  } catch (error) {
    if (error instanceof SoAlready) return false;
    throw error;
  }
}

/**
 * Skips a delivery day for a person, or takes it back, as their own page does, at once.
 * @returns the id of its action
 * @throws AppError 404; 403; 409 `deleted`, `conflict` with the person's boxes as `current` when it is so already; 422 `no_delivery` when
 * the day takes no more orders
 */
export async function skipFor(ctx: Context, id: number, deliveryId: number, isSkipped: boolean): Promise<number> {
  const person = await getShopperOf(ctx, id, "orders.adjust");
  const delivery = await findDelivery(ctx.deps.db, deliveryId, person.hub.id);
  if (!delivery) throw notFound();
  const subject = `customer:${id}`;
  const day = dateFromUtc(delivery.day);
  const change: Skipped = { customerId: id, hubId: person.hub.id, deliveryId, day, isSkipped };
  let actionId: number | null = null;
  await skipOnce(ctx, change, async (tx) => {
    actionId = await storeAction(tx, ctx, {
      hubId: person.hub.id,
      deliveryId,
      subject,
      input: change,
      summary: { kind: "skip_delivery", customerId: id, name: person.name, day, isSkipped },
    });
    await writeAuditEntry(tx, ctx, {
      action: "customers skip",
      subject,
      reason: "",
      data: { deliveryId, day, isSkipped, actionId },
    });
  });
  if (actionId !== null) return actionId;
  // Repeated by the same person, whose first answer was lost.
  const newest = await findNewestAction(ctx.deps.db, "skip_delivery", subject);
  const before = newest && Skipped.parse(newest.input);
  if (
    newest?.state === "done" &&
    newest.staff.id === person.actor.staffId &&
    before?.deliveryId === deliveryId &&
    before.isSkipped === isSkipped
  )
    return newest.id;
  throw new AppError(
    409,
    isSkipped ? "This day is skipped already. Nothing was done." : "This day is not skipped. Nothing was done.",
    { code: "conflict", current: await readBoxes(ctx, id) },
  );
}

/** Puts a day back. @throws AppError 409 `conflict` when it is so already; `deleted`; 422 `no_delivery` after the cutoff */
export async function reverseSkip(ctx: Context, action: ActionRow, complete: (tx: Tx) => Promise<void>): Promise<void> {
  const change = Skipped.parse(action.input);
  const person = await findPerson(ctx.deps.db, change.customerId);
  if (!person || person.isDeleted)
    throw new AppError(409, "This account is deleted, so there is nothing to undo.", { code: "deleted" });
  if (person.hub?.id !== change.hubId)
    throw new AppError(409, "This person has chosen another market since, so there is nothing to undo.", {
      code: "conflict",
    });
  const isUndone = await skipOnce(
    ctx,
    { ...change, isSkipped: !change.isSkipped },
    async (tx) => {
      await writeAuditEntry(tx, ctx, {
        action: "skip_delivery undo",
        subject: action.subject,
        reason: "",
        data: {
          deliveryId: change.deliveryId,
          day: change.day,
          isSkipped: !change.isSkipped,
          actionId: action.id,
        },
      });
      await complete(tx);
    },
    action,
  );
  if (!isUndone)
    throw new AppError(409, "It was changed in the meantime, so there is nothing to undo.", { code: "conflict" });
}
