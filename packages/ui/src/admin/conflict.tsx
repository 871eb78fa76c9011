import type { ReactNode } from "react";

import * as t from "#messages";

import { Button } from "../button.tsx";
import { Icon } from "../icon/icon.tsx";
import { Compact } from "./compact.tsx";

import s from "./conflict.module.css";

interface ConflictProps {
  /** Who changed it, and when: "Ada changed this at 2:31 PM." */
  title: string;
  /** What both changed. Without values the buttons are words alone, and `children` show the difference. */
  yours?: string;
  theirs?: string;
  /** Writes one's own value over theirs. Without it, theirs is the only way on. */
  onKeep?: (() => void) | undefined;
  onTake: () => void;
  /** The words while one's own is written. */
  busy?: string | false;
  children?: ReactNode;
}

/** Someone else changed what one was about to save: both values, each a button. What was typed stays until one is pressed. */
export const Conflict = ({ title, yours, theirs, onKeep, onTake, busy = false, children }: ConflictProps) => (
  <div className={s.conflict} role="alert">
    <p className={s.title}>
      <Icon name="person" size="sm" />
      <b>{title}</b>
    </p>
    {children}
    <span className={s.choices}>
      <Compact>
        {onKeep && (
          <Button kind="outline" busy={busy} onClick={onKeep}>
            {yours === undefined ? t.keepYours : t.keepValue(yours)}
          </Button>
        )}
        <Button kind="outline" disabled={Boolean(busy)} onClick={onTake}>
          {theirs === undefined ? t.takeTheirs : t.takeValue(theirs)}
        </Button>
      </Compact>
    </span>
  </div>
);
