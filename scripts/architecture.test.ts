import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "./lib/run.ts";
import { isBuilt } from "./lib/web-build.ts";
import { readRules } from "./lint-imports.ts";

const src = join(root, "apps/server/src");
const document = readFileSync(join(root, "docs/architecture.md"), "utf8");

/** The layers as `row name`, such as "3.1 cart". */
const ruled = readRules().serverLayers.flatMap((rows, layer) =>
  rows.flatMap((names, row) => names.map((name) => `${layer}.${row + 1} ${name}`)),
);
const documented = [...document.matchAll(/^\| (\d\.\d) \| `([a-z.-]+)` \|/gm)].map(([, row, name]) => `${row} ${name}`);

test("architecture: docs/architecture.md has the layers that lint:imports enforces", () => {
  expect(documented).toEqual(ruled);
});

test("architecture: every module, folder and file of the server is in one row", () => {
  const found = [
    ...readdirSync(join(src, "modules")),
    ...readdirSync(src).filter((name) => name !== "modules" && !name.endsWith(".test.ts")),
  ];
  expect(ruled.map((entry) => entry.split(" ")[1]!).toSorted()).toEqual(found.toSorted());
});

test("architecture: HTML forms are rendered where they are received, by lib/link-pages.ts", () => {
  const withForm = globSync("**/*.ts", { cwd: src, exclude: ["**/*.test.ts"] }).filter((path) =>
    /<form\b/i.test(readFileSync(join(src, path), "utf8")),
  );
  expect(withForm.map((path) => path.replaceAll("\\", "/"))).toEqual(["lib/link-pages.ts"]);
});

