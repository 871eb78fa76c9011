import { createHash } from "node:crypto";

import { AppError } from "./app-error.ts";

/** An answer ready to be sent: the value, its JSON and its ETag (weak: the same for every encoding). */
export interface Cached<T> {
  value: T;
  json: string;
  etag: string;
  /** Bytes by encoding, made on first use; only where they are worth keeping, for answers all shoppers see alike. */
  encoded?: { identity?: Buffer; br?: Buffer; gzip?: Buffer };
}

/** Makes an answer of a value. */
export function cachedOf<T>(value: T): Cached<T> {
  const json = JSON.stringify(value);
  return { value, json, etag: `W/"${createHash("sha1").update(json).digest("base64url")}"` };
}

interface Entry {
  cached?: Cached<unknown>;
  loading?: Promise<Cached<unknown>>;
  /** Something changed since it was loaded. */
  stale: boolean;
  loadedAt: number;
  hubId: number | null;
}

export interface PublicCacheOptions {
  /** Monotonic milliseconds. */
  elapsed: () => number;
  /** A stale entry is loaded again at most this often, so that a rush of orders does not undo the cache. */
  minAgeMs?: number;
  /** Even without a notice nothing is older than this. */
  maxAgeMs?: number;
  maxEntries?: number;
}

/**
 * Public data per hub, read once (design: public and personal apart). Dropped by the database's notices; while one
 * caller reads it again, the others get what there is, and where there is nothing they share that reading. Bounded: the least recently used goes first. A `load` must not
 * ask this cache in turn, or what it got from there would outlive a notice.
 */
export class PublicCache {
  readonly #entries = new Map<string, Entry>();
  readonly #options: Required<PublicCacheOptions>;

  constructor(options: PublicCacheOptions) {
    this.#options = { minAgeMs: 250, maxAgeMs: 60_000, maxEntries: 2000, ...options };
  }

  /**
   * The entry for `key`, loaded when missing. `hubId` null: it depends on no single hub. What fails, or is not worth
   * keeping, leaves no entry, so that made-up addresses do not push out real ones.
   */
  async get<T>(
    hubId: number | null,
    key: string,
    load: () => Promise<T>,
    worthKeeping?: (value: T) => boolean,
  ): Promise<Cached<T>> {
    const fresh = this.peek<T>(hubId, key);
    if (fresh) return fresh;
    const id = `${hubId ?? "*"}:${key}`;
    let entry = this.#entries.get(id);
    if (!entry) {
      entry = { stale: true, loadedAt: -Infinity, hubId };
      this.#entries.set(id, entry);
      this.#trim();
    }
    return (entry.loading ?? this.#load(id, entry, load, worthKeeping)) as Promise<Cached<T>>;
  }

  /** The entry for `key` when it is there and fresh: what `get` would answer, without a promise. */
  peek<T>(hubId: number | null, key: string): Cached<T> | undefined {
    const id = `${hubId ?? "*"}:${key}`;
    const entry = this.#entries.get(id);
    if (!entry || !this.#isFresh(entry)) return undefined;
    this.#entries.delete(id);
    this.#entries.set(id, entry);
    return entry.cached as Cached<T>;
  }

  #isFresh(entry: Entry): boolean {
    const age = this.#options.elapsed() - entry.loadedAt;
    return entry.cached !== undefined && (entry.stale ? age < this.#options.minAgeMs : age < this.#options.maxAgeMs);
  }

  #load<T>(
    id: string,
    entry: Entry,
    load: () => Promise<T>,
    worthKeeping: (value: T) => boolean = () => true,
  ): Promise<Cached<T>> {
    const forget = () => {
      if (this.#entries.get(id) === entry) this.#entries.delete(id);
    };
    entry.stale = false;
    entry.loadedAt = this.#options.elapsed();
    const loading = load().then(
      (value) => {
        const cached: Cached<T> = { ...cachedOf(value), encoded: {} };
        entry.cached = cached;
        entry.loading = undefined;
        if (!worthKeeping(value)) forget();
        return cached;
      },
      (error: unknown) => {
        entry.loading = undefined;
        entry.stale = true;
        entry.loadedAt = -Infinity;
        if (!entry.cached || (error instanceof AppError && error.status === 404)) forget();
        throw error;
      },
    );
    entry.loading = loading;
    return loading;
  }

  #trim(): void {
    for (const id of this.#entries.keys()) {
      if (this.#entries.size <= this.#options.maxEntries) return;
      this.#entries.delete(id);
    }
  }

  /** Something of this hub changed (null: of every hub). */
  drop(hubId: number | null): void {
    for (const entry of this.#entries.values()) {
      if (hubId === null || entry.hubId === null || entry.hubId === hubId) entry.stale = true;
    }
  }

  /** Forgets everything: after a lost connection nobody knows which notices were missed. */
  clear(): void {
    this.#entries.clear();
  }
}
