import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { capsOf, hasModifier, isIgnored, isOfPage, listenerOf, setShortcutsOff } from "./shortcuts.ts";

beforeEach(() => vi.stubGlobal("navigator", { platform: "Linux x86_64" }));
afterEach(() => vi.unstubAllGlobals());

test("keys: they are printed as caps, in the order in which they are pressed", () => {
  expect(capsOf({ keys: "$mod+k" }, false)).toEqual(["Ctrl K"]);
  expect(capsOf({ keys: "$mod+k" }, true)).toEqual(["⌘ K"]);
  expect(capsOf({ keys: "g t" }, false)).toEqual(["G", "T"]);
  expect(capsOf({ keys: "[Shift]+?" }, false)).toEqual(["?"]);
  expect(capsOf({ keys: "([1-9])", shown: "1–9" }, false)).toEqual(["1–9"]);
  expect(capsOf({ keys: "Enter" }, false)).toEqual(["Enter"]);
  expect(capsOf({ keys: "Shift+x" }, false)).toEqual(["Shift X"]);
});

test("keys: those with Ctrl, ⌘ or Alt work while shortcuts are off, and Shift alone is no such key", () => {
  expect(["$mod+k", "Control+s", "Alt+ArrowUp"].map(hasModifier)).toEqual([true, true, true]);
  expect(["g t", "[Shift]+?", "Shift+x", "/"].map(hasModifier)).toEqual([false, false, false, false]);
});

/** A key that is pressed on the page itself, `ms` after it was opened. */
const press = (key: string, ms = 0) =>
  ({
    key,
    code: "",
    timeStamp: ms,
    target: null,
    getModifierState: () => false,
    preventDefault: () => {},
  }) as unknown as KeyboardEvent;

/** What is pressed runs shortcuts of `registered`, which may change between two presses. Keys with a number are ignored. */
function listen(...keys: string[]) {
  const ran: string[] = [];
  const shortcut = (one: string) => ({ keys: one, run: () => void ran.push(one) });
  const registered = keys.map(shortcut);
  const listener = listenerOf(
    () => registered,
    ({ key }) => key === "#",
  );
  return { ran, listener, register: (one: string) => registered.unshift(shortcut(one)) };
}

test("keys: a sequence goes on when other keys, or its own, are registered between its presses", () => {
  const { ran, listener, register } = listen("g t");
  listener(press("g"));
  register("([1-9])");
  listener(press("t"));
  listener(press("g"));
  register("g d");
  listener(press("d"));
  listener(press("5"));
  expect(ran).toEqual(["g t", "g d", "([1-9])"]);
});

test("keys: a sequence ends after a second, and another key or one that was ignored is no part of it", () => {
  const { ran, listener } = listen("g t", "x");
  listener(press("g", 0));
  listener(press("t", 1001));
  listener(press("g", 2000));
  listener(press("x", 2100));
  listener(press("t", 2200));
  listener(press("#", 2300));
  listener(press("t", 2400));
  expect(ran).toEqual([]);
  listener(press("g", 3500));
  listener(press("Shift", 3600));
  listener(press("#", 3700));
  listener(press("t", 4500));
  expect(ran).toEqual(["g t"]);
});

test("keys: after the first press of a sequence a key that does not complete it runs nothing for a second", () => {
  const { ran, listener } = listen("g t", "p", "c");
  listener(press("g", 0));
  listener(press("p", 300));
  listener(press("c", 1000));
  expect(ran).toEqual([]);
  listener(press("c", 1001));
  listener(press("g", 2000));
  listener(press("t", 2100));
  listener(press("p", 2200));
  expect(ran).toEqual(["c", "g t", "p"]);
});

test("keys: one with Ctrl is not for the page behind a dialog, nor where it acts on text, except that of the search", () => {
  class Field extends EventTarget {
    type = "text";
    matches = () => false;
    closest = () => null;
  }
  vi.stubGlobal("HTMLElement", Field);
  vi.stubGlobal("HTMLInputElement", Field);
  vi.stubGlobal("Element", Field);
  const dialog = { open: false };
  vi.stubGlobal("document", { querySelector: () => (dialog.open ? dialog : null) });
  vi.stubGlobal("localStorage", new MemoryStorage());
  const [all, search] = [{ keys: "$mod+a" }, { keys: "$mod+k", isEverywhere: true }];
  const ctrl = (target: EventTarget | null, repeat = false) => ({ ...press("a"), target, repeat }) as KeyboardEvent;
  const ignored = (event: KeyboardEvent) => [all, search].map((shortcut) => isIgnored(shortcut, event));
  expect(ignored(ctrl(null))).toEqual([false, false]);
  expect(ignored(ctrl(new Field()))).toEqual([true, false]);
  expect(ignored(ctrl(null, true))).toEqual([true, true]);
  dialog.open = true;
  expect(ignored(ctrl(null))).toEqual([true, false]);
  // They are on while those without Ctrl are off.
  dialog.open = false;
  setShortcutsOff(true);
  expect(ignored(ctrl(null))).toEqual([false, false]);
  expect(isIgnored({ keys: "x" }, ctrl(null))).toBe(true);
  setShortcutsOff(false);
});

test("keys: while shortcuts are off, neither a letter nor Enter is one", () => {
  vi.stubGlobal("HTMLElement", EventTarget);
  vi.stubGlobal("Element", EventTarget);
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("localStorage", new MemoryStorage());
  expect(["g", "Enter"].map((key) => isOfPage(press(key)))).toEqual([false, false]);
  setShortcutsOff(true);
  expect(["g", "Enter"].map((key) => isOfPage(press(key)))).toEqual([true, true]);
  setShortcutsOff(false);
});
