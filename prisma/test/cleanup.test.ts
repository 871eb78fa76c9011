import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { beforeAll, describe, expect, test } from "vitest";

import { atEnd, closeOpen, createTestFolder } from "./cleanup.ts";

const closed: string[] = [];
/** A function that adds the name to `closed`. */
const closeOf = (name: string) => () => void closed.push(name);

describe("what a test makes is closed when it ends, latest first", () => {
  atEnd(closeOf("suite"));
  beforeAll(() => void atEnd(closeOf("hook")));
  let folder = "";

  test("made in a test", async () => {
    atEnd(closeOf("first"));
    atEnd(closeOf("second"));
    const close = atEnd(closeOf("early"));
    await Promise.all([close(), close()]);
    expect(closed).toEqual(["early"]);
    folder = createTestFolder("cleanup");
    writeFileSync(join(folder, "file.txt"), "");
  });

  test("found closed in the next test", () => {
    expect(closed).toEqual(["early", "second", "first"]);
    expect(existsSync(folder)).toBe(false);
  });
});

test("what a suite makes is closed when the suite ends, what a hook makes when the file ends", async () => {
  expect(closed.slice(3)).toEqual(["suite"]);
  expect(await closeOpen()).toEqual([]);
  expect(closed.slice(3)).toEqual(["suite", "hook"]);
});

test("an error while closing does not keep the rest open", async () => {
  atEnd(closeOf("after the error"));
  atEnd(() => Promise.reject(new Error("not closed")));
  expect(await closeOpen()).toEqual([new Error("not closed")]);
  expect(closed.at(-1)).toBe("after the error");
});
