import { type RefObject, useRef } from "react";

import * as t from "#messages";

import { cx } from "./cx.ts";
import { Icon } from "./icon/icon.tsx";

import s from "./stepper.module.css";

interface StepperProps {
  /** What is counted: "Heirloom Tomatoes, Pint". */
  name: string;
  quantity: number;
  /** The stock. */
  max: number;
  onChange: (quantity: number) => void;
  /** Pressed at the maximum: say why nothing happens. */
  onLimit?: () => void;
  /** `tile` opens out of the plus on a picture; `line` in a cart line; `bar` beside the call to action. */
  look: "tile" | "line" | "bar";
  /** The least it goes to. 0 shows a bin at 1 and only the plus at 0. */
  min?: 0 | 1;
  /** The plus: it is there at every quantity, and so takes the focus of what goes. */
  plus?: RefObject<HTMLButtonElement | null>;
}

/**
 * − n +, in place. At 1 the minus is a bin, at 0 only the plus remains; the plus is always the same element and
 * takes the focus when the bin goes. The change is announced by the shared live region, not here.
 */
export function Stepper({ name, quantity, max, onChange, onLimit, look, min = 0, plus }: StepperProps) {
  const ownPlus = useRef<HTMLButtonElement>(null);
  const plusButton = plus ?? ownPlus;
  const open = quantity > 0;
  const full = quantity >= max;
  const bin = min === 0 && quantity === 1;
  const empty = min === 1 && quantity <= 1;
  return (
    <span role="group" aria-label={t.quantityOf(name)} className={cx(s.stepper, s[look], open && s.open)}>
      {open && (
        <button
          type="button"
          className={s.button}
          aria-label={bin ? t.remove(name) : t.removeOne(name)}
          aria-disabled={empty || undefined}
          onClick={() => {
            if (empty) return;
            if (bin) plusButton.current?.focus({ preventScroll: true });
            onChange(quantity - 1);
          }}
        >
          <Icon name={bin ? "bin" : "minus"} size={look === "line" ? "sm" : "md"} />
        </button>
      )}
      {open && (
        <output key={quantity} aria-live="off" className={s.value}>
          {quantity}
        </output>
      )}
      <button
        ref={plusButton}
        type="button"
        className={s.button}
        aria-label={open ? t.addOne(name) : t.add(name)}
        aria-disabled={full || undefined}
        onClick={() => (full ? onLimit?.() : onChange(quantity + 1))}
      >
        <Icon name="plus" size={look === "line" ? "sm" : "md"} />
      </button>
    </span>
  );
}
