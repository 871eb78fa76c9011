import type { InboxItem } from "@marketday/contracts/admin/inbox";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";

import * as t from "#messages/inbox";

import { useDraft } from "../../lib/drafts.ts";
import { useUndo } from "../actions/use-undo.ts";

import s from "./inbox.module.css";

/** An answer that is held: what it says, by whom, and its Undo. */
export function PendingAnswer({ item: { kind, id, pending } }: { item: InboxItem }) {
  const { undo, isUndoing, failureOf } = useUndo();
  const { text: draft } = useDraft(`inbox-${kind}-${id}`);
  if (!pending) return null;
  const { action, text } = pending;
  const failure = failureOf(action.id);
  return (
    <div className={s.pending} role="status">
      <p>
        <b>{action.isOwn ? t.pendingOwn : t.pendingTitle(action.by)}</b>
      </p>
      <p className={s.text}>{text}</p>
      {draft.trim() !== "" && draft.trim() !== text && (
        <>
          <p className={s.quiet}>{t.keptDraft}</p>
          <p className={s.text}>{draft}</p>
        </>
      )}
      {failure !== undefined && <p className={s.failure}>{failure}</p>}
      {action.canUndo && (
        <Compact>
          <Button kind="outline" icon="undo" busy={isUndoing(action.id) && t.undoing} onClick={() => undo(action)}>
            {t.undo}
          </Button>
        </Compact>
      )}
    </div>
  );
}
