import type { ReactNode } from "react";

import { Cluster } from "./layout.tsx";

import s from "./entries.module.css";

/** What people wrote about something: the way to write, then `EntryList`. */
export const Entries = ({ children }: { children: ReactNode }) => <div className={s.section}>{children}</div>;

/** The entries, a hairline between them; each is keyed by its id. */
export const EntryList = ({ label, entries }: { label: string; entries: { id: number; entry: ReactNode }[] }) => (
  <ul className={s.list} aria-label={label}>
    {entries.map(({ id, entry }) => (
      <li key={id}>{entry}</li>
    ))}
  </ul>
);

/** The form's own buttons, side by side. */
export const EntryButtons = ({ children }: { children: ReactNode }) => (
  <Cluster gap={3} align="stretch">
    {children}
  </Cluster>
);

/** When, who, how many: quieter words. */
export const EntryMeta = ({ children }: { children: ReactNode }) => <p className={s.meta}>{children}</p>;

/** Text that a person wrote, with its line breaks, never wider than its container. */
export const EntryWords = ({ strong = false, children }: { strong?: boolean; children: ReactNode }) => (
  <p className={strong ? s.strong : s.words}>{children}</p>
);
