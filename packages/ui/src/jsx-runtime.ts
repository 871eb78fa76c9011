import type { ElementType, Key, ReactElement, ReactNode } from "react";
import { jsx as reactJsx } from "react/jsx-runtime";

import { separateText } from "./separate-text.ts";

export type { JSX } from "react/jsx-runtime";
export { Fragment } from "react/jsx-runtime";

/** React's. Exported again, each call would be one of a property, which is longer. */
export const jsx = reactJsx;

/** What JSX with several children is compiled to, in a build for production: as React's, with texts in elements (`separateText`). */
export const jsxs = (type: ElementType, props: { children: ReactNode[] }, key?: Key): ReactElement =>
  jsx(type, { ...props, children: separateText(type, props.children) }, key);
