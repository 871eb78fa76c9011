import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { createTestFolder } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { makeFolder } from "./make-folder.ts";

test("makeFolder: taken back, it removes what it created and is empty, and nothing that was there or has files", async () => {
  const root = createTestFolder("make-folder");
  mkdirSync(join(root, "there"));
  const removeAll = await makeFolder(join(root, "there", "new", "deep"));
  await removeAll();
  expect(readdirSync(join(root, "there"))).toEqual([]);
  const removeNothing = await makeFolder(join(root, "there"));
  await removeNothing();
  expect(readdirSync(root)).toEqual(["there"]);
  const removeOtherWay = await makeFolder(`${root}/passed/../new/deep`);
  expect(readdirSync(root).toSorted()).toEqual(["new", "there"]);
  mkdirSync(join(root, "passed"));
  await removeOtherWay();
  expect(readdirSync(root).toSorted()).toEqual(["passed", "there"]);
  const removeEmpty = await makeFolder(join(root, "used", "empty"));
  writeFileSync(join(root, "used", "file"), "");
  await removeEmpty();
  expect(readdirSync(join(root, "used"))).toEqual(["file"]);
});
