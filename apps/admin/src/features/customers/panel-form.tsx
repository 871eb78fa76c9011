import type { KeyboardEvent, ReactNode } from "react";

import { Heading } from "../orders/section.tsx";

import s from "./customers.module.css";

interface PanelFormProps {
  /** Of its heading. */
  id: string;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A form in the foot of the panel, in the place of what can be done. Esc leaves the form and not the panel. */
export function PanelForm({ id, title, onClose, children }: PanelFormProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      onClose();
    } else if (!event.ctrlKey && !event.metaKey) {
      // Arrows choose, and walk through no list.
      event.nativeEvent.stopPropagation();
    }
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={s.form} aria-labelledby={id} onKeyDown={onKeyDown}>
      <Heading id={id}>{title}</Heading>
      {children}
    </section>
  );
}
