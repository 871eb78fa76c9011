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
const starting = Promise.allSettled([startTestPostgres(), renderPictures()]);
let ending: Promise<void> | undefined;
const end = (code = 0) => {
  ending ??= starting
    .then(([server, folder]) =>
      Promise.all([
        server.status === "fulfilled" && server.value.stop(),
        folder.status === "fulfilled" && rm(folder.value, { recursive: true, force: true }),
      ]),
    )
    .then(() => process.exit(code));
};
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) process.on(signal, () => end());
const [server, folder] = await starting;
for (const each of [server, folder])
  if (each.status === "rejected") {
    console.error(each.reason);
    end(1);
  }
if (server.status === "rejected" || folder.status === "rejected")
  throw new Error("The stack of the browser tests did not start.");
const { adminUrl, template } = server.value;
const pictures = folder.value;
console.log(`POSTGRES ${adminUrl} ${template} PICTURES ${pictures}`);
// Nothing of ours may be left behind when the runner is killed: it is then that our parent changes.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) end();
}, 1000);
