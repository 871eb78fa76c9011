import { useIsDesktop } from "@marketday/client/use-media.ts";
import type { ReactNode } from "react";

import s from "./orders.module.css";

interface SectionProps {
  /** Of its heading. */
  id: string;
  title: string;
  /** At the end of its head: how many. */
  note?: ReactNode;
  children: ReactNode;
}

/** The heading of a part of the panel: where the panel is the whole screen, its title is the first level. */
export function Heading({ id, children }: { id: string; children: string }) {
  const Tag = useIsDesktop() ? "h3" : "h2";
  return (
    <Tag id={id} className={s.heading}>
      {children}
    </Tag>
  );
}

/** A part of the panel of an order. */
export const Section = ({ id, title, note, children }: SectionProps) => (
  <section className={s.section} aria-labelledby={id}>
    <div className={s.sectionHead}>
      <Heading id={id}>{title}</Heading>
      {note && <span>{note}</span>}
    </div>
    {children}
  </section>
);
