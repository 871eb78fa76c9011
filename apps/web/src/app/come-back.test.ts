import { expect, test, vi } from "vitest";

vi.stubGlobal("document", { getElementById: () => null, documentElement: { getAttribute: () => null } });
const { pauseAfter } = await import("./come-back.ts");
vi.unstubAllGlobals();

test("kept page: the pause between two requests doubles up to a minute", () => {
  expect([0, 1, 2, 3, 4, 5, 50].map((failures) => pauseAfter(failures, 0.5))).toEqual([
    5_000, 10_000, 20_000, 40_000, 60_000, 60_000, 60_000,
  ]);
});

test("kept page: pauses of shoppers differ by up to a half", () => {
  expect([pauseAfter(1, 0), pauseAfter(1, 1)]).toEqual([7_500, 12_500]);
});
