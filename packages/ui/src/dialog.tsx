import {
  createContext,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";

import * as t from "#messages";

import { cx } from "./cx.ts";
import { pushDialog } from "./dialog-stack.ts";
import { IconButton } from "./icon-button.tsx";
import { openDialog } from "./open-dialog.ts";
import { lockScroll } from "./scroll-lock.ts";

import s from "./dialog.module.css";

interface DialogState {
  titleId: string;
  /** Where the head has room for a title or a field; empty without a head. */
  bar: RefObject<HTMLElement | null>;
  /** Its title is in the bar. */
  hasTitleBar: boolean;
  /** Where its buttons are put; there before anything inside of the dialog is laid out. */
  actions: RefObject<HTMLElement | null>;
}
const DialogContext = createContext<DialogState | null>(null);

interface DialogProps {
  /**
   * `small` a bottom sheet, centred from 600 px; `page` a full sheet, a wide box from 768 px; `panel` slides in from
   * the right; `cart` the same, narrower; `full` the whole screen without a head: what fills it has its own way out.
   */
  size?: "small" | "page" | "panel" | "cart" | "full";
  /** One layer up. Also what Esc does. Without it there is no back arrow and Esc closes. */
  onBack?: () => void;
  /** All the way out: the X and the scrim. Without it the dialog cannot be dismissed. */
  onClose?: () => void;
  /** While something runs whose result it shows: its ways out stay and do nothing. */
  isHeld?: boolean;
  /** Id of the element that gets the focus back; without it, whatever had it before. */
  returnTo?: string | undefined;
  children: ReactNode;
}

/**
 * A modal layer on the native element: top layer, inert background, Esc. On open the focus goes to the first
 * `[data-autofocus]` (a form's field), else to the `DialogTitle`; on close back to where it came from, or to the h1.
 */
export function Dialog({ size = "small", onBack, onClose, isHeld = false, returnTo, children }: DialogProps) {
  const box = useRef<HTMLDialogElement>(null);
  const pressed = useRef(false);
  const bar = useRef<HTMLDivElement>(null);
  const actions = useRef<HTMLDivElement>(null);
  const titleId = useId();
  const hasHead = size !== "full" && Boolean(onBack ?? onClose);
  const hasTitleBar = hasHead && (size === "small" || size === "cart");

  useLayoutEffect(() => {
    const dialog = box.current;
    if (!dialog) return;
    const before = document.activeElement;
    let leave = () => {};
    const stop = openDialog(dialog, () => {
      if (!dialog.open) dialog.showModal();
      focusIn(dialog);
      const unlock = lockScroll();
      const leaveLayer = pushDialog(dialog);
      leave = () => {
        unlock();
        leaveLayer();
      };
    });
    return () => {
      stop();
      leave();
      // React takes the element out after this; a dialog that stays (a development double mount) keeps the focus.
      queueMicrotask(() => {
        if (!dialog.isConnected) focusBack(returnTo, before);
      });
      // A busy WebKit has not noticed by then that the page is no longer inert, and focuses nothing in it.
      requestAnimationFrame(() => {
        if (!dialog.isConnected && document.activeElement === document.body) focusBack(returnTo, before);
      });
    };
  }, [returnTo]);

  const state = useMemo(() => ({ titleId, bar, hasTitleBar, actions }), [titleId, hasTitleBar]);
  const leave = onBack ?? onClose;
  return (
    // The scrim is the dialog element itself; the keyboard's way out is Esc (onCancel) and the close button.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={box}
      tabIndex={-1}
      className={cx(s.dialog, s[size])}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        if (!isHeld) leave?.();
      }}
      onClose={({ currentTarget: dialog }) => {
        // The browser closes a dialog when Esc is pressed twice; one that cannot be closed reopens.
        if (leave && !isHeld) leave();
        else if (!dialog.open) {
          dialog.showModal();
          focusIn(dialog);
        }
      }}
      onPointerDown={(event) => {
        pressed.current = event.target === event.currentTarget;
      }}
      onMouseDown={({ detail }) => {
        // The second press of a double click that opened the dialog.
        if (detail > 1) pressed.current = false;
      }}
      onPointerUp={(event) => {
        if (pressed.current && event.target === event.currentTarget && !isHeld) onClose?.();
        pressed.current = false;
      }}
    >
      <DialogContext value={state}>
        <div className={s.inner}>
          {hasHead && (
            <div className={s.head}>
              {onBack && (
                <IconButton
                  icon="back"
                  label={t.back}
                  aria-disabled={isHeld || undefined}
                  onClick={isHeld ? undefined : onBack}
                />
              )}
              <div className={s.bar} ref={bar} />
              <div className={s.actions} ref={actions} />
              {onClose && (
                <IconButton
                  icon="close"
                  label={t.close}
                  aria-disabled={isHeld || undefined}
                  onClick={isHeld ? undefined : onClose}
                />
              )}
            </div>
          )}
          {children}
        </div>
      </DialogContext>
    </dialog>
  );
}

