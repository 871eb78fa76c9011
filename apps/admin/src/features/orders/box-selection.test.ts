import { expect, test } from "vitest";

import { NO_BOXES, toggleBox, toggleBoxes } from "./box-selection.ts";

const LIST = [1, 2, 3, 4];

test("box selection: a range goes from the last box to this one, and a box that is not in the list begins none", () => {
  const one = toggleBox(NO_BOXES, LIST, 2, true);
  expect([...toggleBox(one, LIST, 4, true).ids]).toEqual([2, 3, 4]);
  expect([...toggleBox(one, LIST, 4, false).ids]).toEqual([2, 4]);
  expect([...toggleBox(one, LIST, 2, false).ids]).toEqual([]);
  expect([...toggleBox({ ids: new Set(), anchor: 9 }, LIST, 3, true).ids]).toEqual([3]);
});

test("box selection: the list is chosen or left as a whole", () => {
  const all = toggleBoxes(toggleBox(NO_BOXES, LIST, 2, false), LIST);
  expect([...all.ids]).toEqual(LIST);
  expect(toggleBoxes(all, LIST).ids.size).toBe(0);
});
