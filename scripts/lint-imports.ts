import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ["packages", "prisma", "apps", "scripts"];
const require = createRequire(import.meta.url);

/** Imports below `base` that break a rule, one line each, and how many TypeScript files were checked. */
export async function findWrongImports(base: string): Promise<{ wrong: string[]; looked: number }> {
  const { options, ...ruleSet } = require(join(root, ".dependency-cruiser.cjs")) as { options: ICruiseOptions };
  const typescript = { fileName: join(root, "tsconfig.base.json") };
  const settings = { ...options, baseDir: base, validate: true, ruleSet, tsConfig: typescript } as ICruiseOptions;
  const { output } = await cruise(
    folders.filter((folder) => existsSync(join(base, folder))),
    settings,
  );
  const { modules, summary } = output as ICruiseResult;
  return {
    looked: modules.filter(({ source }) => /\.tsx?$/.test(source) && !source.includes("node_modules")).length,
    wrong: summary.violations.map(({ rule, from, to, cycle }) => {
      const path = cycle ? cycle.map((step) => step.name).join(" → ") : to;
      return `${from} → ${path} (${rule.name})`;
    }),
  };
}

function sources(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory())
      return /^(node_modules|dist|generated|test|e2e|var|build)$/.test(entry.name) ? [] : sources(path);
    return /\.tsx?$/.test(entry.name) && !/\.test\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

/** One file of each side may read the clock; everything else is told the time. */
const clocks =
  /^(apps\/server\/src\/lib\/clock\.ts|apps\/web\/src\/lib\/.*|prisma\/src\/new-migration\.ts|scripts\/.*)$/;

/** Places that read the clock and must not. */
export function clockReaders(file: string, text: string): string[] {
  if (clocks.test(file)) return [];
  return text.split("\n").flatMap((line, index) => {
    const code = line.replace(/^\s*(\/\/|\*|\/\*).*$/, "").replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '""');
    return /\bnew Date\(\s*\)|\bDate\.now\(|\bTemporal\.Now\b/.test(code)
      ? [`${file}:${index + 1} reads the clock`]
      : [];
  });
}

if (import.meta.main) {
  const { wrong, looked } = await findWrongImports(root);
  const readers = folders
    .flatMap((folder) => sources(join(root, folder)))
    .flatMap((path) => clockReaders(relative(root, path).replaceAll("\\", "/"), readFileSync(path, "utf8")));
  for (const line of [...wrong, ...readers]) console.error(line);
  // With the wrong TypeScript, the cruiser skips every .ts file and finds nothing to complain about.
  if (looked === 0) console.error("No TypeScript file was looked at: is `typescript` still version 6?");
  console.log(`${looked} TypeScript files, ${wrong.length + readers.length} wrong imports.`);
  if (looked === 0 || wrong.length + readers.length > 0) process.exitCode = 1;
}
