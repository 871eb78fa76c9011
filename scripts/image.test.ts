import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

import { expect, test } from "vitest";

import { root } from "./lib/run.ts";

/** One line of .dockerignore as an expression over paths: `**` is any folders, `*` anything but a slash. */
function pattern(line: string): RegExp {
  const body = line
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("**/", "\u0000")
    .replaceAll("*", "[^/]*")
    .replaceAll("\u0000", "(?:.*/)?");
  return new RegExp(`^${body}(?:/.*)?$`);
}

/** What `COPY . .` takes: the last line that fits a path decides. */
function imageFiles(paths: string[]): string[] {
  const lines = readFileSync(join(root, ".dockerignore"), "utf8").split("\n");
  const rules = lines
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => ({ leavesOut: !line.startsWith("!"), fits: pattern(line.replace(/^!/, "")) }));
  return paths.filter((path) => !(rules.findLast(({ fits }) => fits.test(path))?.leavesOut ?? false));
}

/** The repository's own files. */
function filesBelow(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (!entry.isDirectory()) return [relative(root, path).replaceAll("\\", "/")];
    return /^(node_modules|dist|var|generated|\.git|\.generate.*|.*-lock)$/.test(entry.name) ? [] : filesBelow(path);
  });
}

const sources = filesBelow(root);

test("the image holds no tests, failpoints, stories or secrets", { tags: ["fail:L8"] }, () => {
  const local = [
    ".env",
    "apps/server/.env",
    ".env.production",
    "var/session-secret",
    "node_modules/a/index.js",
    "apps/web/dist/a.js",
  ];
  const files = imageFiles([...sources, ...local]);
  expect(
    files.filter((path) => /(^|\/)(test|e2e|bench|node_modules|var)\/|\.test\.tsx?$|failpoint/.test(path)),
  ).toStrictEqual([]);
  expect(files.filter((path) => /(^|\/)\.env(\.|$)/.test(path))).toStrictEqual([".env.example"]);
  expect(sources.filter((path) => /(^|\/)test\//.test(path)).length).toBeGreaterThan(5);
});

test("the image holds what runs", () => {
  expect(imageFiles(sources)).toEqual(
    expect.arrayContaining([
      "package.json",
      "pnpm-lock.yaml",
      "scripts/start.ts",
      "scripts/lib/start-market.ts",
      "apps/server/src/main.ts",
      "prisma/schema.prisma",
      "prisma/src/generate.ts",
      "apps/web/index.html",
    ]),
  );
});

test("the image starts the market as `pnpm start` does", () => {
  const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } };
  const command = /^CMD (.+)$/m.exec(readFileSync(join(root, "Dockerfile"), "utf8"))?.[1];
  expect(JSON.parse(command ?? "null")).toEqual(scripts.start.split(" "));
});
