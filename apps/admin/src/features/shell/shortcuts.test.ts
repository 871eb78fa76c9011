import { MemoryStorage } from "@marketday/client/test/memory-storage.ts";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { capsOf, hasModifier, isOfPage, listenerOf, setShortcutsOff } from "./shortcuts.ts";

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
  expect(ran).toEqual(["x"]);
  listener(press("g", 2500));
  listener(press("Shift", 2600));
  listener(press("#", 2700));
  listener(press("t", 3500));
  expect(ran).toEqual(["x", "g t"]);
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
