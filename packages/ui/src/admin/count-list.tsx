import { type ReactNode, useId, useState } from "react";
import type { To } from "react-router";

import * as t from "#messages";

import { cx } from "../cx.ts";
import { Link } from "../link.tsx";
import { VisuallyHidden } from "../visually-hidden.tsx";
import { CommandHint } from "./command-hint.tsx";
import { Mark } from "./mark.tsx";

import s from "./count-list.module.css";

interface CountFace {
  label: string;
  /** As it is shown: "4", "$184.20", "3 h ago". */
  value: string;
  /** How loud it is: `due` and `late` have a mark. */
  level?: "quiet" | "due" | "late";
}

/** A count leads to the list behind it; one that has no screen shows the command that lists it; null: nothing lists it. */
export type CountItem = CountFace & { key: string } & ({ to: To } | { command: string | null });

interface CountListProps {
  title: string;
  counts: readonly CountItem[];
}

/** Counts, joined to their words by dotted leaders. */
export function CountList({ title, counts }: CountListProps) {
  const id = useId();
  return (
    <div className={s.counts}>
      <h2 id={id} className={s.title}>
        {title}
      </h2>
      <ul aria-labelledby={id}>
        {counts.map(({ key, ...count }) => (
          <li key={key}>
            {"to" in count ? (
              <Link to={count.to} className={s.count}>
                <Face {...count} />
              </Link>
            ) : count.command === null ? (
              <span className={s.count}>
                <Face {...count} />
              </span>
            ) : (
              <CountWithCommand {...count} command={count.command} />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

function CountWithCommand({ command, ...count }: CountFace & { command: string }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <button
        type="button"
        className={s.count}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <Face {...count} />
      </button>
      {isOpen && (
        <div id={id} className={s.command}>
          <CommandHint command={command} />
        </div>
      )}
    </>
  );
}

const Face = ({ label, value, level = "quiet" }: CountFace): ReactNode => (
  <>
    <span className={s.label}>{label}</span>
    <span className={s.leader} aria-hidden="true" />
    {level !== "quiet" && (
      <span className={s.mark}>
        <Mark shape={level} />
        <VisuallyHidden>{level === "late" ? t.stepLate : t.stepDue}</VisuallyHidden>
      </span>
    )}
    <b className={cx(s.value, level === "late" && s.late)} translate="no">
      {value}
    </b>
  </>
);
