import { brotliDecompressSync } from "node:zlib";

import { expect, test } from "vitest";

import { brotliEnd, brotliStart } from "./brotli.ts";

test.each([
  ["", ""],
  ["", "tail"],
  ["start ".repeat(9_000), ""],
  ["start ".repeat(9_000), "é"],
  ["ä", "x".repeat(65_535)],
  ["ä", "x".repeat(65_536)],
  ["ä", "x".repeat(65_537)],
  ["start", "y ".repeat(100_000)],
])("brotli: a compressed start and a raw end are one stream", async (start, end) => {
  const stream = Buffer.concat([await brotliStart(start), brotliEnd(end)]);
  expect(brotliDecompressSync(stream).toString() === start + end).toBe(true);
});
