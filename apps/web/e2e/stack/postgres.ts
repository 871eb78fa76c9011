import { rm } from "node:fs/promises";

import { generate } from "../../../../prisma/src/generate.ts";
import { startTestPostgres } from "../../../../prisma/test/postgres.ts";
import { buildWeb } from "../../../../scripts/lib/web-build.ts";
import { renderPictures } from "./pictures.ts";

/**
 * What all tests of a run share: the built app, a Postgres with a migrated database to copy, and the rendered pictures.
 * Prints where they are on one line; ends on a signal.
 */
await generate();
await buildWeb();
const [{ adminUrl, template, stop }, pictures] = await Promise.all([startTestPostgres(), renderPictures()]);
let ending: Promise<void> | undefined;
const end = () => {
  ending ??= Promise.all([stop(), rm(pictures, { recursive: true, force: true })]).then(() => process.exit(0));
};
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, end);
console.log(`POSTGRES ${adminUrl} ${template} PICTURES ${pictures}`);
// Nothing of ours may be left behind when the runner is killed: it is then that our parent changes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) end();
}, 1000);