test("architecture: HTML of the server is written in templates that escape, and values are in text or quoted attributes", () => {
  const found = globSync("**/*.ts", { cwd: src, exclude: ["**/*.test.ts"] }).flatMap((path) => {
    const code = readFileSync(join(src, path), "utf8").replaceAll(/^ *(?:\/\/|\/?\*).*$/gm, "");
    const strings = code.match(/(?<!html|trusted\()[`"']<(?!!--|br>)[a-z!/].*/g) ?? [];
    const unquoted = code.match(/<[a-z][^`<>]*=\$\{.*|<(?:script|style)[^<>]*>\$\{(?!scriptJson\().*/g) ?? [];
    return [...strings, ...unquoted].map((line) => `${path.replaceAll("\\", "/")}: ${line}`);
  });
  expect(found).toEqual(["lib/plain-page.ts: <style>${STYLE}</style>`);"]);
});

test("architecture: source files that the server preloads exist, and the web app loads each lazily, so that the build lists it", () => {
  const web = join(root, "apps/web");
  const lazy = new Set(
    globSync("src/**/*.{ts,tsx}", { cwd: web }).flatMap((path) =>
      [...readFileSync(join(web, path), "utf8").matchAll(/import\("(\.[^"]+)"\)/g)].map(([, name]) =>
        join(path, "..", name!).replaceAll("\\", "/"),
      ),
    ),
  );
  const preloaded = globSync("modules/pages/*.ts", { cwd: src, exclude: ["**/*.test.ts"] }).flatMap((path) =>
    [...readFileSync(join(src, path), "utf8").matchAll(/["`](src\/[^"`]*\.tsx)["`]/g)].map(([, name]) => name!),
  );
  const manifest = isBuilt("web") ? readFileSync(join(web, "dist/.vite/manifest.json"), "utf8") : null;
  const isListed = (name: string) => manifest === null || Object.hasOwn(JSON.parse(manifest) as object, name);
  expect(preloaded.length).toBeGreaterThan(20);
  expect(preloaded.filter((name) => !lazy.has(name) || !existsSync(join(web, name)) || !isListed(name))).toEqual([
    // The type of these names.
    "src/${string}.tsx",
  ]);
});

/** Files where SQL is written by hand. */
const SQL_FILES = /-sql\.ts$/;

/** Other files with SQL. The list may only become shorter. */
const SQL_ELSEWHERE = [
  // The database's time, health and sizes.
  "lib/clock.ts",
  // Settings of their own transaction, and copies of whole tables.
  "modules/backup/back-up.ts",
  "modules/backup/fill-tables.ts",
  // Statements that are built from the columns of a kind of file.
  "modules/imports/check-rows.ts",
  "modules/imports/export-file.ts",
  "modules/imports/import-file.ts",
  "modules/imports/kind.ts",
  "modules/imports/kinds/bundles.ts",
  "modules/imports/kinds/collections.ts",
  "modules/imports/kinds/notices.ts",
  "modules/imports/kinds/write-products.ts",
  "modules/imports/stage-rows.ts",
  "modules/payments/buy.ts",
  "modules/payments/finish-refund.ts",
  // A condition for the stores.
  "modules/payments/payment-transitions.ts",
  "modules/payments/void-charge.ts",
  "plugins/health.ts",
  "plugins/metrics.ts",
];

const sources = globSync("**/*.ts", { cwd: src, exclude: ["**/*.test.ts"] }).map((path) => path.replaceAll("\\", "/"));
const withSql = sources.filter((path) =>
  /\bsql(?:<[^`]*>)?`|\.client\.query\b|\$(?:query|execute)Raw/.test(readFileSync(join(src, path), "utf8")),
);

test("architecture: SQL by hand is in files named …-sql", () => {
  expect(withSql.length).toBeGreaterThan(80);
  expect(withSql.filter((path) => !SQL_FILES.test(path)).toSorted()).toEqual(SQL_ELSEWHERE.toSorted());
});

test("architecture: no file has both SQL and calls of Prisma's client", () => {
  const called = /\b(?:db|tx|client)\.\w+\.(?:find|create|update|upsert|delete|count|aggregate|groupBy)\w*\(/;
  const calling = sources.filter((path) => called.test(readFileSync(join(src, path), "utf8")));
  expect(calling.length).toBeGreaterThan(60);
  expect(calling.filter((path) => withSql.includes(path))).toEqual([]);
});

/** The conditions of the `findUnique` calls of a file. */
function conditionsOf(text: string): string[] {
  return [...text.matchAll(/\.findUnique(?:OrThrow)?\(\{\s*where: \{/g)].map(({ index, 0: { length } }) => {
    let end = index + length;
    for (let depth = 1; depth > 0; end += 1) depth += { "{": 1, "}": -1 }[text[end]!] ?? 0;
    return text.slice(index + length, end - 1);
  });
}

// Prisma runs `findUnique` calls of one moment with other conditions in one transaction: one fails the others, and a replica is
// read without its check.
test("architecture: findUnique compares for equality alone", () => {
  const found = sources.flatMap((path) => conditionsOf(readFileSync(join(src, path), "utf8")));
  expect(found.length).toBeGreaterThan(20);
  /** `a_b: { a, b }` is a unique key of two columns. */
  const withoutKeys = (condition: string) => condition.replaceAll(/\b\w+_\w+: \{(?: \w+(?:: [\w.]+)?,?)+ \}/g, "");
  expect(found.filter((condition) => /: \{|\bOR\b|\bNOT\b/.test(withoutKeys(condition)))).toEqual([]);
});

test("architecture: decision 0018 names each file of SQL by hand with a reason, and no other", () => {
  const decision = readFileSync(join(root, "docs/decisions/0018-read-and-write-by-prismas-client.md"), "utf8");
  const byHand = sources
    .filter((path) => SQL_FILES.test(path))
    .map((path) => path.replace(/^modules\//, "").slice(0, -".ts".length));
  expect(byHand.length).toBeGreaterThan(80);
  const named = [...decision.matchAll(/`([\w/-]+\/[\w-]+-sql)`/g)].map(([, name]) => name!);
  expect(named.toSorted()).toEqual(byHand.toSorted());
});

test("architecture: files named queries, load-… or find-… only read", () => {
  const reads = globSync("**/{queries,load-*,find-*}.ts", { cwd: src });
  expect(reads.length).toBeGreaterThan(20);
  const writes = reads.filter((path) =>
    /\bsql(?:<[^`]*>)?`\s*(?:insert into|update|delete from)\b/i.test(readFileSync(join(src, path), "utf8")),
  );
  expect(writes.map((path) => path.replaceAll("\\", "/"))).toEqual([]);
});
