import { useIsDesktop } from "@marketday/client/use-media.ts";
import type { ReactNode } from "react";

import s from "./inbox.module.css";

/** A part of the panel: where the panel is the whole screen, its title is the first level. */
export function Section({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  const Tag = useIsDesktop() ? "h3" : "h2";
  return (
    <section className={s.section} aria-labelledby={id}>
      <Tag id={id} className={s.heading}>
        {title}
      </Tag>
      {children}
    </section>
  );
}
