import { transaction, type Tx } from "@marketday/db";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import { actorName, writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { enqueueMail } from "../mail/mail-sql.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, findPending } from "../staff-actions/store.ts";
import { boxConflict } from "./box-conflict.ts";
import { findBoxOrders } from "./box-store.ts";
import { getStaffOrder } from "./find-staff-order.ts";
import { lockBox } from "./lock-box.ts";
import { countNotes, findNote, insertNote, type NoteKind, type NoteRow, NOTES_MAX, updateNote } from "./note-store.ts";
import type { StaffOrder } from "./staff-order-store.ts";

/** The input of the action. Deleting the account empties `before`. */
const Written = z.object({
  orderId: z.number(),
  noteId: z.number(),
  /** After the change. */
  version: z.number(),
  change: z.enum(["added", "edited", "removed"]),
  /** The text before an edit. */
  before: z.string().optional(),
});
const Sent = z.object({ orderId: z.number(), noteId: z.number() });

const AUDIT = { added: "orders note", edited: "orders note edit", removed: "orders note remove" } as const;

/** Stores the action of a note with its audit entry, which has no text: the log is kept for good. */
async function storeWritten(
  ctx: Context,
  tx: Tx,
  order: StaffOrder,
  note: NoteRow,
  change: z.infer<typeof Written>["change"],
  before?: string,
): Promise<number> {
  const subject = `order:${order.boxId}`;
  const actionId = await storeAction(tx, ctx, {
    hubId: order.hub.id,
    deliveryId: order.deliveryId,
    subject,
    input: {
      orderId: order.boxId,
      noteId: note.id,
      version: change === "added" ? 1 : note.version + 1,
      change,
      ...(before !== undefined && { before }),
    },
    summary: { kind: "write_note", orderId: order.boxId, name: order.name, note: note.kind as NoteKind, change },
  });
  await writeAuditEntry(tx, ctx, {
    action: AUDIT[change],
    subject,
    reason: "",
    data: { actionId, noteId: note.id, kind: note.kind },
  });
  return actionId;
}

/** Holds the mail of a note for the shopper. @throws AppError 409 `no_customer` */
async function holdMail(ctx: Context, tx: Tx, order: StaffOrder, noteId: number): Promise<number> {
  const subject = `order:${order.boxId}`;
  const input = { orderId: order.boxId, noteId };
  const held = await findPending(tx, "send_note", [subject], input);
  if (held) return held.id;
  return storeAction(tx, ctx, {
    hubId: order.hub.id,
    deliveryId: order.deliveryId,
    subject,
    input,
    summary: { kind: "send_note", orderId: order.boxId, name: order.name },
  });
}

const noCustomer = () =>
  new AppError(409, "The account of this order was deleted, so only the staff can get a note.", {
    code: "no_customer",
  });

/** The order of a box, read under the box's lock, so that a deletion of its account is before or after, and the ids of the box's orders. */
async function lockNoted(ctx: Context, tx: Tx, orderId: number): Promise<{ order: StaffOrder; orderIds: number[] }> {
  await lockBox(tx, orderId, null);
  const order = await getStaffOrder(ctx, orderId, "orders.adjust", tx);
  return { order, orderIds: (await findBoxOrders(tx, [orderId])).map(({ id }) => id) };
}

/**
 * Notes something about a box: for the staff, for the driver (on the sheets), or for the shopper (on the order's page and, with `isMailed`,
 * in a mail that is held) (docs/product.md §18).
 * @returns the ids of its actions: of the note, and of the mail
 * @throws AppError 404; 403; 409 `no_customer`; 422 `too_many_notes`
 */
export async function addNote(
  ctx: Context,
  orderId: number,
  { kind, text, isMailed }: { kind: NoteKind; text: string; isMailed: boolean },
): Promise<number[]> {
  return transaction(ctx.deps.db, async (tx) => {
    const { order, orderIds } = await lockNoted(ctx, tx, orderId);
    if (order.customerId === null && kind !== "inside") throw noCustomer();
    if ((await countNotes(tx, orderIds)) >= NOTES_MAX)
      throw new AppError(422, `An order has at most ${NOTES_MAX} notes. Remove one first.`, {
        code: "too_many_notes",
        field: "text",
      });
    const note = await insertNote(tx, {
      orderId: order.boxId,
      customerId: order.customerId,
      kind,
      text,
      by: actorName(ctx.actor),
      now: ctx.now,
    });
    const ids = [await storeWritten(ctx, tx, order, note, "added")];
    if (kind === "shopper" && isMailed) ids.push(await holdMail(ctx, tx, order, note.id));
    return ids;
  });
}

/** The version of the note is another one. */
class NoteChanged extends Error {}

/** Runs a change of a note; one that was changed meanwhile is 409 with the box. */
async function changeNote(
  ctx: Context,
  orderId: number,
  noteId: number,
  expectedVersion: number,
  change: (tx: Tx, order: StaffOrder, note: NoteRow) => Promise<number>,
): Promise<number> {
  try {
    return await transaction(ctx.deps.db, async (tx) => {
      const { order, orderIds } = await lockNoted(ctx, tx, orderId);
      const note = await findNote(tx, noteId, orderIds);
      if (!note) throw notFound();
      if (note.version !== expectedVersion || note.removed_at !== null) throw new NoteChanged();
      return change(tx, order, note);
    });
  } catch (error) {
    if (error instanceof NoteChanged) throw await boxConflict(ctx, orderId);
    throw error;
  }
}

/** Changes the text of a note. @returns the id of its action. @throws AppError 404; 403; 409 `conflict` with the box as `current` */
export const editNote = (
  ctx: Context,
  orderId: number,
  noteId: number,
  { text, expectedVersion }: { text: string; expectedVersion: number },
): Promise<number> =>
  changeNote(ctx, orderId, noteId, expectedVersion, async (tx, order, note) => {
    if (!(await updateNote(tx, note, { text, edited_at: ctx.now }))) throw new NoteChanged();
    return storeWritten(ctx, tx, order, note, "edited", note.text);
  });

/** Removes a note. @returns the id of its action. @throws AppError 404; 403; 409 `conflict` with the box as `current` */
export const removeNote = (
  ctx: Context,
  orderId: number,
  noteId: number,
  { expectedVersion }: { expectedVersion: number },
): Promise<number> =>
  changeNote(ctx, orderId, noteId, expectedVersion, async (tx, order, note) => {
    if (!(await updateNote(tx, note, { removed_at: ctx.now }))) throw new NoteChanged();
    return storeWritten(ctx, tx, order, note, "removed");
  });

/** Holds the mail of a note for the shopper again. @returns the id of its action. @throws AppError 404; 403; 409 `conflict`, `no_customer` */
export const sendNote = (
  ctx: Context,
  orderId: number,
  noteId: number,
  { expectedVersion }: { expectedVersion: number },
): Promise<number> =>
  changeNote(ctx, orderId, noteId, expectedVersion, (tx, order, note) => {
    if (note.kind !== "shopper" || order.customerId === null) throw noCustomer();
    return holdMail(ctx, tx, order, note.id);
  });

/** Undoes what was done to a note. @throws AppError 409 `changed_since` when it was changed again, or its account was deleted */
export async function reverseNote(ctx: Context, action: ActionRow, complete: (tx: Tx) => Promise<void>): Promise<void> {
  const { orderId, noteId, version, change, before } = Written.parse(action.input);
  await transaction(ctx.deps.db, async (tx) => {
    const { orderIds } = await lockNoted(ctx, tx, orderId);
    const note = await findNote(tx, noteId, orderIds);
    const undo =
      change === "added"
        ? { removed_at: ctx.now }
        : change === "removed"
          ? { removed_at: null }
          : before === undefined
            ? null
            : { text: before };
    if (!note || undo === null || note.version !== version || !(await updateNote(tx, note, undo)))
      throw new AppError(409, "This note was changed again since, so this can no longer be undone.", {
        code: "changed_since",
      });
    await writeAuditEntry(tx, ctx, {
      action: "orders note undo",
      subject: action.subject,
      reason: "",
      data: { actionId: action.id, noteId },
    });
    await complete(tx);
  });
}

/** Sends the held mail of a note, once. @throws AppError 409 `note_removed`, `no_customer` */
export async function runNoteMail(ctx: Context, { id, input }: ActionRow): Promise<null> {
  const { orderId, noteId } = Sent.parse(input);
  await transaction(ctx.deps.db, async (tx) => {
    const { order, orderIds } = await lockNoted(ctx, tx, orderId);
    const note = await findNote(tx, noteId, orderIds);
    if (!note || note.removed_at !== null)
      throw new AppError(409, "The note was removed, so it was not sent.", { code: "note_removed" });
    if (order.customerId === null) throw noCustomer();
    const key = `order-note:${id}`;
    if ((await tx.mail.count({ where: { key } })) > 0) return;
    await enqueueMail(tx, {
      key,
      template: "order-note",
      customerId: order.customerId,
      data: { orderId: order.boxId },
      now: ctx.now,
    });
    await writeAuditEntry(tx, ctx, {
      action: "orders note send",
      subject: `order:${order.boxId}`,
      reason: "",
      data: { actionId: id, noteId },
    });
  });
  return null;
}

/** Whether the mail of a note is written. */
export const isNoteMailBegun = async ({ deps }: Context, { id }: ActionRow): Promise<boolean> =>
  (await deps.db.mail.count({ where: { key: `order-note:${id}` } })) > 0;
