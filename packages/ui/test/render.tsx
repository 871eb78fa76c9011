import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot, type Root } from "react-dom/client";
import { MemoryRouter } from "react-router";

const mounted = new Map<Root, HTMLElement>();

/** Renders into the page as an app does, with its router. Returns what renders something else in its place. */
export function render(children: ReactNode): (next: ReactNode) => void {
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  mounted.set(root, place);
  const show = (next: ReactNode) => flushSync(() => root.render(<MemoryRouter>{next}</MemoryRouter>));
  show(children);
  return show;
}

/** Takes out of the page what a test has rendered. */
export function unmountAll(): void {
  for (const [root, place] of mounted) {
    root.unmount();
    place.remove();
  }
  mounted.clear();
  scrollTo(0, 0);
}
