import { useEffect, useEffectEvent, useMemo, useSyncExternalStore } from "react";
import { matchKeybindingPress, parseKeybinding } from "tinykeys";

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
  /** With Ctrl, ⌘ or Alt: also in a dialog and where text is typed. */
  isEverywhere?: boolean;
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
  const signature = JSON.stringify(
    list.map(({ keys, shown, label, isEverywhere }) => ({ keys, shown, label, isEverywhere })),
  );
  const stable = useMemo(() => JSON.parse(signature) as readonly Omit<Shortcut, "run">[], [signature]);
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

/** Keys with Ctrl, ⌘ or Alt: they type no letter, but may act on text: Ctrl A selects it. */
export const hasModifier = (keys: string): boolean => /(?:\$mod|Control|Meta|Alt)\+/.test(keys);

/** Whether a key without Ctrl, ⌘ or Alt is not for a shortcut: they are off, it is text, acts on what has the focus, or is pressed in a dialog. */
export function isOfPage(event: KeyboardEvent): boolean {
  if (readOff() || event.defaultPrevented || event.isComposing || takesText(event.target)) return true;
  if ((event.key === "Enter" || event.key === " ") && isPressed(event.target)) return true;
  return isInDialog();
}

const isInDialog = (): boolean => document.querySelector("dialog[open]") !== null;

/** Whether a press is not for a shortcut with these keys. */
export function isIgnored(
  { keys, isEverywhere }: Pick<Shortcut, "keys" | "isEverywhere">,
  event: KeyboardEvent,
): boolean {
  if (!hasModifier(keys)) return isOfPage(event);
  if (event.isComposing || event.repeat) return true;
  return !isEverywhere && (event.defaultPrevented || takesText(event.target) || isInDialog());
}

/** Between two presses of a sequence, ms. */
const PAUSE = 1000;

/**
 * A listener of `keydown` that runs the shortcut whose presses were the last ones: of several that with the most presses, then the
 * first. `list` is read at each press: keys that are registered in the middle of a sequence neither break it off nor miss its
 * beginning. After the first press of a sequence only sequences run for as long as it may go on: G and a letter that completes none is
 * not that letter alone. `ignores`: presses that count for nothing.
 */
export function listenerOf(
  list: () => readonly Pick<Shortcut, "keys" | "run">[],
  ignores: (event: KeyboardEvent) => boolean,
): (event: KeyboardEvent) => void {
  let pressed: KeyboardEvent[] = [];
  // When the first press of a sequence was, in the time of events.
  let begun = Number.NEGATIVE_INFINITY;
  const fits = ({ keys }: Pick<Shortcut, "keys">) => {
    const presses = parseKeybinding(keys);
    const last = pressed.slice(-presses.length);
    return last.length === presses.length && presses.every((press, at) => matchKeybindingPress(last[at]!, press));
  };
  return (event) => {
    // A browser that fills a form in sends events without a key.
    if (!event.key || isModifier(event.key) || ignores(event)) return;
    const before = pressed.at(-1);
    if (before && event.timeStamp - before.timeStamp > PAUSE) pressed = [];
    pressed = [...pressed, event].slice(-LONGEST);
    const all = list();
    const isWithin = event.timeStamp - begun <= PAUSE;
    const fitting = all.filter((shortcut) => fits(shortcut) && (!isWithin || pressesOf(shortcut) > 1));
    const [found] = fitting.toSorted((one, other) => pressesOf(other) - pressesOf(one));
    if (!found) {
      const begins = ({ keys }: Pick<Shortcut, "keys">) => matchKeybindingPress(event, parseKeybinding(keys)[0]!);
      if (all.some((shortcut) => pressesOf(shortcut) > 1 && begins(shortcut))) begun = event.timeStamp;
      return;
    }
    pressed = [];
    begun = Number.NEGATIVE_INFINITY;
    event.preventDefault();
    found.run(event);
  };
}

/** As many presses as a shortcut has at most. */
const LONGEST = 4;
const pressesOf = ({ keys }: Pick<Shortcut, "keys">): number => keys.split(" ").length;
const isModifier = (key: string): boolean => /^(?:Shift|Control|Alt|AltGraph|Meta|CapsLock)$/.test(key);

/** Kinds of shortcuts; presses that are ignored for one of a kind are for all of it. */
const KINDS: readonly ((shortcut: Pick<Shortcut, "keys" | "isEverywhere">) => boolean)[] = [
  ({ keys }) => !hasModifier(keys),
  ({ keys, isEverywhere = false }) => hasModifier(keys) && !isEverywhere,
  ({ keys, isEverywhere = false }) => hasModifier(keys) && isEverywhere,
];

/** Listens for the registered keys. Once, in the frame. */
export function useShortcutKeys(): void {
  useEffect(() => {
    const all = () => registered.flatMap(({ list }) => list);
    const listeners = KINDS.map((isOfKind) =>
      listenerOf(
        () => all().filter(isOfKind),
        (event) => !all().some((shortcut) => isOfKind(shortcut) && !isIgnored(shortcut, event)),
      ),
    );
    for (const listener of listeners) addEventListener("keydown", listener);
    return () => {
      for (const listener of listeners) removeEventListener("keydown", listener);
    };
  }, []);
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
