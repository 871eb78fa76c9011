import type { InputHTMLAttributes, ReactNode } from "react";

import s from "./checkbox.module.css";

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "type"> {
  children: ReactNode;
}

/** A box to tick, with its words as part of the target. */
export const Checkbox = ({ children, ...rest }: CheckboxProps) => (
  <label className={s.check}>
    <input {...rest} type="checkbox" />
    <span>{children}</span>
  </label>
);
