import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { expect, test } from "vitest";

/** A command that has run for a minute, fails, and ends what it started after `signals` signals. */
const command = (signals: number) => `
  import { once } from "node:events";
  import { Lifetime } from ${JSON.stringify(join(import.meta.dirname, "lifetime.ts"))};
  const now = performance.now.bind(performance);
  performance.now = () => now() + 60_000;
  setInterval(() => undefined, 60_000); // A connection that is still open.
  const life = new Lifetime();
  await life.hold(Promise.resolve(true), async () => {
    for (let left = ${signals}; left > 0; left -= 1) {
      const signal = once(process, "SIGINT");
      console.log("ending");
      await signal;
      performance.now = () => now() + 120_000;
    }
    console.log("ended");
  });
  await life.end(1);`;

async function run(signals: number) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", command(signals)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  child.stdout.on("data", (part: Buffer) => {
    if (part.toString().includes("ending")) child.kill("SIGINT");
  });
  const out = text(child.stdout);
  const [code] = await ended;
  return { code: code as number, out: (await out).trim().split("\n") };
}

test("lifetime: the first Ctrl-C while a failed command ends what it started does not interrupt that; the second one does", async () => {
  expect(await run(1)).toEqual({ code: 1, out: ["ending", "ended"] });
  expect(await run(2)).toEqual({ code: 130, out: ["ending", "ending"] });
});
