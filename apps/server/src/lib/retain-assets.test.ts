import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { addMs, Day } from "@marketday/domain/time";
import { afterAll, expect, test } from "vitest";

import { retainAssets } from "./retain-assets.ts";

const dir = mkdtempSync(join(tmpdir(), "marketday-assets-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function build(...names: string[]): string {
  const from = mkdtempSync(join(dir, "build-"));
  for (const name of names) writeFileSync(join(from, name), `of ${name}`);
  return from;
}

test("assets: files of earlier builds stay for fourteen days after the last start with them", async () => {
  const to = join(dir, "retained");
  mkdirSync(to);
  const first = new Date("2026-11-01T12:00:00Z");
  const old = build("app-1.js", "kit-1.js");
  await retainAssets(old, to, first);
  await retainAssets(old, to, addMs(first, 5 * Day.ms));
  const next = build("app-2.js", "kit-1.js");
  await retainAssets(next, to, addMs(first, 6 * Day.ms));
  expect(readdirSync(to).toSorted()).toEqual(["app-1.js", "app-2.js", "kit-1.js"]);
  await retainAssets(next, to, addMs(first, 19 * Day.ms));
  expect(readdirSync(to)).toContain("app-1.js");
  await retainAssets(next, to, addMs(first, 19 * Day.ms + 1));
  expect(readdirSync(to).toSorted()).toEqual(["app-2.js", "kit-1.js"]);
  expect(readFileSync(join(to, "kit-1.js"), "utf8")).toBe("of kit-1.js");
});

test("assets: what a server left that ended while it copied is never served under its name, and is deleted later", async () => {
  const to = join(dir, "incomplete");
  mkdirSync(to);
  const now = new Date("2026-11-01T12:00:00Z");
  writeFileSync(join(to, ".copying-1"), "of a");
  utimesSync(join(to, ".copying-1"), now, now);
  const from = build("app-1.js");
  await retainAssets(from, to, now);
  expect(readFileSync(join(to, "app-1.js"), "utf8")).toBe("of app-1.js");
  expect(readdirSync(to).toSorted()).toEqual([".copying-1", "app-1.js"]);
  await retainAssets(from, to, addMs(now, 14 * Day.ms + 1));
  expect(readdirSync(to)).toEqual(["app-1.js"]);
});
