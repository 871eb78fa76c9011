import { RATING_MAX, RATING_MIN, RATING_STEP } from "@marketday/domain/limits";
import { StarShapes } from "@marketday/ui/stars.tsx";
import { useId } from "react";

import s from "./rating-input.module.css";

interface RatingInputProps {
  label: string;
  value: number;
  onChange: (value: number) => void;
}

/**
 * 0 to 5 in half stars. A native slider lies over the drawn stars: dragging, tapping and the keyboard (arrows, Home,
 * End) work by themselves.
 */
export function RatingInput({ label, value, onChange }: RatingInputProps) {
  const id = useId();
  return (
    <div className={s.rating}>
      <label className={s.label} htmlFor={id}>
        {label}
      </label>
      <div className={s.row}>
        <span className={s.stars}>
          <StarShapes rating={value} size="lg" />
          <input
            id={id}
            className={s.slider}
            type="range"
            min={RATING_MIN}
            max={RATING_MAX}
            step={RATING_STEP}
            value={value}
            aria-valuetext={`${value} out of 5 stars`}
            onChange={(event) => onChange(Number(event.target.value))}
          />
        </span>
        <output className={s.value} htmlFor={id} aria-hidden="true">
          {value} of 5
        </output>
      </div>
    </div>
  );
}
