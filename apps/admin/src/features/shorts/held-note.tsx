import { Compact } from "@marketday/ui/admin/compact.tsx";
import { Button } from "@marketday/ui/button.tsx";
import { Icon } from "@marketday/ui/icon/icon.tsx";
import { VisuallyHidden } from "@marketday/ui/visually-hidden.tsx";

import * as t from "#messages/shorts";

import { useSecondsLeft } from "./use-seconds-left.ts";
import { useUndo } from "./use-undo.ts";

/** "Settles in 42 s". Read where it is, and not announced each second. */
export function Countdown({ dueAt }: { dueAt: string }) {
  const seconds = useSecondsLeft(dueAt);
  return <span role="timer">{seconds > 0 ? t.settlesIn(seconds) : t.settlingNow}</span>;
}

interface UndoButtonProps {
  actionId: number;
  title: string;
  kind?: "primary" | "outline";
}

/** Takes the settlement of an item back. */
export function UndoButton({ actionId, title, kind = "outline" }: UndoButtonProps) {
  const { undo, isUndoing } = useUndo(actionId, title);
  return (
    <Compact size={kind === "primary" ? "md" : "sm"}>
      <Button kind={kind} busy={isUndoing && t.undoing} onClick={undo}>
        <Icon name="undo" size="sm" />
        {t.undo}
        <VisuallyHidden>{t.undoSubject(title)}</VisuallyHidden>
      </Button>
    </Compact>
  );
}
