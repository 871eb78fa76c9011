import { type ReactNode, useId, useState } from "react";

import s from "./radio-chips.module.css";

interface RadioChipsProps<T extends string | number> {
  legend: string;
  legendHidden?: boolean;
  chips: { value: T; label: ReactNode }[];
  value: T | null;
  onChange: (value: T) => void;
}

/** A short choice as chips in one line: a sort, a mode, yes or no. Native radios: arrow keys work by themselves. */
export function RadioChips<T extends string | number>({
  legend,
  legendHidden,
  chips,
  value,
  onChange,
}: RadioChipsProps<T>) {
  const name = useId();
  // Where a choice is a navigation, the new value comes with the new view. The chip answers the finger at once.
  const [pressed, setPressed] = useState<{ value: T; from: T | null } | null>(null);
  if (pressed && pressed.from !== value) setPressed(null);
  const shown = pressed?.from === value ? pressed.value : value;
  return (
    <fieldset className={s.chips}>
      <legend className={legendHidden ? "sr" : s.legend}>{legend}</legend>
      {chips.map((chip) => (
        <label key={chip.value} className={s.chip}>
          <input
            type="radio"
            name={name}
            value={chip.value}
            checked={chip.value === shown}
            onChange={() => {
              setPressed({ value: chip.value, from: value });
              onChange(chip.value);
            }}
          />
          {chip.label}
        </label>
      ))}
    </fieldset>
  );
}
