import { type KeyboardEvent as ReactKeyboardEvent, type ReactNode, useEffect, useEffectEvent, useId } from "react";

import * as t from "#messages";

import { IconButton } from "../icon-button.tsx";
import { toast } from "../toast-store.ts";
import { Compact } from "./compact.tsx";

import s from "./side-panel.module.css";

interface SidePanelProps {
  /** In its bar: "Order 397 120 862". */
  label: string;
  /** Where it is in the list: "5 of 43". */
  place?: string | undefined;
  /** Open the row before and after; none at an end of the list. */
  onPrevious?: (() => void) | undefined;
  onNext?: (() => void) | undefined;
  /** The address to copy. */
  link: string;
  onClose: () => void;
  /** It is the whole screen, in place of its list: its title is the screen's. */
  isWhole: boolean;
  /** Of what is shown, and the id of its heading: another one is read from the top. */
  title: ReactNode;
  titleId: string;
  /** Before and beside the title, and under it. */
  mark?: ReactNode;
  end?: ReactNode;
  note?: ReactNode;
  /** The one column of facts at the right. */
  side?: ReactNode;
  /** What can be done; it stays in sight. */
  foot?: ReactNode;
  children: ReactNode;
}

/**
 * One thing of a list beside the list: not modal, so the list stays usable. Esc closes it, also from the list. Its title can take the
 * focus (`titleId`).
 */
export function SidePanel(props: SidePanelProps) {
  const { label, place, onPrevious, onNext, link, onClose, isWhole, title, titleId, foot, side, children } = props;
  const bar = useId();
  useEscape(onClose);
  const Title = isWhole ? "h1" : "h2";
  return (
    <section className={s.panel} aria-labelledby={bar} data-whole={isWhole ? "" : undefined}>
      <div className={s.head}>
        <div className={s.bar}>
          <Compact>
            {isWhole && <IconButton icon="back" label={t.backToList} onClick={onClose} />}
            <b id={bar} className={s.label}>
              {label}
            </b>
            <span className={s.place}>{place}</span>
            <IconButton icon="up" label={t.previousRow} aria-disabled={!onPrevious} onClick={onPrevious} />
            <IconButton icon="down" label={t.nextRow} aria-disabled={!onNext} onClick={onNext} />
            <IconButton icon="link" label={t.copyLink} onClick={() => void copy(link)} />
            {!isWhole && <IconButton icon="close" label={t.closePanel} onClick={onClose} />}
          </Compact>
        </div>
        <div className={s.titled}>
          {props.mark}
          <div className={s.words}>
            <Title id={titleId} tabIndex={-1} className={s.title}>
              {title}
            </Title>
            {props.note}
          </div>
          <div className={s.end}>{props.end}</div>
        </div>
      </div>
      {/* Page keys and arrows scroll it; whatever is in it, the keyboard gets there. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <div
        className={s.scroll}
        key={titleId}
        role="group"
        aria-labelledby={titleId}
        tabIndex={isWhole ? undefined : 0}
        onKeyDown={scroll}
      >
        <div className={s.columns}>
          <div className={s.main}>{children}</div>
          {side && <div className={s.side}>{side}</div>}
        </div>
      </div>
      {foot && <div className={s.foot}>{foot}</div>}
    </section>
  );
}

/** The arrows scroll where the region has the focus, and are no keys of the page. */
function scroll(event: ReactKeyboardEvent<HTMLElement>): void {
  if (event.target === event.currentTarget && event.key.startsWith("Arrow")) event.nativeEvent.stopPropagation();
}

/** Esc, wherever the focus is: not in a dialog over the page, and not where text is typed beside the panel. */
function useEscape(onClose: () => void): void {
  const close = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing) return;
    if (document.querySelector("dialog[open]") !== null) return;
    if (event.target instanceof Element && event.target.matches("input[type=search], textarea, select")) return;
    event.preventDefault();
    onClose();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => close(event);
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

async function copy(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(new URL(link, location.href).href);
    toast({ text: t.linkCopied });
  } catch {
    toast({ text: t.linkNotCopied });
  }
}
