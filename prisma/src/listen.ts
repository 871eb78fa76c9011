import { setTimeout as delay } from "node:timers/promises";

import pg from "pg";

import type { Conn } from "./conn.ts";
import { execute } from "./query.ts";
import { sql } from "./statement.ts";

export type ListenOptions = {
  /** Called when the connection is lost: from now on changes are not notified, and anything that is cached may be stale. */
  onLost?: () => void;
  /** Called after a lost connection was replaced. Notifications in between are lost, so caches must be cleared. */
  onReconnect?: () => void;
  onError?: (error: Error) => void;
};

export type Listener = {
  /** Resolves when the first connection listens. Never rejects: an unreachable database is tried again. */
  ready: Promise<void>;
  close(): Promise<void>;
};

/** Sends a query at this interval, so that a dead connection is noticed. */
const pulseMs = 15_000;

async function connect(url: string, channels: string[]): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "marketday listen",
    connectionTimeoutMillis: 5_000,
    query_timeout: 5_000,
    keepAlive: true,
  });
  client.on("error", () => undefined);
  await client.connect();
  for (const channel of channels) await client.query(`listen ${client.escapeIdentifier(channel)}`);
  return client;
}

/**
 * Listens to channels on a separate connection and replaces it when it is lost, with pauses from 0.1 to
 * 5 seconds. Payloads arrive in the order of the commits that sent them.
 */
export function listen(
  url: string,
  channels: string[],
  onNotify: (channel: string, payload: string) => void,
  { onLost, onReconnect, onError }: ListenOptions = {},
): Listener {
  const closed = new AbortController();
  const first = Promise.withResolvers<void>();
  const current: { client?: pg.Client } = {};

  async function session(isFirst: boolean): Promise<void> {
    const client = await connect(url, channels);
    current.client = client;
    const gone = new Promise<void>((resolve) =>
      client.once("end", () => {
        if (!closed.signal.aborted) onLost?.();
        resolve();
      }),
    );
    const pulse = setInterval(() => {
      client.query("select 1").catch((error: Error) => {
        onError?.(error);
        (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      });
    }, pulseMs);
    pulse.unref();
    client.on("notification", ({ channel, payload }) => onNotify(channel, payload ?? ""));
    if (isFirst) first.resolve();
    else onReconnect?.();
    if (closed.signal.aborted) await client.end();
    await gone;
    clearInterval(pulse);
  }

  async function run(): Promise<void> {
    let connected = false;
    for (let failures = 0; !closed.signal.aborted;) {
      try {
        await session(!connected);
        connected = true;
        failures = 0;
      } catch (error) {
        onError?.(error as Error);
        failures += 1;
      }
      const pause = Math.min(5_000, 100 * 2 ** failures);
      await delay(pause, undefined, { signal: closed.signal }).catch(() => undefined);
    }
    first.resolve();
  }

  const running = run();
  return {
    ready: first.promise,
    async close() {
      closed.abort();
      await current.client?.end().catch(() => undefined);
      await running;
    },
  };
}

/** Notifies all listeners when the transaction of `conn` commits; at once when `conn` is the database. */
export async function notify(conn: Conn, channel: string, payload = ""): Promise<void> {
  await execute(conn, sql`select pg_notify(${channel}, ${payload})`);
}
