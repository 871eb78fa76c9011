import { join } from "node:path";

import { loadEnv, SettingError } from "@marketday/server/env";

import { generate } from "../prisma/src/generate.ts";
import { openDatabase } from "./lib/database.ts";
import { ensureDemo } from "./lib/demo.ts";
import { Lifetime } from "./lib/lifetime.ts";
import { PortError, requirePort } from "./lib/port.ts";
import { root, startProgram } from "./lib/run.ts";

/** `pnpm dev`: the server restarts when its files change, the web app and the admin app update in the open page. */
const life = new Lifetime();
try {
  const env = loadEnv();
  await requirePort(env.host, env.port);
  await generate();
  const database = await life.hold(openDatabase(env, { log: console.log }), ({ close }) => close());
  await ensureDemo(env, database.url, new Date());
  const api = `http://localhost:${env.port}`;
  const programs = [
    startProgram(
      process.execPath,
      ["--watch", "--watch-preserve-output", "apps/server/src/main.ts", "--web", join(root, "apps/web")],
      {
        env: { DATABASE_URL: database.url, DATA_DIR: env.dataDir, PORT: String(env.port) },
      },
    ),
    ...["apps/web", "apps/admin"].map((app) =>
      startProgram(process.execPath, [join(root, app, "node_modules/vite/bin/vite.js")], {
        cwd: join(root, app),
        env: { API_URL: api },
      }),
    ),
  ];
  for (const program of programs) {
    const exited = new Promise<void>((resolve) => program.once("exit", () => resolve()));
    await life.hold(Promise.resolve(program), async () => {
      program.kill("SIGTERM");
      await exited;
    });
    program.once("exit", (code) => void life.end(code ?? 1));
  }
} catch (error) {
  console.error(error instanceof SettingError || error instanceof PortError ? error.message : error);
  await life.end(1);
}
