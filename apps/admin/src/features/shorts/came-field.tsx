import { Icon } from "@marketday/ui/icon/icon.tsx";
import type { KeyboardEvent } from "react";

import * as t from "#messages/shorts";

import s from "./came-field.module.css";

interface CameFieldProps {
  id: string;
  value: string;
  ordered: number;
  /** Why the number cannot be used. */
  problem: string | null;
  onChange: (value: string) => void;
  /** Enter was pressed in it. */
  onEnter: () => void;
  /** Esc was pressed in it. */
  onLeave: () => void;
}

/** How many came, as large as it can be read across the table: typed, or by − and +. */
export function CameField({ id, value, ordered, problem, onChange, onEnter, onLeave }: CameFieldProps) {
  const step = (by: number) => {
    const before = /^\d+$/.test(value.trim()) ? Number(value) : by < 0 ? ordered : ordered - 1;
    onChange(String(Math.max(0, Math.min(ordered, before + by))));
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing || event.metaKey || event.ctrlKey || event.altKey) return;
    if (event.key === "Enter") onEnter();
    else if (event.key === "Escape") onLeave();
    else if (/^(?:-|−|ArrowDown)$/.test(event.key)) step(-1);
    else if (/^(?:\+|=|ArrowUp)$/.test(event.key)) step(1);
    else return;
    event.preventDefault();
  };
  return (
    <div className={s.ask}>
      <div className={s.number} data-invalid={problem === null ? undefined : ""}>
        <button type="button" tabIndex={-1} aria-label={t.oneLess} onClick={() => step(-1)}>
          <Icon name="minus" />
        </button>
        <input
          id={id}
          className={s.input}
          aria-label={t.came}
          aria-invalid={problem === null ? undefined : true}
          aria-describedby={problem === null ? `${id}-of` : `${id}-of ${id}-problem`}
          inputMode="numeric"
          enterKeyHint="go"
          autoComplete="off"
          maxLength={6}
          size={Math.max(2, value.length)}
          value={value}
          onChange={({ target }) => onChange(target.value)}
          onFocus={({ target }) => target.select()}
          onKeyDown={press}
        />
        <button type="button" tabIndex={-1} aria-label={t.oneMore} onClick={() => step(1)}>
          <Icon name="plus" />
        </button>
      </div>
      <span id={`${id}-of`} className={s.of}>
        {t.ofOrdered(ordered)}
      </span>
      {problem !== null && (
        <p id={`${id}-problem`} className={s.problem}>
          {problem}
        </p>
      )}
    </div>
  );
}
