import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";

import { createTestFolder } from "@marketday/db/testing";
import { expect, test } from "vitest";

import { writeFolder } from "./write-folder.ts";

const write = (text: string) => (path: string) => writeFile(path, text);
const fail = () => Promise.reject(new Error("the disk is full"));
const { signal } = new AbortController();

test("writeFolder: after a failed file the folder is as before, and a new one is gone with its subfolders and parents", async () => {
  const root = createTestFolder("write-folder");
  const files = [
    { name: "faq.md", make: write("new") },
    { name: "blog/first.md", make: write("new") },
    { name: "blog/second.md", make: fail },
  ];
  await expect(writeFolder(join(root, "words", "english"), files, signal)).rejects.toThrow("the disk is full");
  expect(existsSync(join(root, "words"))).toBe(false);

  writeFileSync(join(root, "faq.md"), "old");
  await expect(writeFolder(root, files, signal)).rejects.toThrow("the disk is full");
  expect([readdirSync(root), readFileSync(join(root, "faq.md"), "utf8")]).toEqual([["faq.md"], "old"]);
});
