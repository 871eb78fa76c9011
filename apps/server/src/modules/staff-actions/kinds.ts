import type { AnyTx, Tx } from "@marketday/db";
import type { StaffActionKind } from "@marketday/domain/staff-actions";

import type { Context } from "../identity/context.ts";
import type { ActionRow } from "./store.ts";

/** Thrown by `run` to leave the rest of an action for its next run, at once: a part of it is done. */
export class ActionPaused extends Error {}

/** What an action of a kind does. A kind that is held has `run`; one that can be reversed has `reverse`. */
export interface ActionKind {
  /**
   * Does a held action, as its person. It is repeated after a kill, so a second time changes nothing.
   * @returns what of it could not be done, as a sentence; null: all was done
   * @throws AppError below 500: it cannot be done, and is refused with this sentence, unless it has begun or waits for a charge
   * (`still_charging`); any other error: it is tried again
   */
  run?(ctx: Context, action: ActionRow): Promise<string | null>;
  /** Whether a part of it is done. It is finished then, whatever its person may do now, and never refused. */
  isBegun?(ctx: Context, action: ActionRow): Promise<boolean>;
  /** In the transaction in which a held action is undone or refused: puts back what it was held with. */
  putBack?(ctx: Context, tx: Tx, action: ActionRow): Promise<void>;
  /**
   * Reverses an action that was done; a second time changes nothing. Calls `complete` at the end of its transaction, which marks the action
   * as undone. Without it, what was done cannot be undone. It is also tried, to learn whether it can be: `complete` throws then, and all of
   * it is rolled back, so nothing before that may leave the database, and nothing after it may refuse. @throws AppError with the reason
   */
  reverse?(ctx: Context, action: ActionRow, complete: (tx: AnyTx) => Promise<void>): Promise<void>;
  /** Its `reverse` writes the audit entry of the undo, so no other one is written. */
  logsUndo?: true;
}

/** By kind. */
export type ActionKinds = Readonly<Record<StaffActionKind, ActionKind>>;

let registered: ActionKinds | null = null;

/** Registers what the modules above do, once, when the server or a command starts (`create-deps.ts`). */
export function registerActionKinds(kinds: ActionKinds): void {
  registered = kinds;
}

/** What an action of this kind does. @throws Error before `registerActionKinds` */
export function actionKind(kind: StaffActionKind): ActionKind {
  if (!registered) throw new Error("registerActionKinds was not called");
  return registered[kind];
}
