import { transaction, type Tx } from "@marketday/db";
import { MODERATED_KINDS, type ModeratedKind } from "@marketday/domain/inbox-turn";
import { z } from "zod";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { requireStaff } from "../identity/guards.ts";
import { storeAction } from "../staff-actions/store-action.ts";
import { type ActionRow, hasNewerAction } from "../staff-actions/store.ts";
import { itemChanged, withCurrent } from "./conflict.ts";
import { findAnyItem, getItem, subjectOf } from "./scopes.ts";
import { nameInAction } from "./serialize.ts";
import { lockItem, type Part, setHidden } from "./store.ts";

const Hidden = z.object({
  kind: z.enum(MODERATED_KINDS),
  id: z.number(),
  part: z.enum(["text", "answer"]),
  isHidden: z.boolean(),
  reason: z.string(),
  /** When the text was written that the person decided about. */
  at: z.string(),
});

interface Hide {
  part: Part;
  isHidden: boolean;
  reason: string;
  expectedVersion: string;
}

const writeHidden = (
  tx: Tx,
  ctx: Context,
  { kind, id, part, isHidden, reason }: Omit<z.infer<typeof Hidden>, "at">,
  actionId: number,
): Promise<number> =>
  writeAuditEntry(tx, ctx, {
    action: isHidden ? "inbox hide" : "inbox show",
    subject: subjectOf({ kind, id }),
    reason,
    data: { part, actionId },
  });

/**
 * Hides a text from all but its writer and the staff, for a reason, or shows it again. Triggers of the database tell the caches. It can be
 * undone.
 * @returns the id of its action; null: it was so already
 * @throws AppError 404; 403; 400 without a reason, or an answer of what has none; 409 `conflict` with the item as `current`
 */
export async function hideText(
  ctx: Context,
  which: { kind: ModeratedKind; id: number },
  { part, isHidden, reason, expectedVersion }: Hide,
): Promise<number | null> {
  const { staffId } = requireStaff(ctx.actor);
  if (isHidden && reason === "") throw new AppError(400, "Say why.", { code: "invalid", field: "reason" });
  if (part === "answer" && which.kind !== "question")
    throw new AppError(400, "Only a question has an answer.", { code: "invalid", field: "part" });
  const { db } = ctx.deps;
  await getItem(db, ctx, which, "moderation.write");
  return withCurrent(ctx, which, () =>
    transaction(db, async (tx) => {
      await lockItem(tx, which);
      const item = await getItem(tx, ctx, which, "moderation.write");
      const isNow = (part === "text" ? item.hidden : item.answer_hidden) !== null;
      if (isNow === isHidden) return null;
      if (item.version !== expectedVersion || item.pending_id !== null) throw itemChanged();
      if (!(await setHidden(tx, which, part, isHidden ? { at: ctx.now, by: staffId, reason } : null)))
        throw itemChanged();
      const hidden = { ...which, part, isHidden, reason, at: item.at.toISOString() } satisfies z.infer<typeof Hidden>;
      const actionId = await storeAction(tx, ctx, {
        hubId: item.hub_id,
        deliveryId: null,
        subject: subjectOf(which),
        input: hidden,
        summary: {
          kind: "moderate",
          item: which.kind,
          itemId: which.id,
          part,
          name: nameInAction(item),
          isHidden,
        },
      });
      await writeHidden(tx, ctx, hidden, actionId);
      return actionId;
    }),
  );
}

/**
 * Shows again what an action hid, or hides again what it showed.
 * @throws AppError 409 `changed_since` when someone decided about the text again since, or it was rewritten or deleted
 */
export async function reverseHide(ctx: Context, action: ActionRow, complete: (tx: Tx) => Promise<void>): Promise<void> {
  const hidden = Hidden.parse(action.input);
  const { staffId } = requireStaff(ctx.actor);
  const { kind, id, part } = hidden;
  const back = { kind, id, part, isHidden: !hidden.isHidden, reason: "Undone." };
  await transaction(ctx.deps.db, async (tx) => {
    await lockItem(tx, back);
    const item = await findAnyItem(tx, back, ctx.now);
    const hiding = back.isHidden ? { at: ctx.now, by: staffId, reason: back.reason } : null;
    if (
      item?.at.toISOString() !== hidden.at ||
      (await hasNewerAction(tx, action, part)) ||
      !(await setHidden(tx, back, part, hiding))
    )
      throw new AppError(
        409,
        "This text was hidden, shown, rewritten or deleted since, so this can no longer be undone.",
        {
          code: "changed_since",
        },
      );
    await writeHidden(tx, ctx, back, action.id);
    await complete(tx);
  });
}
