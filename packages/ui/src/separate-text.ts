import type { ElementType, ReactNode } from "react";
import { Fragment, jsx } from "react/jsx-runtime";

/**
 * An element's children so that a browser's translation cannot break them. It replaces every text node; React goes on with the
 * node it made, so text beside other children would stay as it first was, and removing it would throw. An element whose only
 * child is a text is safe, and so is white space, which is not translated.
 *
 * Adjacent texts become one, which is a `span` where it has siblings. Each other child keeps its place, and its state.
 */
export function separateText(type: ElementType, children: readonly ReactNode[]): ReactNode {
  // A fragment's children are rendered among those of another element.
  let hasSiblings = type === Fragment;
  let start = -1;
  let text = "";
  const separate: ReactNode[] = [];
  children.forEach((child, at) => {
    separate[at] = null;
    if (typeof child === "string" || typeof child === "number") {
      if (start < 0) [start, text] = [at, ""];
      separate[start] = text += child;
    } else if (child && child !== true) {
      separate[at] = child;
      start = -1;
      hasSiblings = true;
    }
  });
  return hasSiblings
    ? separate.map((child) => (typeof child === "string" && child.trim() ? jsx("span", { children: child }) : child))
    : text;
}
