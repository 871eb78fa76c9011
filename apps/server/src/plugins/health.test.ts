import { join } from "node:path";

import { createDb } from "@marketday/db";
import { atEnd } from "@marketday/db/testing";
import { pino } from "pino";
import { expect, test } from "vitest";

import { buildTestApp } from "../../test/app.ts";
import { buildApp } from "../app.ts";
import { createDeps } from "../create-deps.ts";

const market = await buildTestApp();

test("health checks: the first answer and each change are logged, a repeated answer is not", async () => {
  const lines: { msg: string; path: string; status: number }[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) });
  const db = createDb({ url: market.url });
  const deps = await createDeps(market.deps.env, market.url, log, { db, clock: market.clock });
  // Without a build of the web app, whose files a server copies once it listens.
  const app = await buildApp(deps, { webDist: join(market.dataDir, "no-web-app") });
  atEnd(async () => {
    await app.close();
    await db.close();
  });
  const check = async (path: string): Promise<string> => {
    const { body } = await app.inject({ url: path });
    expect((await app.inject({ url: path, headers: { "user-agent": "another balancer" } })).body).toBe(body);
    return (JSON.parse(body) as { status: string }).status;
  };
  const start = Promise.withResolvers<void>();
  app.readyAfter(start.promise);

  const answers = [await check("/healthz"), await check("/readyz")];
  start.resolve();
  await start.promise;
  answers.push(await check("/readyz"), await check("/readyz"), await check("/healthz"));
  app.startDraining();
  answers.push(await check("/readyz"), await check("/healthz"));
  expect(answers).toEqual(["ok", "starting", "ready", "ready", "ok", "draining", "ok"]);
  for (const path of ["/api/hubs", "/api/hubs"]) await app.inject({ url: path });

  const logged = () => lines.filter(({ msg }) => msg === "request").map(({ path, status }) => `${path} ${status}`);
  await expect
    .poll(logged)
    .toEqual(["/healthz 200", "/readyz 503", "/readyz 200", "/readyz 503", "/api/hubs 200", "/api/hubs 200"]);
});
