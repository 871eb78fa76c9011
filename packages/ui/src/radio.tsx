import type { InputHTMLAttributes } from "react";

import s from "./radio.module.css";

/** The round mark of a choice that is a card: it is drawn by us, the same in every engine. Its card shows the focus. */
export const Radio = (props: Omit<InputHTMLAttributes<HTMLInputElement>, "className" | "type">) => (
  <input {...props} type="radio" className={s.radio} />
);
