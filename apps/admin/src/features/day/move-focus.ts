import type { KeyboardEvent } from "react";

/** Steps by key. */
const STEPS: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** The arrow keys, J and K move the focus from a control of a row of a list to the one with the same `data-control` in the next row. */
export function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const step = STEPS[event.key];
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
  const { currentTarget: control } = event;
  const row = control.closest("li");
  const rows = [...(row?.parentElement?.children ?? [])];
  const selector = `[data-control="${control.dataset["control"] ?? ""}"]`;
  const next = row && rows[rows.indexOf(row) + step]?.querySelector<HTMLElement>(selector);
  if (!next) return;
  event.preventDefault();
  next.focus();
}
