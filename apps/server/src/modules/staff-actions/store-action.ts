import type { ActionSummary } from "@marketday/contracts/admin/actions";
import type { AnyTx } from "@marketday/db";
import { STAFF_ACTION_HOLD_MS, type StaffActionKind } from "@marketday/domain/staff-actions";
import { addMs } from "@marketday/domain/time";

import { AppError } from "../../lib/app-error.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { insertAction } from "./action-sql.ts";

/** An action of a person of the staff. */
interface NewAction<Kind extends StaffActionKind> {
  /** Null: of all markets. */
  hubId: number | null;
  /** Null: of no delivery day. */
  deliveryId: number | null;
  /** As in the audit log: "order:123456789". */
  subject: string;
  /** What its kind gets when it is done or undone (`kinds.ts`). */
  input: object;
  summary: Extract<ActionSummary, { kind: Kind }>;
}

/** Texts of a summary that are about goods or mails. Others may be about a person, and the audit log is kept for good. */
const AUDITED_TEXTS = new Set(["title", "template"]);
/** What the audit log has of a summary: numbers, and no personal data. */
const factsOf = (summary: ActionSummary): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(summary).filter(([key, value]) => typeof value !== "string" || AUDITED_TEXTS.has(key)),
  );

/**
 * Stores what a person of the staff does, in the transaction of its checks: one that leaves the market is held, and `runDueActions` does it
 * unless it is undone before; any other has been done (docs/product.md §18). A held one gets its audit entry here; the entries of any
 * other name it by `actionId`.
 * @returns its id
 */
export async function storeAction<Kind extends StaffActionKind>(
  tx: AnyTx,
  { actor, now }: Pick<Context, "actor" | "now">,
  { summary, ...action }: NewAction<Kind>,
): Promise<number> {
  if (actor.type !== "staff") throw new AppError(403, "Only a person of the staff does that.", { code: "forbidden" });
  const holdMs = STAFF_ACTION_HOLD_MS[summary.kind];
  const dueAt = holdMs === null ? null : addMs(now, holdMs);
  const id = await insertAction(tx, {
    ...action,
    staffId: actor.staffId,
    kind: summary.kind,
    summary,
    dueAt,
    now,
  });
  // What is done at once is in the audit log by its own entry.
  if (dueAt !== null)
    await writeAuditEntry(
      tx,
      { actor, now, actionId: id },
      { action: `${summary.kind} held`, subject: action.subject, reason: "", data: factsOf(summary) },
    );
  return id;
}