function focusIn(dialog: HTMLElement) {
  const target =
    dialog.querySelector<HTMLElement>("[data-autofocus]") ?? dialog.querySelector<HTMLElement>("[data-dialog-title]");
  // Content that is still on its way: the frame itself, not the first button, until its title takes over.
  (target ?? dialog).focus({ preventScroll: true });
}

/** To the opener, or to what had it; where both are gone, and nothing else has taken it, to the layer or page below. */
function focusBack(id: string | undefined, before: Element | null) {
  for (const element of [id ? document.getElementById(id) : null, before]) if (takesFocus(element)) return;
  if (document.activeElement !== document.body) return;
  const below = [...document.querySelectorAll("dialog[open]")].at(-1);
  const heading = below ? below.querySelector("[data-dialog-title]") : document.querySelector("h1");
  if (heading instanceof HTMLElement && !heading.hasAttribute("tabindex")) heading.tabIndex = -1;
  takesFocus(heading);
}

function takesFocus(element: Element | null): boolean {
  if (!(element instanceof HTMLElement) || !element.isConnected || element === document.body) return false;
  element.focus({ preventScroll: true });
  return document.activeElement === element;
}

const useDialog = () => {
  const state = useContext(DialogContext);
  if (!state) throw new Error("This piece belongs inside a <Dialog>.");
  return state;
};

/**
 * The heading that names the dialog, of a small one or a cart in its bar; it takes the focus when it appears and nothing
 * else has it.
 */
export function DialogTitle({ hidden = false, children }: { hidden?: boolean; children: ReactNode }) {
  const { titleId, hasTitleBar } = useDialog();
  const heading = (
    <h2 id={titleId} ref={focusTitle} tabIndex={-1} data-dialog-title="" className={hidden ? "sr" : s.title}>
      {children}
    </h2>
  );
  return hasTitleBar && !hidden ? <DialogBar>{heading}</DialogBar> : heading;
}

function focusTitle(heading: HTMLElement | null) {
  const dialog = heading?.closest("dialog");
  const focused = document.activeElement;
  if (dialog && (focused === dialog || focused === document.body)) focusIn(dialog);
}

/** A place in the head, once it is rendered. */
function useHead(part: RefObject<HTMLElement | null>): HTMLElement | null {
  const [place, setPlace] = useState<HTMLElement | null>(null);
  useLayoutEffect(() => setPlace(part.current), [part]);
  return place;
}

/** Content of the head, before the buttons: the field of a search. Its `[data-autofocus]` takes the focus from the title. */
export function DialogBar({ children }: { children: ReactNode }) {
  const place = useHead(useDialog().bar);
  useLayoutEffect(() => {
    const field = place?.querySelector<HTMLElement>("[data-autofocus]");
    if (document.activeElement?.matches("dialog, body, [data-dialog-title]")) field?.focus({ preventScroll: true });
  }, [place]);
  return place && createPortal(children, place);
}

/** Buttons for the head, beside Close. */
export function DialogActions({ children }: { children: ReactNode }) {
  const place = useHead(useDialog().actions);
  return place && createPortal(children, place);
}

interface DialogBodyProps {
  /** Without padding; its height is `100cqh` for what is inside. */
  flush?: boolean;
  /** For a frame, as high as the body: without padding, and in a low window still as high as what the head leaves. */
  fill?: boolean;
  children: ReactNode;
}

/** The part that scrolls. */
export const DialogBody = ({ flush, fill, children }: DialogBodyProps) => (
  <div className={cx(s.body, flush && s.flush, fill && s.fill)}>{children}</div>
);

interface DialogFootProps {
  /** Its parts lie side by side: how many, and what to do. */
  row?: boolean;
  /** Words above them. */
  note?: ReactNode;
  children: ReactNode;
}

/** What stays in sight below the body: the one thing to do. */
export const DialogFoot = ({ row, note, children }: DialogFootProps) => (
  <div className={s.foot}>
    {note && <div className={s.note}>{note}</div>}
    {row ? <div className={s.row}>{children}</div> : children}
  </div>
);

/** In a foot's row: a fact beside the button, "In your cart · $13.00". */
export const FootFact = ({ good = false, children }: { good?: boolean; children: ReactNode }) => (
  <p className={cx(s.fact, good && s.good)}>{children}</p>
);
