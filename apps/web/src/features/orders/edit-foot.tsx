import { Button } from "@marketday/ui/button.tsx";
import { DialogFoot } from "@marketday/ui/dialog.tsx";
import { useEffect, useRef, useState } from "react";

import s from "./edit-foot.module.css";

interface EditFootProps {
  /** Saving deletes the order, after a confirmation. */
  emptied: boolean;
  saving: boolean;
  onSave: () => void;
  onDiscard: () => void;
}

/** "Unsaved changes", with both ways out, in sight as long as there are any. */
export function EditFoot({ emptied, saving, onSave, onDiscard }: EditFootProps) {
  const [asking, setAsking] = useState(false);
  const question = useRef<HTMLElement>(null);
  const asks = asking && emptied;
  useEffect(() => {
    if (asks) question.current?.focus();
  }, [asks]);
  return (
    <DialogFoot>
      {asks ? (
        <div className={s.foot} role="group" aria-label="Delete the order?">
          <strong ref={question} tabIndex={-1} className={s.words}>
            This deletes the order
          </strong>
          <Button kind="outline" onClick={() => setAsking(false)}>
            Keep it
          </Button>
          <Button kind="danger" busy={saving && "Deleting…"} onClick={onSave}>
            Delete order
          </Button>
        </div>
      ) : (
        <div className={s.foot} role="group" aria-label="Unsaved changes">
          <strong className={s.words}>Unsaved changes</strong>
          <Button kind="outline" disabled={saving} onClick={onDiscard}>
            Discard
          </Button>
          <Button busy={saving && "Saving…"} onClick={() => (emptied ? setAsking(true) : onSave())}>
            Save
          </Button>
        </div>
      )}
    </DialogFoot>
  );
}
