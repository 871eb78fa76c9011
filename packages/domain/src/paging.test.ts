import { describe, expect, test } from "vitest";

import { clampRows, ELLIPSIS, pageCount, pageOffset, pageWindow } from "./paging.ts";

describe("pageWindow", { tags: ["spec:2.4-65"] }, () => {
  test.each([
    [1, 0, ""],
    [1, 1, "1"],
    [2, 6, "1 2 3 4 5 6"],
    [1, 7, "1 2 3 4 … 7"],
    [3, 7, "1 2 3 4 … 7"],
    [4, 7, "1 2 3 4 5 6 7"],
    [5, 7, "1 … 4 5 6 7"],
    [7, 7, "1 … 4 5 6 7"],
    [4, 20, "1 2 3 4 5 … 20"],
    [5, 20, "1 … 4 5 6 … 20"],
    [10, 20, "1 … 9 10 11 … 20"],
    [17, 20, "1 … 16 17 18 19 20"],
    [20, 20, "1 … 17 18 19 20"],
    [99, 20, "1 … 17 18 19 20"],
    [-3, 20, "1 2 3 4 … 20"],
  ])("page %i of %i: %s", (current, total, links) => {
    expect(pageWindow(current, total).join(" ")).toBe(links);
  });

  test("always holds first, current and last, ascending, and hides only runs of two or more", () => {
    for (let total = 7; total <= 40; total += 1) {
      for (let current = 1; current <= total; current += 1) {
        const links = pageWindow(current, total);
        const pages = links.filter((link) => link !== ELLIPSIS);
        expect(pages).toEqual(expect.arrayContaining([1, current, total]));
        expect(pages).toEqual([...new Set(pages)].toSorted((a, b) => a - b));
        for (const [place, link] of links.entries()) {
          const before = links[place - 1];
          const after = links[place + 1];
          if (link === ELLIPSIS) expect(Number(after) - Number(before)).toBeGreaterThan(2);
          else if (typeof before === "number") expect(link - before).toBe(1);
        }
        expect(links.length).toBeLessThanOrEqual(7);
      }
    }
  });
});

test.each([
  [0, 18, 0],
  [1, 18, 1],
  [18, 18, 1],
  [19, 18, 2],
  [-5, 18, 0],
])("%i rows of %i a page are %i pages", (rows, perPage, pages) => {
  expect(pageCount(rows, perPage)).toBe(pages);
});

test.each([
  [1e9, 100],
  [101, 100],
  [100, 100],
  [18, 18],
  [0, 1],
  [-1, 1],
])("%d rows a page are clamped to %i", { tags: ["fail:I7"] }, (rows, clamped) => {
  expect(clampRows(rows)).toBe(clamped);
});

test("rows before a page", () => {
  expect([pageOffset(1, 18), pageOffset(3, 18)]).toEqual([0, 36]);
});
