import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { createDb } from "@marketday/db";
import { createTestDatabase } from "@marketday/db/testing";
import { createHubNow } from "@marketday/server/testing/factories";
import { afterEach, beforeEach, expect, test } from "vitest";

import { environment, root, runProgram } from "./lib/run.ts";
import { buildWeb } from "./lib/web-build.ts";

let home: string;
const running = new Set<ChildProcess>();

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "marketday-start-"));
});
afterEach(async () => {
  for (const child of running) {
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    await exited;
  }
  running.clear();
  const elsewhere = clusterFolder();
  if (elsewhere && !elsewhere.startsWith(home)) rmSync(dirname(elsewhere), { recursive: true, force: true });
  rmSync(home, { recursive: true, force: true });
});

function clusterFolder(): string | undefined {
  const file = join(home, "postgres.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as { cluster: string }).cluster : undefined;
}

type Started = { child: ChildProcess; out: () => string; err: () => string; ended: Promise<number | null> };

const startScript = [process.execPath, join(root, "scripts/start.ts")] as const;
/** The README's command, as it is typed there. */
const readmeCommand = ["npx", "-y", "pnpm@10.34.8", "start"] as const;

function start(
  settings: Record<string, string>,
  [program, ...args]: readonly [string, ...string[]] = startScript,
): Started {
  const child = spawn(program, args, {
    cwd: program === "npx" ? root : home,
    env: {
      ...environment({
        DATA_DIR: home,
        DEMO: "off",
        PORT: "0",
        DATABASE_URL: "",
        LOG_LEVEL: "warn",
        NODE_ENV: "",
        npm_lifecycle_event: "",
        ...settings,
      }),
    },
    // A process group, as each command of a terminal is one: Ctrl-C signals all of it.
    detached: program === "npx",
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  let out = "";
  let err = "";
  child.stdout.on("data", (part: Buffer) => (out += part.toString()));
  child.stderr.on("data", (part: Buffer) => (err += part.toString()));
  const ended = new Promise<number | null>((resolve) =>
    child.once("close", (code) => {
      running.delete(child);
      resolve(code);
    }),
  );
  return { child, out: () => out, err: () => err, ended };
}

/** Waits until the market prints its address, and returns it. */
async function waitUntilOpen({ child, out, err, ended }: Started): Promise<string> {
  const address = () => /is open at (http:\S+)/.exec(out())?.[1];
  const finished = ended.then(() => "ended");
  for (;;) {
    const url = address();
    if (url && out().includes("Ctrl-C stops")) return url;
    const next = await Promise.race([once(child.stdout as NodeJS.EventEmitter, "data"), finished]);
    if (next === "ended") throw new Error(`It ended instead of opening.\n${out()}\n${err()}`);
  }
}

async function failedStart(settings: Record<string, string>): Promise<string> {
  const started = start(settings);
  expect(await started.ended).toBe(1);
  return started.err();
}

test("start: an invalid setting prints one sentence and exits with 1", async () => {
  expect(await failedStart({ PORT: "lots" })).toBe("PORT must be a whole number from 0 to 65535.\n");
  expect(await failedStart({ NODE_ENV: "production" })).toMatch(
    /^PUBLIC_URL [^\n]+\.\nPASSWORD_PEPPER [^\n]+\.\nSESSION_SECRET [^\n]+\.\n$/,
  );
});

test("start: a port in use prints one sentence and exits with 1, before files are created", async () => {
  const otherServer = createServer().listen(0, "127.0.0.1");
  await once(otherServer, "listening");
  const { port } = otherServer.address() as { port: number };
  try {
    expect(await failedStart({ PORT: String(port), HOST: "127.0.0.1" })).toBe(
      `Port ${port} on 127.0.0.1 is taken by another program: stop that one, or set PORT to a free port.\n`,
    );
    expect(existsSync(join(home, "postgres"))).toBe(false);
  } finally {
    otherServer.close();
  }
});

test("start: an unreachable database prints one sentence and exits with 1", async () => {
  expect(await failedStart({ DATABASE_URL: "postgres://someone:topsecret@127.0.0.1:1/market" })).toMatch(
    /^The database at 127\.0\.0\.1:1\/market cannot be reached: [^\n]+\.\n$/,
  );
});

test("start: production with the demo's settings prints its public address and warnings", async () => {
  await buildWeb();
  const database = await createTestDatabase();
  const started = start({
    NODE_ENV: "production",
    DATABASE_URL: database.url,
    PUBLIC_URL: "http://market.example.org",
    SESSION_SECRET: "0dXk2v7Rr1mQe5uN9sTb4yWc8aZf6hJg3pLo",
    PASSWORD_PEPPER: "q7Wm2Zt9Lx4Kc8Vb1Nd6Rf3Hj5Ps0Gy_Ua-E",
    DRAIN_SECONDS: "0",
    SMPT_URL: "smtp://mail.example.org",
  });
  expect(await waitUntilOpen(started)).toBe("http://market.example.org");
  expect(started.out()).toMatch(/is open at http:\/\/market\.example\.org \(this server: http:\/\/localhost:\d+\)/);
  const warnings = started.out().match(/^Warning: \w+/gm);
  expect(warnings).toEqual(
    ["MARKET_NAME", "SUPPORT_EMAIL", "SUPPORT_PHONE", "SMTP_URL", "SMPT_URL"].map((name) => `Warning: ${name}`),
  );
  started.child.kill("SIGTERM");
  expect(await started.ended).toBe(0);
  await database.drop();
});

test(
  "start: serves web app and API, stops cleanly; the second start has the same data and restarts a killed Postgres beside a command",
  { tags: ["fail:M11"] },
  async () => {
    await buildWeb();
    const first = start({});
    const address = await waitUntilOpen(first);
    const page = await fetch(`${address}/shop`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toContain("text/html");
    const hubs = await fetch(`${address}/api/hubs`);
    expect([hubs.status, await hubs.json()]).toStrictEqual([200, []]);
    const cluster = clusterFolder() ?? "";
    expect(existsSync(join(cluster, "postmaster.pid"))).toBe(true);
    first.child.kill("SIGINT");
    expect(await first.ended).toBe(0);
    expect(first.err()).not.toMatch(/error/i);
    expect(first.out()).not.toMatch(/connection lost|"level":50/);
    expect(existsSync(join(cluster, "postmaster.pid"))).toBe(false);
    const createdAt = statSync(join(cluster, "PG_VERSION")).birthtimeMs;

    const second = start({});
    const secondAddress = await waitUntilOpen(second);
    await expect.poll(() => fetch(`${secondAddress}/readyz`).then(({ status }) => status)).toBe(200);
    expect(second.out()).not.toContain("Creating the database");
    expect(statSync(join(clusterFolder() ?? "", "PG_VERSION")).birthtimeMs).toBe(createdAt);

    const readiness = () =>
      fetch(`${secondAddress}/readyz`).then(
        (response) => response.status,
        () => 0,
      );
    const pidFile = join(clusterFolder() ?? "", "postmaster.pid");
    const postmaster = () => Number(readFileSync(pidFile, "utf8").split("\n")[0]);
    const killed = postmaster();
    process.kill(killed, "SIGKILL");
    const doctor = await runProgram(process.execPath, [join(root, "scripts/market.ts"), "doctor"], {
      cwd: home,
      env: { DATA_DIR: home, DATABASE_URL: "", NODE_ENV: "" },
    });
    expect(doctor).toMatchObject({ code: 0, output: expect.stringContaining("Everything adds up") as string });
    await expect.poll(readiness).toBe(200);
    expect(postmaster()).not.toBe(killed);
    second.child.kill("SIGTERM");
    expect(await second.ended).toBe(0);
    expect(existsSync(pidFile)).toBe(false);
  },
);

test("start: a demo market prints a link with which its owner sets up a sign-in", async () => {
  await buildWeb();
  const database = await createTestDatabase();
  const db = createDb({ url: database.url });
  await createHubNow(db);
  await db.market_fact.create({ data: { key: "demo_filled", value: {} } });
  await db.close();
  const started = start({ DATABASE_URL: database.url, DRAIN_SECONDS: "0", DEMO: "auto" });
  const address = await waitUntilOpen(started);
  const [, base, token] = /sets up a sign-in, once, at (\S+)\/admin\/invite\/([\w-]+) {2}\(/.exec(started.out()) ?? [];
  expect(base).toBe(address);
  const invitation = await fetch(`${address}/api/admin/invites/${token}`);
  expect(await invitation.json()).toMatchObject({ name: "Ada Kowalski", roles: [{ role: "owner" }], isReset: false });
  started.child.kill("SIGTERM");
  expect(await started.ended).toBe(0);
  await database.drop();
});

/** The built-in Postgres has ended, and with it the server that used it. */
const expectStopped = () =>
  expect.poll(() => existsSync(join(clusterFolder() ?? home, "postmaster.pid")), { timeout: 120_000 }).toBe(false);

test("pnpm start: requests are not logged; Ctrl-C ends it without an error, and the last line says that it was stopped", async () => {
  await buildWeb();
  const started = start({ LOG_LEVEL: "" }, readmeCommand);
  const address = await waitUntilOpen(started);
  expect((await fetch(`${address}/shop`)).status).toBe(200);
  process.kill(-started.child.pid!, "SIGINT");
  await started.ended;
  await expectStopped();
  expect(started.out()).not.toMatch(/listening|\/shop|"level":30/);
  expect(`${started.out()}${started.err()}`).not.toMatch(/ELIFECYCLE|fail/i);
  expect(started.out().trimEnd().split("\n").at(-1)).toBe("Stopped. The next start has the same data.");
});

test("pnpm start: the end of npx alone stops the server; LOG_LEVEL=info logs requests", async () => {
  await buildWeb();
  const started = start({ LOG_LEVEL: "info" }, readmeCommand);
  const address = await waitUntilOpen(started);
  expect((await fetch(`${address}/shop`)).status).toBe(200);
  await expect.poll(started.out).toContain('"path":"/shop"');
  process.kill(started.child.pid!, "SIGTERM");
  await started.ended;
  await expectStopped();
});

test("start: Ctrl-C during startup leaves no process running", async () => {
  const started = start({});
  for (;;) {
    if (started.out().includes("Creating the database")) break;
    await once(started.child.stdout as NodeJS.EventEmitter, "data");
  }
  started.child.kill("SIGINT");
  expect(await started.ended).toBe(0);
  const cluster = clusterFolder();
  expect(cluster === undefined || !existsSync(join(cluster, "postmaster.pid"))).toBe(true);
});
