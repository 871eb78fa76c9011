import type { ElementType, Key, ReactElement, ReactNode } from "react";
import { Fragment, jsxDEV as reactJsxDEV, type JSXSource } from "react/jsx-dev-runtime";

import { separateText } from "./separate-text.ts";

export type { JSX } from "react/jsx-dev-runtime";
export { Fragment };

/** `jsx` and `jsxs` (`jsx-runtime.ts`) of a build for development. */
export function jsxDEV(
  type: ElementType,
  props: { children?: ReactNode },
  key: Key | undefined,
  isStatic: boolean,
  source?: JSXSource,
  self?: unknown,
): ReactElement {
  const { children } = props;
  const separated = isStatic ? { ...props, children: separateText(type, children as ReactNode[]) } : props;
  return reactJsxDEV(type, separated, key, isStatic && Array.isArray(separated.children), source, self);
}
