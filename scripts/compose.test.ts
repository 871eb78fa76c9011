import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createDb, query, sql } from "@marketday/db";
import { type Embedded, startEmbedded } from "@marketday/db/embedded";
import { quietPort } from "@marketday/db/testing";
import { parseEnv } from "@marketday/server/env";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";

import { openDatabase } from "./lib/database.ts";
import { root } from "./lib/run.ts";
import { operatedMarket } from "./test/market.ts";

/** A `.env` file with special characters in its passwords. */
const dotEnv = {
  POSTGRES_PASSWORD: 'o/w+n=e r\'s "$HOME" #1 @db:5432/x?y&z \\ %41',
  DATABASE_PASSWORD: "a:p@p/#?%2F$'\" é",
};

interface Service {
  image?: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
}
const { services } = parse(readFileSync(join(root, "docker-compose.yml"), "utf8"), { merge: true }) as {
  services: Record<string, Service>;
};

/** A container's variables as compose sets them: all of `.env`, overridden by the service's own. */
function variablesOf(name: string): Record<string, string> {
  const own = Object.entries(services[name]?.environment ?? {}).map(([key, value]) => [
    key,
    value.replaceAll(/\$\{(\w+):-([^}]*)\}/g, (_, variable: string, fallback: string) =>
      variable in dotEnv ? dotEnv[variable as keyof typeof dotEnv] : fallback,
    ),
  ]);
  return { ...dotEnv, ...(Object.fromEntries(own) as Record<string, string>) };
}

const dir = mkdtempSync(join(tmpdir(), "marketday-compose-"));
chmodSync(dir, 0o755);
let postgres: Embedded | undefined;
afterAll(async () => {
  await postgres?.stop();
  rmSync(dir, { recursive: true, force: true });
});

test("compose: of our containers only the migrating one has the password of the tables' owner", () => {
  const ours = Object.keys(services).filter((name) => services[name]?.image === "marketday");
  expect(ours).toEqual(expect.arrayContaining(["migrate", "server", "server2", "server3"]));
  const withPassword = ours.filter((name) => Object.values(variablesOf(name)).includes(dotEnv.POSTGRES_PASSWORD));
  expect(withPassword).toEqual(["migrate"]);
  for (const name of ["server", "server2", "server3"])
    expect(services[name]?.depends_on?.["migrate"]).toEqual({ condition: "service_completed_successfully" });
});

test("compose: with special characters in passwords, the migrating service creates the server's role, which owns no tables", async () => {
  const port = await quietPort();
  postgres = await startEmbedded({ dataDir: join(dir, "postgres"), port });
  // Like the entry point of the Postgres image.
  const admin = createDb({ url: postgres.url });
  const literal = `'${dotEnv.POSTGRES_PASSWORD.replaceAll("'", "''")}'`;
  await admin.$executeRawUnsafe(`create role marketday superuser login password ${literal}`);
  await admin.$executeRawUnsafe("alter database marketday owner to marketday");
  await admin.close();

  const hostVariables = (name: string): Record<string, string> => ({
    ...Object.fromEntries(
      Object.entries(variablesOf(name)).map(([key, value]) => [
        key,
        key.endsWith("DATABASE_URL") ? value.replace("@db:5432/", `@127.0.0.1:${port}/`) : value,
      ]),
    ),
    DATA_DIR: dir,
  });
  const market = await operatedMarket({ empty: true });
  const command = services["migrate"]?.command?.slice(1) ?? [];
  expect(await market.runWith(hostVariables("migrate"), ...command)).toEqual({
    code: 0,
    out: '"marketday_app" has the rights that the server needs now. Set DATABASE_URL to its address.\n',
    err: "",
  });
  expect(await market.runWith(hostVariables("migrate"), ...command)).toMatchObject({
    code: 0,
    out: expect.stringContaining("nothing was done"),
  });

  const env = parseEnv(hostVariables("server"));
  expect(env.migrateDatabaseUrl).toBeNull();
  const database = await openDatabase(env);
  const db = createDb({ url: database.url });
  try {
    const [role] = await query(
      db,
      sql`select current_user::text as name, rolsuper as superuser, exists (select 1 from pg_class where relowner = r.oid) as owns
          from pg_roles r where rolname = current_user`,
    );
    expect(role).toEqual({ name: "marketday_app", superuser: false, owns: false });
  } finally {
    await db.close();
    await database.close();
  }
  const wrongPassword = await market.runWith({ ...hostVariables("server"), DATABASE_PASSWORD: "eggs" }, "doctor");
  expect(wrongPassword).toMatchObject({
    code: 4,
    err: expect.stringMatching(/password authentication failed for user "marketday_app"\.\n$/),
  });
  expect(await market.runWith(hostVariables("server"), "doctor")).toMatchObject({ code: 0, err: "" });
});
