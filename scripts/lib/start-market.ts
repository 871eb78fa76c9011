import { EmbeddedError } from "@marketday/db/embedded";
import { MigrateError } from "@marketday/db/migrate";
import { RoleError } from "@marketday/db/roles";
import { type Env, loadEnv, SettingError } from "@marketday/server/env";
import { settingWarnings } from "@marketday/server/setting-warnings";

import { generate } from "../../prisma/src/generate.ts";
import { isUnderPnpm } from "./caller.ts";
import { openDatabase } from "./database.ts";
import { type DemoOwner, type DemoShopper, ensureDemo, ensureDemoStaff, isEmptyMarket } from "./demo.ts";
import { Lifetime } from "./lifetime.ts";
import { PortError, portSentence, requirePort } from "./port.ts";
import { BuildError, buildWeb } from "./web-build.ts";

function print(line: string): void {
  console.log(line);
}

/** Where the demo's owner signs in, or sets that up first. */
function printOwner({ name, email, token }: DemoOwner, base: string): void {
  print("Demo staff:");
  print(
    token === null
      ? `  ${email}  signs in at ${base}/admin  (${name}, owner)`
      : `  ${email}  sets up a sign-in, once, at ${base}/admin/invite/${token}  (${name}, owner)`,
  );
}

function printGreeting(
  env: Env,
  address: string,
  { shoppers, owner }: { shoppers: DemoShopper[] | null; owner: DemoOwner | null },
  isEmpty: boolean,
  mail: string,
): void {
  const where = env.publicUrl === null ? address : `${env.publicUrl} (this server: ${address})`;
  print(`\n${env.marketName} is open at ${where}\n`);
  if (shoppers && shoppers.length > 0) {
    const width = Math.max(...shoppers.map(({ email }) => email.length));
    print("Demo shoppers:");
    for (const { name: who, email, password } of shoppers)
      print(`  ${email.padEnd(width)}  password ${password}  (${who})`);
  }
  if (owner) printOwner(owner, env.publicUrl ?? address);
  if (isEmpty)
    print(
      "The market is empty: it has no hub yet. docs/operating.md opens it step by step; the first command is ./market hubs import hubs.geojson",
    );
  print(`Mails go to ${mail}.`);
  for (const { message } of settingWarnings(env)) print(`Warning: ${message}`);
  print("Ctrl-C stops everything.\n");
}

/** `pnpm start` logs warnings unless LOG_LEVEL is set, so that requests do not scroll the printed logins away. */
function loadStartEnv(): Env {
  const env = loadEnv();
  const isQuiet = isUnderPnpm() && !env.production && !process.env["LOG_LEVEL"];
  if (!isQuiet) return env;
  const values = env.values.map((each) => (each.name === "LOG_LEVEL" ? { ...each, value: "warn" } : each));
  return { ...env, logLevel: "warn", values };
}

const EXPECTED_ERRORS = [SettingError, EmbeddedError, MigrateError, RoleError, BuildError, PortError];

/** `pnpm start`: opens the market, from an empty folder if need be, and stops everything on Ctrl-C. */
export async function startMarket(): Promise<void> {
  const life = new Lifetime();
  let where = { host: "", port: 0 };
  let failed = false;
  // Held first, so it runs last.
  await life.hold(Promise.resolve(true), async () => {
    if (!failed) print("\nStopped. The next start has the same data.");
  });
  try {
    const env = loadStartEnv();
    where = env;
    await requirePort(env.host, env.port);
    await generate();
    const database = await life.hold(openDatabase(env, { log: print, supervise: true }), ({ close }) => close());
    const shoppers = await ensureDemo(env, database.url, new Date());
    const owner = await ensureDemoStaff(env, database.url, new Date());
    const isEmpty = await isEmptyMarket(database.url);
    await buildWeb(print);
    if (life.ending) return;
    const { startServer } = await import("@marketday/server/main");
    const server = await life.hold(startServer(env, { databaseUrl: database.url }), ({ close }) => close());
    if (!life.ending) printGreeting(env, server.address, { shoppers, owner }, isEmpty, server.mailGoesTo);
  } catch (error) {
    if (life.ending) return;
    const sentence = EXPECTED_ERRORS.some((kind) => error instanceof kind)
      ? (error as Error).message
      : portSentence(error, where.host, where.port);
    console.error(sentence ?? error);
    failed = true;
    await life.end(1);
  }
}
