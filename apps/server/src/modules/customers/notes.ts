import { transaction, type Tx } from "@marketday/db";
import { z } from "zod";

import { AppError, notFound } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { accountDeleted } from "../gift-cards/grant-credit.ts";
import { asCustomerId, type Context } from "../identity/context.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import type { ActionRow } from "../staff-actions/store.ts";
import { lockCustomer } from "./customer-sql.ts";
import { getStaffCustomer, type StaffCustomer } from "./staff-customer.ts";
import { insertNote, removeNote, restoreNote } from "./store.ts";

const Noted = z.object({ customerId: z.number(), noteId: z.number() });
type NoteAction = "add_customer_note" | "remove_customer_note";

/** The audit log has that there was a note, not its text: it is deleted with the account, and the log is kept. */
async function storeNoteAction(
  tx: Tx,
  ctx: Context,
  person: StaffCustomer,
  kind: NoteAction,
  noteId: number,
): Promise<number> {
  const [hubId] = person.permittedIds;
  const subject = `customer:${person.id}`;
  const actionId = await storeAction(tx, ctx, {
    hubId: hubId ?? null,
    deliveryId: null,
    subject,
    input: { customerId: person.id, noteId } satisfies z.infer<typeof Noted>,
    // An action without a market is read by the staff of all markets.
    summary: { kind, customerId: person.id, name: hubId == null ? "" : person.name },
  });
  const action = kind === "add_customer_note" ? "customers note" : "customers remove-note";
  await writeAuditEntry(tx, ctx, { action, subject, reason: "", data: { noteId, actionId } });
  return actionId;
}

/** Adds a note on a person. @returns the id of its action. @throws AppError 404; 403; 409 `deleted` */
export async function addNote(ctx: Context, id: number, text: string): Promise<number> {
  const person = await getStaffCustomer(ctx, id, "people.read");
  return transaction(ctx.deps.db, async (tx) => {
    // A deletion of the account waits, and deletes the note too; after one, there is no note.
    if ((await lockCustomer(tx, id))?.is_deleted !== false) throw accountDeleted();
    const { staffId } = person.actor;
    const note = await insertNote(tx, { customerId: person.customerId, staffId, text, now: ctx.now });
    return storeNoteAction(tx, ctx, person, "add_customer_note", note.id);
  });
}

/** Removes a note. @returns the id of its action. @throws AppError 404, also for one that is removed; 403; 409 `deleted` */
export async function takeNoteAway(ctx: Context, id: number, noteId: number): Promise<number> {
  const person = await getStaffCustomer(ctx, id, "people.read");
  return transaction(ctx.deps.db, async (tx) => {
    // As above: the action has the person's name.
    if ((await lockCustomer(tx, id))?.is_deleted !== false) throw accountDeleted();
    if (!(await removeNote(tx, person.customerId, noteId, ctx.now))) throw notFound();
    return storeNoteAction(tx, ctx, person, "remove_customer_note", noteId);
  });
}

/** Changes a note back, or refuses it with the reason. */
const reverseNote =
  (isChanged: (tx: Tx, noted: z.infer<typeof Noted>, now: Date) => Promise<boolean>, refusal: string) =>
  (ctx: Context, action: ActionRow, complete: (tx: Tx) => Promise<void>): Promise<void> =>
    transaction(ctx.deps.db, async (tx) => {
      if (!(await isChanged(tx, Noted.parse(action.input), ctx.now)))
        throw new AppError(409, refusal, { code: "conflict" });
      await writeAuditEntry(tx, ctx, {
        action: `${action.kind} undo`,
        subject: action.subject,
        reason: "",
        data: { actionId: action.id },
      });
      await complete(tx);
    });

/** Removes a note that was added. @throws AppError 409 `conflict` when it is removed */
export const reverseNoteAdded = reverseNote(
  (tx, { customerId, noteId }, now) => removeNote(tx, asCustomerId(customerId), noteId, now),
  "This note is removed already.",
);

/** Puts a note back that was removed. @throws AppError 409 `conflict` when it is there, or the account is deleted */
export const reverseNoteRemoved = reverseNote(
  (tx, { customerId, noteId }) => restoreNote(tx, asCustomerId(customerId), noteId),
  "This note is there again already, or the account was deleted.",
);
