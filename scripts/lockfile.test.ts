import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "./lib/run.ts";

const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
const packages = lockfile.slice(lockfile.indexOf("\npackages:"), lockfile.indexOf("\nsnapshots:"));

/** Versions that were published by somebody who had stolen the maintainers' keys, and what must not come in at all. */
const REFUSED = [
  /^event-stream@3\.3\.6$/,
  /^ua-parser-js@(0\.7\.29|0\.8\.0|1\.0\.0)$/,
  /^(coa@2\.0\.[34]|rc@1\.(2\.9|3\.9|2\.10))$/,
  /^(colors@1\.4\.[12]|faker@6\.6\.6)$/,
  /^node-ipc@(10\.1\.[123]|9\.2\.2)$/,
  /^(chalk@5\.6\.1|debug@4\.4\.2|ansi-styles@6\.2\.2|strip-ansi@7\.1\.1|color-name@2\.0\.1)$/,
  /^@scarf\/scarf@/,
];

test("every package comes from the registry and is named by what is in it", { tags: ["fail:L11"] }, () => {
  const resolutions = [...packages.matchAll(/^ {4}resolution: (.*)$/gm)].map((match) => match[1]);
  expect(resolutions.length).toBeGreaterThan(300);
  // An address of its own (tarball, git, directory) would stand beside the checksum, or in its place.
  expect(resolutions.filter((one) => !/^\{integrity: sha512-[\w+/]+={0,2}\}$/.test(one ?? ""))).toEqual([]);
});

test("no package that is known to be bad, and none by an exact link of its own", { tags: ["fail:L11"] }, () => {
  const names = [...packages.matchAll(/^ {2}'?((?:@[\w.-]+\/)?[\w.-]+@[^':]+)'?:$/gm)].map((match) => match[1] ?? "");
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => REFUSED.some((refused) => refused.test(name)))).toEqual([]);
  expect(names.filter((name) => /@(https?|git|file|link):/.test(name))).toEqual([]);
});
