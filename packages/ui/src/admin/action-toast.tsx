import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";

import * as t from "#messages";

import { useReachable } from "../dialog-stack.ts";
import { hasPopovers } from "../has-popovers.ts";
import { Icon, type IconName } from "../icon/icon.tsx";

import s from "./action-toast.module.css";

interface ActionToastsProps {
  /** Names the region. */
  label: string;
  /** The others: "and 2 more", which shows or hides them. */
  more?: { label: string; isOpen: boolean; onToggle: () => void } | undefined;
  children: ReactNode;
}

/**
 * Where the `ActionToast`s of what a person did appear, newest first: above everything, at the foot of the sheet, on a small screen under
 * the header, where the page leaves `--toast-room` for them (their height), so that they cover none of its buttons; inside the top dialog
 * when there is one. Rendered while there are any.
 */
export function ActionToasts({ label, more, children }: ActionToastsProps) {
  const reachable = useReachable();
  return createPortal(
    <Place label={label}>
      {children}
      {more && (
        <button type="button" className={s.more} aria-expanded={more.isOpen} onClick={more.onToggle}>
          {more.label}
        </button>
      )}
    </Place>,
    reachable,
  );
}

function Place({ label, children }: { label: string; children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current?.isConnected && hasPopovers()) place.current.togglePopover(true);
    return place.current ? makeRoom(place.current) : undefined;
  }, []);
  return (
    <section
      ref={place}
      aria-label={label}
      {...(hasPopovers() ? { popover: "manual" } : { "data-fixed": "" })}
      className={s.place}
    >
      {children}
    </section>
  );
}

/** Gives the page their height as `--toast-room`, for as long as they are there. */
function makeRoom(place: HTMLElement): () => void {
  const { style } = document.documentElement;
  const observer = new ResizeObserver(() => style.setProperty("--toast-room", `${place.offsetHeight}px`));
  observer.observe(place);
  return () => {
    observer.disconnect();
    style.removeProperty("--toast-room");
  };
}

interface ActionToastProps {
  /** What happens or has happened: "3 refunds and 3 emails send in 42 s". */
  title: string;
  /** What it is about, where the title does not say: "Pasture Eggs, 9 of 12". */
  detail?: string | undefined;
  tone?: "plain" | "error";
  /** Until it is done, seconds: the ring. */
  countdown?: { left: number; of: number } | undefined;
  /** Instead of the ring. */
  icon?: IconName | undefined;
  /** Undo, the largest thing in it; `busy`: the words while it runs. */
  action?: { label: string; icon?: IconName; busy?: string | false; onRun: () => void } | undefined;
  /** Where to see it. */
  link?: ReactNode;
  /** Out of sight; what is held is done all the same. */
  onClose: () => void;
  /** It closes after this time, ms, which stops while the pointer is over it or the focus is in it. */
  closesAfter?: number | undefined;
}

/** What a person has done, until when it is held, and its Undo. Words are announced by the app, once. */
export function ActionToast({
  title,
  detail,
  tone = "plain",
  countdown,
  icon,
  action,
  link,
  onClose,
  closesAfter,
}: ActionToastProps) {
  const [isUsed, setUsed] = useState(false);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useEffect(() => {
    if (isUsed || closesAfter === undefined) return;
    const timer = setTimeout(() => close.current(), closesAfter);
    return () => clearTimeout(timer);
  }, [isUsed, closesAfter]);
  return (
    // The pointer over it and the focus in it stop its time, and do nothing else.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className={s.toast}
      data-tone={tone}
      role="group"
      aria-label={title}
      onPointerEnter={() => setUsed(true)}
      onPointerLeave={() => setUsed(false)}
      onFocus={() => setUsed(true)}
      onBlur={() => setUsed(false)}
    >
      {countdown ? <CountdownRing {...countdown} /> : icon && <Icon name={icon} size="sm" />}
      <span className={s.words}>
        <span>{title}</span>
        {detail !== undefined && <small className={s.detail}>{detail}</small>}
      </span>
      {link && <span className={s.link}>{link}</span>}
      {action && (
        <button
          type="button"
          className={s.undo}
          aria-disabled={action.busy ? true : undefined}
          aria-busy={action.busy ? true : undefined}
          onClick={() => {
            if (!action.busy) action.onRun();
          }}
        >
          {action.icon && <Icon name={action.icon} size="sm" />}
          <span>{action.busy || action.label}</span>
        </button>
      )}
      <button type="button" className={s.close} aria-label={t.close} onClick={onClose}>
        <Icon name="close" size="sm" />
      </button>
    </div>
  );
}

/** Its number would be wider than the ring. */
const TOO_WIDE = 1000;

/** Seconds that are left of all, as a ring with their number. Words beside it name them, so it is hidden from screen readers. */
const CountdownRing = ({ left, of }: { left: number; of: number }) => (
  <svg className={s.ring} viewBox="0 0 28 28" aria-hidden="true" focusable="false">
    <circle cx="14" cy="14" r="12" />
    <circle
      className={s.left}
      cx="14"
      cy="14"
      r="12"
      pathLength="100"
      strokeDasharray={`${of > 0 ? Math.round((Math.min(left, of) / of) * 100) : 0} 100`}
    />
    <text x="14" y="18">
      {left < TOO_WIDE ? left : ""}
    </text>
  </svg>
);
