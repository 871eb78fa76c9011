import type { Client, Tx } from "@marketday/db";

export type NoteKind = "inside" | "driver" | "shopper";

/** Most notes of a box. */
export const NOTES_MAX = 30;

const shown = { id: true, order_id: true, kind: true, text: true, removed_at: true, version: true } as const;

/** A note of one of these orders; null: there is none. */
export const findNote = (db: Client, id: number, orderIds: readonly number[]) =>
  db.order_note.findFirst({ where: { id, order_id: { in: [...orderIds] } }, select: shown });
export type NoteRow = NonNullable<Awaited<ReturnType<typeof findNote>>>;

export const countNotes = (db: Client, orderIds: readonly number[]): Promise<number> =>
  db.order_note.count({ where: { order_id: { in: [...orderIds] }, removed_at: null } });

interface NewNote {
  orderId: number;
  customerId: number | null;
  kind: NoteKind;
  text: string;
  by: string;
  now: Date;
}
export const insertNote = (tx: Tx, { orderId, customerId, kind, text, by, now }: NewNote) =>
  tx.order_note.create({
    data: { order_id: orderId, customer_id: customerId, kind, text, by, created_at: now },
    select: shown,
  });

/** Changes a note of this version, and raises it. False: it was changed meanwhile. */
export async function updateNote(
  tx: Tx,
  { id, version }: Pick<NoteRow, "id" | "version">,
  data: { text?: string; removed_at?: Date | null; edited_at?: Date },
): Promise<boolean> {
  const { count } = await tx.order_note.updateMany({
    where: { id, version },
    data: { ...data, version: version + 1 },
  });
  return count === 1;
}
