import type { Customer } from "@marketday/contracts/admin/customers";
import { transaction, type Tx } from "@marketday/db";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { accountDeleted } from "../gift-cards/grant-credit.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, findNewestAction, isSuperseded } from "../staff-actions/store.ts";
import { setStatus } from "../subscriptions/store.ts";
import { AUTO_CHECKOUT_NAMES, AUTO_CHECKOUT_STATUS } from "./auto-checkout-names.ts";
import { lockCustomer } from "./customer-sql.ts";
import { readCustomer } from "./read-customers.ts";
import { getShopperOf } from "./staff-customer.ts";

type Name = Customer["autoCheckout"];
const Name = z.enum(["off", "cart", "subscriptions"]);
const Paused = z.object({ customerId: z.number(), from: Name, to: Name, expectedVersion: z.string() });

/**
 * Sets what auto-checkout orders for a person, as their own switch does, at once; "off" pauses all automatic orders.
 * @returns the id of its action
 * @throws AppError 404; 403; 409 `deleted`, `conflict` with the person as `current` when someone changed it meanwhile
 */
export async function setAutoCheckout(
  ctx: Context,
  id: number,
  { autoCheckout: to, expectedVersion }: { autoCheckout: Name; expectedVersion: string },
): Promise<number> {
  const { deps } = ctx;
  const person = await getShopperOf(ctx, id, "orders.adjust");
  const subject = `customer:${id}`;
  const actionId = await transaction(deps.db, async (tx) => {
    const before = await lockCustomer(tx, id);
    if (!before || before.is_deleted) throw accountDeleted();
    if (before.version !== expectedVersion) return null;
    const from = AUTO_CHECKOUT_NAMES[before.auto_checkout_status] ?? "off";
    await setStatus(tx, person.customerId, AUTO_CHECKOUT_STATUS[to]);
    const stored = await storeAction(tx, ctx, {
      hubId: person.hub.id,
      deliveryId: null,
      subject,
      input: { customerId: id, from, to, expectedVersion } satisfies z.infer<typeof Paused>,
      summary: { kind: "set_auto_checkout", customerId: id, name: person.name, from, to },
    });
    await writeAuditEntry(tx, ctx, {
      action: "customers pause",
      subject,
      reason: "",
      data: { from, to, actionId: stored },
    });
    return stored;
  });
  if (actionId !== null) return actionId;
  // Repeated by the same person, whose first answer was lost.
  const newest = await findNewestAction(deps.db, "set_auto_checkout", subject);
  const before = newest && Paused.parse(newest.input);
  if (
    newest?.state === "done" &&
    newest.staff.id === person.actor.staffId &&
    before?.to === to &&
    before.expectedVersion === expectedVersion
  )
    return newest.id;
  throw new AppError(
    409,
    "This person’s automatic orders were changed in the meantime. Nothing was done. Look at them again.",
    { code: "conflict", current: await readCustomer(ctx, id) },
  );
}

/** Puts auto-checkout back. @throws AppError 409 `conflict` when someone changed it since; `deleted` */
export const reversePause = (ctx: Context, action: ActionRow, complete: (tx: Tx) => Promise<void>): Promise<void> =>
  transaction(ctx.deps.db, async (tx) => {
    const { customerId, from, to } = Paused.parse(action.input);
    const now = await lockCustomer(tx, customerId);
    if (!now || now.is_deleted)
      throw new AppError(409, "This account is deleted, so there is nothing to undo.", { code: "deleted" });
    if (now.auto_checkout_status !== AUTO_CHECKOUT_STATUS[to] || (await isSuperseded(tx, action)))
      throw new AppError(409, "It was changed in the meantime, so there is nothing to undo.", { code: "conflict" });
    await setStatus(tx, asCustomerId(customerId), AUTO_CHECKOUT_STATUS[from]);
    await writeAuditEntry(tx, ctx, {
      action: "set_auto_checkout undo",
      subject: action.subject,
      reason: "",
      data: { from: to, to: from, actionId: action.id },
    });
    await complete(tx);
  });
