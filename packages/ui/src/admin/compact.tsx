import type { ReactNode } from "react";

import s from "./compact.module.css";

/**
 * Buttons and fields within have the back office's height, 34 px, or in a row 28 px; under a finger 44 px. A `span` that takes no
 * part in the layout.
 */
export const Compact = ({ size = "md", children }: { size?: "sm" | "md"; children: ReactNode }) => (
  <span className={s.compact} data-size={size}>
    {children}
  </span>
);
