import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { capsOf, hasModifier } from "./shortcuts.ts";

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
