import type { Db } from "@marketday/db";

type Listener = () => Promise<void>;
const urls = new WeakMap<Db, string>();
const listeners = new Map<string, Set<Listener>>();

/** A test's server on the database at `url`: `hear` settles when it knows what was written so far. Answers how to leave. */
export function onNews(db: Db, url: string, hear: Listener): () => void {
  urls.set(db, url);
  const all = listeners.get(url) ?? new Set();
  listeners.set(url, all.add(hear));
  return () => void all.delete(hear);
}

/** Settles when every test's server on this database knows what was written so far. */
export async function toldAll(db: Db): Promise<void> {
  await Promise.all([...(listeners.get(urls.get(db) ?? "") ?? [])].map((hear) => hear()));
}
