import type { StaffAction } from "@marketday/contracts/admin/actions";
import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/shorts";

import { useSecondsLeft } from "../../lib/use-seconds-left.ts";
import { useUndo } from "../actions/use-undo.ts";

import s from "./held-note.module.css";

/** "Settles in 42 s". Read where it is, and not announced each second. */
export function Countdown({ dueAt }: { dueAt: string }) {
  const seconds = useSecondsLeft(dueAt);
  return <span role="timer">{seconds > 0 ? t.settlesIn(seconds) : t.settlingNow}</span>;
}

interface UndoButtonProps {
  action: StaffAction;
  title: string;
  kind?: "primary" | "outline";
}

/** Takes the settlement of an item back. */
export function UndoButton({ action, title, kind = "outline" }: UndoButtonProps) {
  const { undo, isUndoing, failureOf } = useUndo();
  const failure = failureOf(action.id);
  return (
    <div className={s.undo}>
      <Compact size={kind === "primary" ? "md" : "sm"}>
        <Button
          kind={kind}
          busy={isUndoing(action.id) && t.undoing}
          aria-label={t.undoOf(title)}
          onClick={() => undo(action)}
        >
          <Icon name="undo" size="sm" />
          {t.undo}
        </Button>
      </Compact>
      {failure !== undefined && <p>{failure}</p>}
    </div>
  );
}
