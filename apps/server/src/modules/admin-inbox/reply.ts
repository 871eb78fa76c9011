import { transaction } from "@marketday/db";
import type { InboxKind } from "@marketday/domain/inbox-turn";
import { cleanText } from "@marketday/domain/text";

import { AppError } from "../../lib/app-error.ts";
import { answerForVendor } from "../answers/answer-for-vendor.ts";
import type { Subject } from "../answers/store.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { enqueueMailTo } from "../mail/mail-sql.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import type { ActionRow } from "../staff-actions/store.ts";
import { findPending } from "../staff-actions/store.ts";
import { itemChanged, withCurrent } from "./conflict.ts";
import { HeldReply } from "./reply-input.ts";
import { getItem, type ItemRef, subjectOf } from "./scopes.ts";
import { nameInAction, replyMax } from "./serialize.ts";
import { hasReplied, insertReply, lockItem, setAnswered } from "./store.ts";

/** Kinds whose answer goes out as the vendor's (`market inbox reply`). */
const VENDOR_SUBJECTS: Partial<Record<InboxKind, Subject>> = {
  message: "thread",
  question: "question",
  review: "review",
};

const cannotAnswer = ({ kind, id }: ItemRef) =>
  new AppError(409, `There is no ${kind} ${id} that waits for an answer.`, { code: "answered" });

/**
 * Holds an answer of the market: `runReply` sends it unless it is undone before (docs/product.md §18). The same text of the same person that
 * is held already is the answer to a second request.
 * @returns the id of its action
 * @throws AppError 404; 403; 400 too long; 409 `conflict` with the item as `current` when it is not as the person sees it
 */
export async function holdReply(
  ctx: Context,
  which: ItemRef,
  { text: typed, expectedVersion }: { text: string; expectedVersion: string },
): Promise<number> {
  const { actor, deps } = ctx;
  const text = cleanText(typed);
  const most = replyMax(which.kind);
  if (text === "" || text.length > most)
    throw new AppError(400, `Say something, in at most ${most} characters.`, { code: "invalid", field: "text" });
  await getItem(deps.db, ctx, which, "inbox.reply");
  return withCurrent(ctx, which, () =>
    transaction(deps.db, async (tx) => {
      await lockItem(tx, which);
      const item = await getItem(tx, ctx, which, "inbox.reply");
      const subject = subjectOf(which);
      const held = await findPending(tx, "inbox_reply", [subject]);
      if (held) {
        const input = HeldReply.parse(held.input);
        if (actor.type === "staff" && held.staff.id === actor.staffId && input.text === text) return held.id;
        throw itemChanged();
      }
      if (item.version !== expectedVersion) throw itemChanged();
      if (which.kind === "endorsement" || item.hidden_at !== null || (which.kind === "question" && item.is_answered))
        throw cannotAnswer(which);
      return storeAction(tx, ctx, {
        hubId: item.hub_id,
        deliveryId: null,
        subject,
        input: { ...which, text, version: item.version } satisfies (typeof HeldReply)["_output"],
        summary: {
          kind: "inbox_reply",
          item: which.kind,
          itemId: which.id,
          name: nameInAction(item),
          isPublic: which.kind === "question",
        },
      });
    }),
  );
}

/**
 * Sends a held answer, once: it is stored with the id of its action.
 * @throws AppError 409 when the vendor has answered, more was written, or it was closed or hidden meanwhile; 404 when it is gone
 */
export async function runReply(ctx: Context, action: ActionRow): Promise<null> {
  const { kind, id, text, version } = HeldReply.parse(action.input);
  const which = { kind, id };
  const staffId = action.staff.id;
  const reply = { ...which, staffId, text, actionId: action.id, now: ctx.now };
  const subject = VENDOR_SUBJECTS[kind];
  const requireSame = async (tx: Parameters<typeof lockItem>[0]) => {
    await lockItem(tx, which);
    const item = await getItem(tx, ctx, which, "inbox.reply");
    if (item.version !== version)
      throw new AppError(409, "it was answered or changed meanwhile. Your text is in its answer box.", {
        code: "answered",
      });
    return item;
  };
  if (subject) {
    await answerForVendor(ctx, { subject, subjectId: id }, text, {
      actionId: action.id,
      begin: async (tx) => {
        if (await hasReplied(tx, action.id)) return false;
        await requireSame(tx);
        await insertReply(tx, reply);
        await setAnswered(tx, which, ctx.now);
        return true;
      },
    });
    return null;
  }
  await transaction(ctx.deps.db, async (tx) => {
    if (await hasReplied(tx, action.id)) return;
    const item = await requireSame(tx);
    if (item.email === "") throw new AppError(409, "there is no address to send to.", { code: "no_customer" });
    const replyId = await insertReply(tx, reply);
    await setAnswered(tx, which, ctx.now);
    await enqueueMailTo(tx, {
      key: `inbox-reply:${replyId}`,
      template: "inbox-reply",
      to: item.email,
      data: { replyId },
      notBefore: null,
      isSecret: false,
      now: ctx.now,
    });
    await writeAuditEntry(tx, ctx, {
      action: "inbox reply",
      subject: subjectOf(which),
      reason: "",
      data: { characters: text.length, actionId: action.id },
    });
  });
  return null;
}

/** Whether a held answer was sent. */
export const isReplyBegun = ({ deps }: Context, { id }: ActionRow): Promise<boolean> => hasReplied(deps.db, id);
