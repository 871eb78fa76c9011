import type { ReactNode } from "react";

import { Heading } from "../orders/section.tsx";
import { formKeys } from "../shell/form-keys.ts";

import s from "./customers.module.css";

interface PanelFormProps {
  /** Of its heading. */
  id: string;
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/** A form in the foot of the panel, in the place of what can be done. */
export function PanelForm({ id, title, onClose, children }: PanelFormProps) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section className={s.form} aria-labelledby={id} onKeyDown={formKeys(onClose)}>
      <Heading id={id}>{title}</Heading>
      {children}
    </section>
  );
}
