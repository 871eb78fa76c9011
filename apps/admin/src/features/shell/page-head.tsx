import { type ReactNode, useLayoutEffect, useRef } from "react";

import { useTitle } from "../../lib/use-title.ts";
import { LiveMark } from "./live-mark.tsx";

import s from "./page-head.module.css";

interface PageHeadProps {
  title: string;
  /** Names the document where the title alone does not say of what it is. */
  documentTitle?: string;
  /** Before the title: a delivery day's leaf. */
  mark?: ReactNode;
  /** Beside the title: the day and time, how many. */
  note?: ReactNode;
  /** It follows the server. */
  isLive?: boolean;
  /** Buttons at the end. */
  children?: ReactNode;
}

/** The focus was on a title that was removed: where the title is another element with the data than without, it goes on to that. */
let titleHadFocus = false;

/** The head of a screen: its one title, by which the document is named, and its buttons. */
export function PageHead({ title, documentTitle = title, mark, note, isLive = false, children }: PageHeadProps) {
  useTitle(documentTitle);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const element = heading.current;
    if (titleHadFocus) element?.focus({ preventScroll: true });
    titleHadFocus = false;
    return () => {
      titleHadFocus = document.activeElement === element;
    };
  }, []);
  return (
    <div className={s.head}>
      {mark}
      <div className={s.words}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {note && <p className={s.note}>{note}</p>}
      </div>
      {(isLive || children) && (
        <div className={s.end}>
          {isLive && <LiveMark />}
          {children}
        </div>
      )}
    </div>
  );
}
