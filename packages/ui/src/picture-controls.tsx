import type { ReactNode } from "react";

import * as t from "#messages";

import { cx } from "./cx.ts";
import { IconButton } from "./icon-button.tsx";

import s from "./picture-controls.module.css";

interface PictureControlsProps {
  /** Which of the pictures is seen, from 0. */
  at: number;
  count: number;
  onShow: (at: number) => void;
  /** They lie at the end of the screen: above what a phone draws there. */
  screen?: boolean;
  /** What else there is to press. */
  children?: ReactNode;
}

/** Over the foot of a picture: the one before, which one it is, the one after, and more. */
export const PictureControls = ({ at, count, onShow, screen = false, children }: PictureControlsProps) => (
  <div className={cx(s.controls, screen && s.screen)}>
    {count > 1 && (
      <>
        <IconButton
          icon="back"
          label={t.previousPicture}
          floating
          aria-disabled={at === 0 || undefined}
          onClick={() => onShow(at - 1)}
        />
        <span className={s.counter}>{t.pictureOf(at + 1, count)}</span>
        <IconButton
          icon="next"
          label={t.nextPicture}
          floating
          aria-disabled={at === count - 1 || undefined}
          onClick={() => onShow(at + 1)}
        />
      </>
    )}
    {children}
  </div>
);
