import type { Client, Tx } from "@marketday/db";
import type { InboxKind, ModeratedKind } from "@marketday/domain/inbox-turn";

import { lockRow } from "./item-sql.ts";
import type { ItemRef } from "./scopes.ts";

/** Locks an item, and what the staff does with it, until the transaction ends: what is read of it then stays true. */
export async function lockItem(tx: Tx, { kind, id }: ItemRef): Promise<void> {
  const key = { kind, item_id: id };
  await tx.inbox_state.upsert({
    where: { kind_item_id: key },
    create: key,
    // Changes nothing, but locks the row.
    update: { kind },
    select: { kind: true },
  });
  await lockRow(tx, { kind, id });
}

const put = async (
  tx: Tx,
  { kind, id }: ItemRef,
  data: { assignee_id?: number | null; closed_at?: Date | null; answered_at?: Date | null },
): Promise<void> => {
  await tx.inbox_state.update({
    where: { kind_item_id: { kind, item_id: id } },
    data,
    select: { kind: true },
  });
};
export const setAssignee = (tx: Tx, which: ItemRef, staffId: number | null) => put(tx, which, { assignee_id: staffId });
/** Closes an item that is locked, or opens it again (null). */
export const setClosed = (tx: Tx, which: ItemRef, at: Date | null) => put(tx, which, { closed_at: at });
export const setAnswered = (tx: Tx, which: ItemRef, at: Date) => put(tx, which, { answered_at: at });

/** Opens a closed report again. False: it is open, or was deleted. */
export const reopenProblem = async (tx: Tx, id: number): Promise<boolean> =>
  (
    await tx.problem_report.updateMany({
      where: { id, status: "closed" },
      data: { status: "open", closed_at: null },
    })
  ).count === 1;

interface NewReply {
  kind: InboxKind;
  id: number;
  staffId: number | null;
  text: string;
  actionId: number | null;
  now: Date;
}

/** Stores an answer of the staff; null: the action has answered already. */
export async function insertReply(
  tx: Tx,
  { kind, id, staffId, text, actionId, now }: NewReply,
): Promise<number | null> {
  const [reply] = await tx.inbox_reply.createManyAndReturn({
    data: [{ kind, item_id: id, staff_id: staffId, text, action_id: actionId, created_at: now }],
    skipDuplicates: true,
    select: { id: true },
  });
  return reply?.id ?? null;
}

/** Whether an action has answered. */
export const hasReplied = async (db: Client, actionId: number): Promise<boolean> =>
  (await db.inbox_reply.count({ where: { action_id: actionId } })) > 0;

export interface ReplyForMail {
  kind: string;
  text: string;
}
export const findReplyForMail = (db: Client, id: number): Promise<ReplyForMail | null> =>
  db.inbox_reply.findUnique({ where: { id }, select: { kind: true, text: true } });

/** A text that can be hidden: its own, or the answer to a question. */
export type Part = "text" | "answer";
export interface Hiding {
  at: Date;
  by: number;
  reason: string;
}

/** Hides a text, or shows it again (null). False: it is so already, or was deleted. */
export async function setHidden(
  tx: Tx,
  { kind, id }: { kind: ModeratedKind; id: number },
  part: Part,
  hiding: Hiding | null,
): Promise<boolean> {
  const own = {
    hidden_at: hiding?.at ?? null,
    hidden_by: hiding?.by ?? null,
    hidden_reason: hiding?.reason ?? "",
  };
  const where = { id, hidden_at: hiding ? null : { not: null } };
  if (part === "answer") {
    const { count } = await tx.question.updateMany({
      where: { id, answer: { not: null }, answer_hidden_at: hiding ? null : { not: null } },
      data: {
        answer_hidden_at: own.hidden_at,
        answer_hidden_by: own.hidden_by,
        answer_hidden_reason: own.hidden_reason,
      },
    });
    return count === 1;
  }
  switch (kind) {
    case "question":
      return (await tx.question.updateMany({ where, data: own })).count === 1;
    case "review":
      return (await tx.review.updateMany({ where, data: own })).count === 1;
    case "endorsement":
      return (await tx.endorsement.updateMany({ where, data: own })).count === 1;
  }
}

const people = { id: true, name: true, grants: { select: { role: true, hub_id: true } } } as const;
export interface PersonRow {
  id: number;
  name: string;
  grants: { role: string; hub_id: number | null }[];
}
/** The people of the staff by name. */
export const findPeople = (db: Client): Promise<PersonRow[]> =>
  db.staff.findMany({ where: { disabled_at: null }, select: people, orderBy: [{ name: "asc" }, { id: "asc" }] });
export const findPerson = (db: Client, id: number): Promise<PersonRow | null> =>
  db.staff.findFirst({ where: { id, disabled_at: null }, select: people });

const shownTemplate = { id: true, name: true, text: true, version: true } as const;
interface TemplateRow {
  id: number;
  name: string;
  text: string;
  version: number;
}
export const findTemplates = (db: Client): Promise<TemplateRow[]> =>
  db.reply_template.findMany({ select: shownTemplate, orderBy: { name: "asc" } });
export const findTemplate = (tx: Client, id: number): Promise<TemplateRow | null> =>
  tx.reply_template.findUnique({ where: { id }, select: shownTemplate });
/** Null: another one has the name. */
export async function insertTemplate(
  tx: Tx,
  { name, text, now }: { name: string; text: string; now: Date },
): Promise<TemplateRow | null> {
  const [row] = await tx.reply_template.createManyAndReturn({
    data: [{ name, text, updated_at: now }],
    skipDuplicates: true,
    select: shownTemplate,
  });
  return row ?? null;
}
export const findTemplateNamed = (tx: Client, name: string): Promise<TemplateRow | null> =>
  tx.reply_template.findUnique({ where: { name }, select: shownTemplate });
/** Null: it is not in this version any more. */
export async function updateTemplate(
  tx: Tx,
  { id, version }: Pick<TemplateRow, "id" | "version">,
  { name, text, now }: { name: string; text: string; now: Date },
): Promise<TemplateRow | null> {
  const [row] = await tx.reply_template.updateManyAndReturn({
    where: { id, version },
    data: { name, text, updated_at: now, version: { increment: 1 } },
    select: shownTemplate,
  });
  return row ?? null;
}
/** False: it is not in this version any more. */
export const removeTemplate = async (tx: Tx, { id, version }: Pick<TemplateRow, "id" | "version">): Promise<boolean> =>
  (await tx.reply_template.deleteMany({ where: { id, version } })).count === 1;

/** The file of a photo of a report; null: the report has no such photo. */
export const findPhotoFile = async (db: Client, reportId: number, photo: string): Promise<string | null> =>
  (await db.problem_photo.findFirst({ where: { id: photo, report_id: reportId }, select: { file: true } }))?.file ??
  null;
