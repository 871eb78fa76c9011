import { chmod, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";

import pg from "pg";

import { startEmbedded } from "../src/embedded.ts";
import { isAlive } from "../src/lock.ts";
import { migrate } from "../src/migrate.ts";
import { MOVABLE_JOB_CLOCK } from "../src/queues.ts";

export type TestPostgres = {
  /** Connects to the server's own database, as superuser. */
  adminUrl: string;
  /** A database with all migrations applied, to copy from. */
  template: string;
  stop(): Promise<void>;
};

const template = "marketday_template";

/** Whether a Docker engine answers within a second. */
async function dockerAnswers(): Promise<boolean> {
  const host = process.env["DOCKER_HOST"] ?? "unix:///var/run/docker.sock";
  const where = host.startsWith("unix://")
    ? { socketPath: host.slice("unix://".length) }
    : { host: new URL(host).hostname, port: new URL(host).port };
  return new Promise((resolve) => {
    const ping = request({ ...where, path: "/_ping", timeout: 1_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    ping.once("timeout", () => ping.destroy());
    ping.once("error", () => resolve(false));
    ping.end();
  });
}

async function startContainer(): Promise<{ adminUrl: string; stop(): Promise<unknown> }> {
  const { PostgreSqlContainer } = await import("@testcontainers/postgresql");
  const container = await new PostgreSqlContainer("postgres:18")
    .withEnvironment({ POSTGRES_INITDB_ARGS: "--locale=C --locale-provider=builtin --builtin-locale=C.UTF-8" })
    .withCommand([
      "postgres",
      "-c",
      "fsync=off",
      "-c",
      "full_page_writes=off",
      "-c",
      "max_connections=200",
      "-c",
      "timezone=UTC",
    ])
    .start();
  return { adminUrl: container.getConnectionUri(), stop: () => container.stop() };
}

const prefix = "marketday-test-";

/** Ends the servers of killed runs, whose recorded processes have all ended. */
async function sweep(): Promise<void> {
  for (const name of (await readdir(tmpdir())).filter((entry) => entry.startsWith(prefix))) {
    const dir = join(tmpdir(), name);
    try {
      const { users } = JSON.parse(await readFile(join(dir, "postgres.json"), "utf8")) as { users: number[] };
      // Without a user it is starting or stopping.
      if (users.length === 0 || users.some(isAlive)) continue;
      await (await startEmbedded({ dataDir: join(dir, "postgres"), throwaway: true })).stop();
      await rm(dir, { recursive: true, force: true });
    } catch {
      // Not readable for this user, or removed meanwhile.
    }
  }
}

async function startHere(): Promise<{ adminUrl: string; stop(): Promise<unknown> }> {
  await sweep();
  const dir = await mkdtemp(join(tmpdir(), prefix));
  // Started by root, Postgres runs as another user, who must reach the folder.
  await chmod(dir, 0o755);
  const server = await startEmbedded({ dataDir: join(dir, "postgres"), throwaway: true });
  const stop = async () => {
    await server.stop();
    await rm(dir, { recursive: true, force: true });
  };
  return { adminUrl: server.url, stop };
}

async function start(): Promise<{ adminUrl: string; stop(): Promise<unknown> }> {
  if (await dockerAnswers()) {
    try {
      return await startContainer();
    } catch (error) {
      console.warn(
        `Docker answers, but no container came up (${(error as Error).message}); using the built-in Postgres.`,
      );
    }
  }
  return startHere();
}

/** The same server and user, another database. */
export function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

/** Runs one statement outside a transaction, such as CREATE DATABASE. */
export async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

/** One Postgres for a run of the tests: a container where Docker answers, else the built-in one without fsync. */
export async function startTestPostgres(): Promise<TestPostgres> {
  const { adminUrl, stop } = await start();
  await asAdmin(adminUrl, `create database ${template}`);
  const templateUrl = withDatabase(adminUrl, template);
  await migrate({ url: templateUrl });
  await asAdmin(templateUrl, MOVABLE_JOB_CLOCK);
  return { adminUrl, template, stop: async () => void (await stop()) };
}
