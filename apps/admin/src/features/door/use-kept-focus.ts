import { type FocusEvent, type RefObject, useEffect, useEffectEvent, useRef } from "react";

import type { DoorBox } from "./api.ts";

const boxOf = (target: EventTarget): number | null =>
  target instanceof HTMLElement && target.dataset["box"] !== undefined ? Number(target.dataset["box"]) : null;

/**
 * The focus stays in the lists when the box that has it is not to collect any more: it goes to the next box, after the last one to the one
 * before. `list`: the element that takes the handlers, and the focus when nothing is left. `due`: boxes in the order of the screen.
 */
export function useKeptFocus(list: RefObject<HTMLElement | null>, due: readonly Pick<DoorBox, "orderId">[]) {
  const focused = useRef<number | null>(null);
  const before = useRef<readonly number[]>([]);
  const key = due.map(({ orderId }) => orderId).join();
  const keep = useEffectEvent((listed: string) => {
    const ids = listed.split(",").map(Number);
    const at = before.current.findIndex((id) => id === focused.current);
    if (at !== -1 && !ids.includes(before.current[at]!) && document.activeElement === document.body) {
      const left = new Set(ids);
      const next =
        before.current.slice(at).find((id) => left.has(id)) ??
        before.current.slice(0, at).findLast((id) => left.has(id));
      const box = list.current?.querySelector<HTMLElement>(`[data-box="${next}"]`);
      (box ?? list.current)?.focus({ preventScroll: true });
    }
    before.current = ids;
  });
  useEffect(() => keep(key), [key]);
  return {
    onFocus: ({ target }: FocusEvent) => {
      focused.current = boxOf(target);
    },
    // React sends none for an element that it removes.
    onBlur: () => {
      focused.current = null;
    },
  };
}
