import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { openTestMarket } from "../lib/market.ts";
import { type Engine, NotInstalled } from "./engine.ts";
import { startFirefox } from "./firefox.ts";
import { FLOWS } from "./flows.ts";
import { EngineShopper } from "./shopper.ts";
import { startWebKit } from "./webkit.ts";

/**
 * `pnpm engines`: the main flows of the shop in Firefox and WebKit, where they are installed. Installs nothing; says what it
 * skipped. A failed flow leaves a screenshot in `var/engines`. Exits with 1 when a flow failed.
 */
const STARTS = { Firefox: startFirefox, WebKit: startWebKit } as const;
const shots = fileURLToPath(new URL("../../../../var/engines", import.meta.url));

/** Starts what all engines share: the Postgres, the built app and the pictures. */
async function startPostgres() {
  const script = fileURLToPath(new URL("../stack/postgres.ts", import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const [, url, template, pictures] = /^POSTGRES (\S+) (\S+) PICTURES (.+)$/.exec(line) ?? [];
    if (!url || !template || !pictures) continue;
    Object.assign(process.env, { POSTGRES_URL: url, POSTGRES_TEMPLATE: template, PICTURES: pictures });
    child.stdout.resume();
    return async () => {
      const gone = once(child, "exit");
      child.kill("SIGTERM");
      await gone;
    };
  }
  throw new Error("The tests' Postgres did not start.");
}

/** Runs all flows in one engine; returns how many failed. A flow that fails ends the engine's run, since the next ones build on it. */
async function runFlows(engine: Engine): Promise<number> {
  const { opened: market, child } = await openTestMarket("test");
  const shopper = new EngineShopper(engine);
  try {
    for (const [title, flow] of Object.entries(FLOWS)) {
      try {
        await flow(shopper, market);
        console.log(`  ✓ ${title}`);
      } catch (error) {
        mkdirSync(shots, { recursive: true });
        const file = join(shots, `${engine.name.replaceAll(/\W+/g, "-")}.png`);
        writeFileSync(file, await engine.screenshot());
        console.log(`  ✗ ${title}: ${error instanceof Error ? error.message : String(error)}\n    ${file}`);
        return 1;
      }
    }
    return 0;
  } finally {
    const gone = once(child, "exit");
    child.disconnect();
    await gone;
  }
}

const stopPostgres = await startPostgres();
let failed = 0;
try {
  for (const [name, start] of Object.entries(STARTS)) {
    let engine: Engine;
    try {
      engine = await start();
    } catch (error) {
      if (!(error instanceof NotInstalled)) throw error;
      console.log(`${name}: skipped. ${error.message}`);
      continue;
    }
    console.log(engine.name);
    try {
      failed += await runFlows(engine);
    } finally {
      await engine.close();
    }
  }
} finally {
  await stopPostgres();
}
process.exitCode = failed > 0 ? 1 : 0;
