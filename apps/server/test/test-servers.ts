import type { Db } from "@marketday/db";

type Listener = () => Promise<void>;
const urls = new WeakMap<Db, string>();
const listeners = new Map<string, Set<Listener>>();

/** Registers a test server on the database at `url`; `waitForNotifications` resolves when it is up to date. Returns the removal. */
export function registerServer(db: Db, url: string, waitForNotifications: Listener): () => void {
  urls.set(db, url);
  const all = listeners.get(url) ?? new Set();
  listeners.set(url, all.add(waitForNotifications));
  return () => void all.delete(waitForNotifications);
}

/** Resolves when every test server on this database has received all notifications. */
export async function waitForServers(db: Db): Promise<void> {
  await Promise.all(
    [...(listeners.get(urls.get(db) ?? "") ?? [])].map((waitForNotifications) => waitForNotifications()),
  );
}
