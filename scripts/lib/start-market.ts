import { EmbeddedError } from "@marketday/db/embedded";
import { MigrateError } from "@marketday/db/migrate";
import { RoleError } from "@marketday/db/roles";
import { type Env, loadEnv, SettingError } from "@marketday/server/env";
import { settingWarnings } from "@marketday/server/setting-warnings";

import { generate } from "../../prisma/src/generate.ts";
import { openDatabase } from "./database.ts";
import { type DemoShopper, ensureDemo, isEmptyMarket } from "./demo.ts";
import { Lifetime } from "./lifetime.ts";
import { PortError, portSentence, requirePort } from "./port.ts";
import { BuildError, buildWeb } from "./web-build.ts";

function say(line: string): void {
  console.log(line);
}

function greet(env: Env, address: string, shoppers: DemoShopper[] | null, isEmpty: boolean, mail: string): void {
  const where = env.publicUrl === null ? address : `${env.publicUrl} (this server: ${address})`;
  say(`\n${env.marketName} is open at ${where}\n`);
  if (shoppers && shoppers.length > 0) {
    const width = Math.max(...shoppers.map(({ email }) => email.length));
    say("Demo shoppers:");
    for (const { name: who, email, password } of shoppers)
      say(`  ${email.padEnd(width)}  password ${password}  (${who})`);
  }
  if (isEmpty)
    say(
      "The market is empty: it has no hub yet. docs/operating.md opens it step by step; the first command is ./market hubs import hubs.geojson",
    );
  say(`Mails go to ${mail}.`);
  for (const { message } of settingWarnings(env)) say(`Warning: ${message}`);
  say("Ctrl-C stops everything.\n");
}

const expected = [SettingError, EmbeddedError, MigrateError, RoleError, BuildError, PortError];

/** `pnpm start`: everything from an empty folder to an open market, and back at Ctrl-C. */
export async function startMarket(): Promise<void> {
  const life = new Lifetime();
  let where = { host: "", port: 0 };
  try {
    const env = loadEnv();
    where = env;
    await requirePort(env.host, env.port);
    await generate();
    const database = await life.hold(openDatabase(env, { log: say, supervise: true }), ({ close }) => close());
    const shoppers = await ensureDemo(env, database.url, new Date());
    const isEmpty = await isEmptyMarket(database.url);
    await buildWeb(say);
    if (life.ending) return;
    const { startServer } = await import("@marketday/server/main");
    const server = await life.hold(startServer(env, { databaseUrl: database.url }), ({ close }) => close());
    if (!life.ending) greet(env, server.address, shoppers, isEmpty, server.mailGoesTo);
  } catch (error) {
    if (life.ending) return;
    const sentence = expected.some((kind) => error instanceof kind)
      ? (error as Error).message
      : portSentence(error, where.host, where.port);
    console.error(sentence ?? error);
    await life.end(1);
  }
}
