import * as t from "#messages";

import s from "./effects.module.css";

export interface Effect {
  key: string;
  /** "Back to cards", "Emails" */
  label: string;
  /** How many, or how much: "3", "$16.24". */
  value: string;
  /** Whom or what it concerns; the first five are shown. */
  names?: readonly string[];
}

const NAMES_MAX = 5;

/** What an action would do, before it is done: counts, dollars and names. */
export const Effects = ({ label, effects }: { label: string; effects: readonly Effect[] }) => (
  <ul className={s.effects} aria-label={label}>
    {effects.map(({ key, label: what, value, names = [] }) => (
      <li key={key} className={s.effect}>
        <span>{what}</span>
        <span className={s.leader} aria-hidden="true" />
        <b className={s.value}>{value}</b>
        {names.length > 0 && (
          <small className={s.names}>
            {[
              ...names.slice(0, NAMES_MAX),
              ...(names.length > NAMES_MAX ? [t.andMore(names.length - NAMES_MAX)] : []),
            ].join(", ")}
          </small>
        )}
      </li>
    ))}
  </ul>
);
