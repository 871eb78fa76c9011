import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import s from "./menu.module.css";

interface MenuProps {
  /** What the button shows, which is its name. */
  face: ReactNode;
  /** The name of what opens. */
  title: string;
  /** At which end of the button it opens. */
  align?: "start" | "end";
  /** As wide as the room there is: the header of a phone. */
  wide?: boolean;
  /** Its links and buttons; one that is pressed closes it. */
  children: ReactNode;
}

/** A button that opens a list of links and buttons below it. Arrows move through it, Esc closes it and returns the focus. */
export function Menu({ face, title, align = "start", wide = false, children }: MenuProps) {
  const [isOpen, setOpen] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  const items = () => [...(place.current?.querySelectorAll<HTMLElement>("[data-menu] :is(a, button)") ?? [])];
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };

  useEffect(() => {
    if (!isOpen) return;
    const root = place.current;
    const list = [...(root?.querySelectorAll<HTMLElement>("[data-menu] :is(a, button)") ?? [])];
    (list.find((item) => item.matches("[aria-current]")) ?? list[0])?.focus();
    const onPointer = ({ target }: PointerEvent) => {
      if (!(target instanceof Node && root?.contains(target))) setOpen(false);
    };
    addEventListener("pointerdown", onPointer);
    return () => removeEventListener("pointerdown", onPointer);
  }, [isOpen]);

  const move = (by: (at: number, count: number) => number) => {
    const list = items();
    const at = list.indexOf(document.activeElement as HTMLElement);
    list[by(at, list.length)]?.focus();
  };
  return (
    // The keys act on the links and buttons within.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div
      ref={place}
      className={s.place}
      data-wide={wide ? "" : undefined}
      onKeyDown={(event) => {
        if (!isOpen) return;
        if (event.key === "Escape") close();
        else if (event.key === "ArrowDown") move((at, count) => (at + 1) % count);
        else if (event.key === "ArrowUp") move((at, count) => (at <= 0 ? count : at) - 1);
        else if (event.key === "Home") move(() => 0);
        else if (event.key === "End") move((_, count) => count - 1);
        else return;
        event.preventDefault();
      }}
      onBlur={({ relatedTarget, currentTarget }) => {
        if (relatedTarget && !currentTarget.contains(relatedTarget)) setOpen(false);
      }}
    >
      <button
        ref={button}
        type="button"
        className={s.button}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {face}
      </button>
      {isOpen && (
        // The keys of its links and buttons click them.
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
        <div
          id={id}
          className={s.list}
          data-menu=""
          data-align={align}
          role="group"
          aria-label={title}
          onClick={({ target }) => {
            if (target instanceof Element && target.closest("a, button")) close();
          }}
        >
          {children}
        </div>
      )}
    </div>
  );
}
