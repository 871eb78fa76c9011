import { transaction, type Tx } from "@marketday/db";
import { INBOX_KINDS } from "@marketday/domain/inbox-turn";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { closeProblemIn } from "../problems/close-problem.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, hasNewerAction } from "../staff-actions/store.ts";
import { itemChanged, withCurrent } from "./conflict.ts";
import type { DetailRow } from "./item-sql.ts";
import { findAnyItem, getItem, type ItemRef, subjectOf } from "./scopes.ts";
import { nameInAction } from "./serialize.ts";
import { lockItem, reopenProblem, setClosed } from "./store.ts";

const Closing = z.object({
  kind: z.enum(INBOX_KINDS),
  id: z.number(),
  isClosed: z.boolean(),
  /** When the last words were written that the person decided about. */
  at: z.string(),
});

/** Words that are written later make an item open again. */
const isClosedNow = ({ closed_at: closedAt, at }: DetailRow): boolean => closedAt !== null && closedAt >= at;

interface Change {
  isClosed: boolean;
  reason: string;
  actionId: number;
}

/** Closes a locked item or opens it again, with its entry in the audit log. */
async function setState(tx: Tx, ctx: Context, which: ItemRef, { isClosed, reason, actionId }: Change): Promise<void> {
  if (which.kind === "problem") {
    if (isClosed) {
      await closeProblemIn(tx, ctx, which.id, { reason, actionId });
      return;
    }
    await reopenProblem(tx, which.id);
  } else await setClosed(tx, which, isClosed ? ctx.now : null);
  await writeAuditEntry(tx, ctx, {
    action: isClosed ? "inbox close" : "inbox reopen",
    subject: subjectOf(which),
    reason,
    data: { actionId },
  });
}

/**
 * Closes an item (no answer is needed; of a problem the outcome), or opens it again. It can be undone.
 * @returns the id of its action; null: it was so already
 * @throws AppError 404; 403; 400 a problem without an outcome; 409 `conflict` with the item as `current`
 */
export async function closeItem(
  ctx: Context,
  which: ItemRef,
  { isClosed, reason, expectedVersion }: { isClosed: boolean; reason: string; expectedVersion: string },
): Promise<number | null> {
  if (which.kind === "problem" && isClosed && reason === "")
    throw new AppError(400, "Say what came of it.", { code: "invalid", field: "reason" });
  const { db } = ctx.deps;
  await getItem(db, ctx, which, "inbox.reply");
  return withCurrent(ctx, which, () =>
    transaction(db, async (tx) => {
      await lockItem(tx, which);
      const item = await getItem(tx, ctx, which, "inbox.reply");
      if (isClosedNow(item) === isClosed) return null;
      if (item.version !== expectedVersion || item.pending_id !== null) throw itemChanged();
      const actionId = await storeAction(tx, ctx, {
        hubId: item.hub_id,
        deliveryId: null,
        subject: subjectOf(which),
        input: { ...which, isClosed, at: item.at.toISOString() } satisfies z.infer<typeof Closing>,
        summary: {
          kind: "inbox_close",
          item: which.kind,
          itemId: which.id,
          name: nameInAction(item),
          isClosed,
        },
      });
      await setState(tx, ctx, which, { isClosed, reason, actionId });
      return actionId;
    }),
  );
}

/**
 * Undoes a closing, or an opening.
 * @throws AppError 409 `changed_since` when more was written, it was closed or opened again or deleted since; `being_answered` while an
 * answer is held, which would be refused
 */
export async function reverseClose(
  ctx: Context,
  action: ActionRow,
  complete: (tx: Tx) => Promise<void>,
): Promise<void> {
  const { isClosed, at, ...which } = Closing.parse(action.input);
  await transaction(ctx.deps.db, async (tx) => {
    await lockItem(tx, which);
    const item = await findAnyItem(tx, which, ctx.now);
    if (item?.at.toISOString() !== at || isClosedNow(item) !== isClosed || (await hasNewerAction(tx, action)))
      throw new AppError(
        409,
        "More was written, or it was closed or opened again since, so this can no longer be undone.",
        {
          code: "changed_since",
        },
      );
    if (item.pending_id !== null)
      throw new AppError(409, "It is being answered. Undo the answer first, or wait until it is sent.", {
        code: "being_answered",
      });
    await setState(tx, ctx, which, { isClosed: !isClosed, reason: "Undone.", actionId: action.id });
    await complete(tx);
  });
}
