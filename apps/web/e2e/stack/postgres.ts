import { generate } from "../../../../prisma/src/generate.ts";
import { startTestPostgres } from "../../../../prisma/test/postgres.ts";
import { buildWeb } from "../../../../scripts/lib/web-build.ts";

/**
 * What all tests of a run share: the built app, and a Postgres with a migrated database to copy. Says where it is on
 * one line; ends on a message.
 */
await generate();
await buildWeb();
const { adminUrl, template, stop } = await startTestPostgres();
let ending: Promise<void> | undefined;
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const)
  process.on(signal, () => {
    ending ??= stop().then(() => process.exit(0));
  });
console.log(`POSTGRES ${adminUrl} ${template}`);
// Nothing of ours may be left behind when the runner is killed: it is then that our parent changes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) ending ??= stop().then(() => process.exit(0));
}, 1000);
