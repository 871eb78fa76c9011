import { expect, test } from "vitest";

import { declutter } from "./declutter.ts";

const name = (text: string, x: number, y: number, rank = 1) => ({ text, x, y, rank });

test("names that lie on each other: the more important one stays", () => {
  expect(
    declutter([name("Boone", 100, 100, 2), name("Marion", 110, 104, 0), name("Clay", 100, 200, 2)], 400, 300),
  ).toEqual([false, true, true]);
});

test("names one above the other: the more important one stays, whichever is lower", () => {
  expect(declutter([name("Boone", 100, 100, 2), name("Clay", 100, 112, 0)], 400, 300)).toEqual([false, true]);
  expect(declutter([name("Boone", 100, 100, 0), name("Clay", 100, 112, 2)], 400, 300)).toEqual([true, false]);
  expect(declutter([name("Boone", 100, 112, 2), name("Clay", 100, 100, 0)], 400, 300)).toEqual([false, true]);
});

test("a name that would be cut by the edge is left out", () => {
  expect(declutter([name("Tippecanoe", 10, 100), name("Boone", 200, 4), name("Clay", 200, 100)], 400, 300)).toEqual([
    false,
    false,
    true,
  ]);
});

test("where there is room all are shown; none for none", () => {
  expect(declutter([name("Boone", 100, 100), name("Marion", 100, 140)], 400, 300)).toEqual([true, true]);
  expect(declutter([], 400, 300)).toEqual([]);
});

test("names stay clear of what is taken", () => {
  expect(
    declutter([name("Randolph", 350, 60, 0), name("Clay", 200, 100)], 400, 300, [
      { left: 340, right: 400, top: 0, bottom: 150 },
    ]),
  ).toEqual([false, true]);
});
