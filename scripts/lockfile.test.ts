import { readFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { root } from "./lib/run.ts";

const lockfile = readFileSync(join(root, "pnpm-lock.yaml"), "utf8");
const packages = lockfile.slice(lockfile.indexOf("\npackages:"), lockfile.indexOf("\nsnapshots:"));

/** Versions that were published with stolen credentials, and packages that must never be installed. */
const REFUSED = [
  /^event-stream@3\.3\.6$/,
  /^ua-parser-js@(0\.7\.29|0\.8\.0|1\.0\.0)$/,
  /^(coa@2\.0\.[34]|rc@1\.(2\.9|3\.9|2\.10))$/,
  /^(colors@1\.4\.[12]|faker@6\.6\.6)$/,
  /^node-ipc@(10\.1\.[123]|9\.2\.2)$/,
  /^(chalk@5\.6\.1|debug@4\.4\.2|ansi-styles@6\.2\.2|strip-ansi@7\.1\.1|color-name@2\.0\.1)$/,
  /^@scarf\/scarf@/,
];

test("lockfile: every package comes from the registry and has a checksum", { tags: ["fail:L11"] }, () => {
  const resolutions = [...packages.matchAll(/^ {4}resolution: (.*)$/gm)].map((match) => match[1]);
  expect(resolutions.length).toBeGreaterThan(300);
  // A package from another source (tarball, git, directory) would have more than a checksum, or none.
  expect(resolutions.filter((resolution) => !/^\{integrity: sha512-[\w+/]+={0,2}\}$/.test(resolution ?? ""))).toEqual(
    [],
  );
});

test("lockfile: has no known malicious version, and no package from a link", { tags: ["fail:L11"] }, () => {
  const names = [...packages.matchAll(/^ {2}'?((?:@[\w.-]+\/)?[\w.-]+@[^':]+)'?:$/gm)].map((match) => match[1] ?? "");
  expect(names.length).toBeGreaterThan(300);
  expect(names.filter((name) => REFUSED.some((refused) => refused.test(name)))).toEqual([]);
  expect(names.filter((name) => /@(https?|git|file|link):/.test(name))).toEqual([]);
});
