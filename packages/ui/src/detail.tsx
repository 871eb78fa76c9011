import type { ReactNode } from "react";

import { DialogBody, DialogTitle } from "./dialog.tsx";

import s from "./detail.module.css";

interface DetailProps {
  /** Stands still beside the words where there is room for both. */
  picture?: ReactNode;
  children: ReactNode;
}

/** One thing to buy in a `page` dialog: its picture, and what there is to say about it. */
export const Detail = ({ picture, children }: DetailProps) => (
  <DialogBody flush>
    <div className={s.detail}>
      {picture && <div className={s.picture}>{picture}</div>}
      <div className={s.words}>{children}</div>
    </div>
  </DialogBody>
);

/** Its name, as large as a page's. */
export const DetailTitle = ({ children }: { children: ReactNode }) => (
  <DialogTitle>
    <span className={s.title}>{children}</span>
  </DialogTitle>
);
