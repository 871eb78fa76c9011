import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from "react";
import { tinykeys } from "tinykeys";

import * as t from "#messages/shell";

import { getItem, removeItem, setItem } from "../../lib/storage.ts";

/** A key of a screen, or of the frame. */
export interface Shortcut {
  /** As tinykeys writes it: "g t" one after the other, "$mod+k" Ctrl or ⌘, "[Shift]+?" whatever Shift is, "([1-9])" any of these. */
  keys: string;
  /** How the list of keys prints it, where `keys` is an expression. */
  shown?: string;
  /** What it does, for the list of keys. */
  label: string;
  run: (event: KeyboardEvent) => void;
}

interface Registered {
  list: readonly Shortcut[];
  isFrame: boolean;
}

let registered: readonly Registered[] = [];
const listeners = new Set<() => void>();
const notify = () => {
  for (const listener of listeners) listener();
};
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
const change = (next: typeof registered) => {
  registered = next;
  notify();
};

/** Kept per browser: someone who dictates or whose hand trembles turns single keys off (WCAG 2.1.4). */
const OFF = "shortcuts-off";
let isOff: boolean | undefined;
const readOff = () => (isOff ??= getItem<boolean>("local", OFF) === true);

/** Turns the shortcuts without Ctrl or ⌘ on or off. */
export function setShortcutsOff(off: boolean): void {
  isOff = off;
  if (off) setItem("local", OFF, true);
  else removeItem("local", OFF);
  notify();
}
export const useShortcutsOff = (): boolean => useSyncExternalStore(subscribe, readOff);

/** What is registered now: of the screen, then of the frame. */
export const useRegistered = (): readonly Registered[] => useSyncExternalStore(subscribe, () => registered);

/**
 * Registers keys for as long as the component is on screen; `?` lists them. The list may be another one at each render: a key runs the
 * newest. A screen's key wins over the frame's.
 */
export function useShortcuts(list: readonly Shortcut[], isFrame = false): void {
  const run = useEffectEvent((at: number, event: KeyboardEvent) => list[at]?.run(event));
  const signature = JSON.stringify(list.map(({ keys, shown, label }) => ({ keys, shown, label })));
  const stable = useMemo(
    () => JSON.parse(signature) as readonly Pick<Shortcut, "keys" | "shown" | "label">[],
    [signature],
  );
  useEffect(() => {
    const entry: Registered = {
      list: stable.map((shortcut, at) => ({ ...shortcut, run: (event) => run(at, event) })),
      isFrame,
    };
    // The frame's come last.
    change(isFrame ? [...registered, entry] : [entry, ...registered]);
    return () => change(registered.filter((one) => one !== entry));
  }, [stable, isFrame]);
}

/** Whether keys are text for an element. */
function takesText(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable || target.matches("textarea, select")) return true;
  return (
    target instanceof HTMLInputElement &&
    !/^(?:button|checkbox|color|file|image|radio|range|reset|submit)$/.test(target.type)
  );
}

/** Whether a key activates an element already. */
const isPressed = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest("a, button, input, summary, [role=option], [role=tab]") !== null;

/** Keys with Ctrl, ⌘ or Alt: they are never text. */
export const hasModifier = (keys: string): boolean => /(?:\$mod|Control|Meta|Alt)\+/.test(keys);

/** Whether a single key is not for a shortcut: it is text, acts on what has the focus, or is pressed in a dialog. */
function isOfPage(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || takesText(event.target)) return true;
  if (readOff() && event.key.length === 1) return true;
  if ((event.key === "Enter" || event.key === " ") && isPressed(event.target)) return true;
  return document.querySelector("dialog[open]") !== null;
}

/** Listens for the registered keys. Once, in the frame. */
export function useShortcutKeys(): void {
  const all = useRegistered();
  useEffect(() => {
    const plain: Record<string, (event: KeyboardEvent) => void> = {};
    const modified: typeof plain = {};
    for (const { keys, run } of all.flatMap(({ list }) => list)) {
      const map = hasModifier(keys) ? modified : plain;
      map[keys] ??= (event) => {
        event.preventDefault();
        run(event);
      };
    }
    const stops = [
      tinykeys(window, plain, { ignore: isOfPage }),
      tinykeys(window, modified, { ignore: (event) => event.isComposing || event.repeat }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [all]);
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform);

/** The caps of a shortcut as they are printed, in the order in which they are pressed: `["G", "T"]`, `["Ctrl K"]`. */
export function capsOf({ keys, shown }: Pick<Shortcut, "keys" | "shown">, mac = isMac()): string[] {
  if (shown !== undefined) return [shown];
  const names: Record<string, string> = {
    $mod: mac ? "⌘" : t.ctrl,
    Control: t.ctrl,
    Meta: "⌘",
    Shift: t.shift,
    Enter: t.enter,
    Escape: t.escape,
  };
  return keys.split(" ").map((press) =>
    press
      .split("+")
      .filter((part) => !part.startsWith("["))
      .map((part) => names[part] ?? (part.length === 1 ? part.toUpperCase() : part))
      .join(" "),
  );
}
