import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

import { cruise, type ICruiseOptions, type ICruiseResult } from "dependency-cruiser";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = ["packages", "prisma", "apps", "scripts"];
const require = createRequire(import.meta.url);

/** `.dependency-cruiser.cjs`, with the layers of the server, each a list of rows. */
export const readRules = () =>
  require(join(root, ".dependency-cruiser.cjs")) as {
    serverLayers: string[][][];
    options: ICruiseOptions;
    forbidden: object[];
  };

/** Imports below `base` that break a rule, one line each, and the number of checked TypeScript files. */
export async function findWrongImports(base: string): Promise<{ violations: string[]; checked: number }> {
  const { options, forbidden } = readRules();
  const typescript = { fileName: join(root, "tsconfig.base.json") };
  const settings = {
    ...options,
    baseDir: base,
    validate: true,
    ruleSet: { forbidden },
    tsConfig: typescript,
  } as ICruiseOptions;
  const { output } = await cruise(
    folders.filter((folder) => existsSync(join(base, folder))),
    settings,
  );
  const { modules, summary } = output as ICruiseResult;
  return {
    checked: modules.filter(({ source }) => /\.tsx?$/.test(source) && !source.includes("node_modules")).length,
    violations: summary.violations.map(({ rule, from, to, cycle }) => {
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

/** Files that may read the clock. All other code receives the time as an argument. */
const clockFiles =
  /^(apps\/server\/src\/lib\/clock\.ts|(apps\/(?:web|admin)\/src\/lib|packages\/client\/src)\/.*|prisma\/src\/new-migration\.ts|scripts\/.*)$/;

/** Lines that read the clock in files that must not. */
export function clockReaders(file: string, text: string): string[] {
  if (clockFiles.test(file)) return [];
  return text.split("\n").flatMap((line, index) => {
    const code = line.replace(/^\s*(\/\/|\*|\/\*).*$/, "").replace(/(["'`])(?:\\.|(?!\1).)*\1/g, '""');
    return /\bnew Date\(\s*\)|\bDate\.now\(|\bTemporal\.Now\b/.test(code)
      ? [`${file}:${index + 1} reads the clock`]
      : [];
  });
}

if (import.meta.main) {
  const { violations, checked } = await findWrongImports(root);
  const readers = folders
    .flatMap((folder) => sources(join(root, folder)))
    .flatMap((path) => clockReaders(relative(root, path).replaceAll("\\", "/"), readFileSync(path, "utf8")));
  for (const line of [...violations, ...readers]) console.error(line);
  // With an unsupported TypeScript version the cruiser skips every .ts file and reports no errors.
  if (checked === 0) console.error("No TypeScript file was checked: is `typescript` still version 6?");
  console.log(`${checked} TypeScript files, ${violations.length + readers.length} wrong imports.`);
  if (checked === 0 || violations.length + readers.length > 0) process.exitCode = 1;
}
