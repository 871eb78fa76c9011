import type { ElementType, Key, ReactElement, ReactNode } from "react";
import { jsxs as reactJsxs } from "react/jsx-runtime";

import { separateText } from "./separate-text.ts";

export type { JSX } from "react/jsx-runtime";
export { Fragment, jsx } from "react/jsx-runtime";

/** What JSX with several children is compiled to: React's, with texts in elements (`separateText`). */
export const jsxs = (type: ElementType, props: { children: ReactNode[] }, key?: Key): ReactElement =>
  reactJsxs(type, { ...props, children: separateText(type, props.children) }, key);
