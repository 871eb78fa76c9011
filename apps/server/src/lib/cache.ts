import { createHash } from "node:crypto";

import { AppError } from "./app-error.ts";

/** A response body ready to be sent: the value, its JSON and its ETag (weak: the same for every encoding). */
export interface Cached<T> {
  value: T;
  json: string;
  etag: string;
  /** Bytes by encoding, created on first use; only for bodies that are the same for all shoppers. */
  encoded?: { identity?: Buffer; br?: Buffer; gzip?: Buffer };
}

/** Serializes a value. */
export function cachedOf<T>(value: T): Cached<T> {
  const json = JSON.stringify(value);
  return { value, json, etag: `W/"${createHash("sha1").update(json).digest("base64url")}"` };
}

/**
 * The data of an entry: a hub's id; null: of no single hub; `catalogue`: of products and vendors without prices and stock, which stays
 * fresh when an offer changes.
 */
export type Scope = number | "catalogue" | null;

/** What an entry depends on, and whether it is kept. */
export interface EntryOptions<T> {
  /** False: the value is returned but not cached. */
  isCacheable?: (value: T) => boolean;
  /** The products whose inventory the value shows, by id. Undeclared: it depends on the inventory of every product. */
  productsOf?: (value: T) => readonly number[];
  /** The value was chosen or sorted by what is in stock. */
  choosesInStock?: boolean;
}

/** For entries that no inventory changes. */
export const withoutInventory: Pick<EntryOptions<unknown>, "productsOf"> = { productsOf: () => [] };

/** A change of inventory alone. */
export interface InventoryChange {
  hubId: number;
  productIds: readonly number[];
  /** One of them sold out or came back. */
  isAvailabilityChanged: boolean;
}

interface Entry {
  cached?: Cached<unknown>;
  loading?: Promise<Cached<unknown>>;
  /** Its data changed since it was loaded. */
  stale: boolean;
  /** Null: it depends on the inventory of every product. */
  productIds: ReadonlySet<number> | null;
  choosesInStock: boolean;
  loadedAt: number;
  scope: Scope;
  /** Estimated memory. */
  bytes: number;
}

/** Memory of an entry per character of its JSON: the text, the value it was made from, and the compressed bytes. */
const BYTES_PER_CHARACTER = 4;

export interface PublicCacheOptions {
  /** Monotonic milliseconds. */
  elapsed: () => number;
  /** A stale entry is reloaded at most this often, so that a rush of orders does not defeat the cache. */
  minAgeMs?: number;
  /** No entry is older than this, even without a notification. */
  maxAgeMs?: number;
  maxEntries?: number;
  /** Estimated memory of all entries. */
  maxBytes?: number;
}

/**
 * Cache of public data per hub. Entries become stale by the database's notifications. While one caller reloads a stale
 * entry, others get its previous value; a missing entry is loaded once for all callers. Bounded: the least recently used
 * entry is evicted first, by number and by bytes. A `load` reads other entries with `getFresh` alone, or stale data would be
 * stored as fresh.
 */
export class PublicCache {
  readonly #entries = new Map<string, Entry>();
  readonly #options: Required<PublicCacheOptions>;
  #bytes = 0;

  constructor(options: PublicCacheOptions) {
    this.#options = { minAgeMs: 250, maxAgeMs: 60_000, maxEntries: 10_000, maxBytes: 64 * 2 ** 20, ...options };
  }

  /**
   * The entry for `key`, loaded when missing or stale. A load that fails or is not cacheable leaves no entry, so that made-up URLs do
   * not evict real ones.
   */
  async get<T>(scope: Scope, key: string, load: () => Promise<T>, options: EntryOptions<T> = {}): Promise<Cached<T>> {
    const fresh = this.peek<T>(scope, key);
    if (fresh) return fresh;
    const id = `${scope ?? "*"}:${key}`;
    const entry = this.#entryOf(id, scope);
    return (entry.loading ?? this.#load(id, entry, load, options)) as Promise<Cached<T>>;
  }

  /**
   * The entry for `key` as of now, for the load of another entry: never the previous value of one that is stale, nor a load that
   * began before its last change. An entry may build on others only if each change of theirs makes it stale too.
   */
  async getFresh<T>(
    scope: Scope,
    key: string,
    load: () => Promise<T>,
    options: EntryOptions<T> = {},
  ): Promise<Cached<T>> {
    const id = `${scope ?? "*"}:${key}`;
    const entry = this.#entryOf(id, scope);
    if (entry.loading && entry.stale) await entry.loading.catch(() => undefined);
    if (entry.loading) return entry.loading as Promise<Cached<T>>;
    if (!entry.stale && this.#isFresh(entry)) return entry.cached as Cached<T>;
    return this.#load(id, entry, load, options);
  }

  #entryOf(id: string, scope: Scope): Entry {
    let entry = this.#entries.get(id);
    if (!entry) {
      entry = { stale: true, loadedAt: -Infinity, scope, bytes: 0, productIds: null, choosesInStock: false };
      this.#entries.set(id, entry);
      this.#trim();
    }
    return entry;
  }

  /** The entry for `key` when it is fresh: the result of `get` without a promise. */
  peek<T>(scope: Scope, key: string): Cached<T> | undefined {
    const id = `${scope ?? "*"}:${key}`;
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
    { isCacheable = () => true, productsOf, choosesInStock = false }: EntryOptions<T>,
  ): Promise<Cached<T>> {
    entry.stale = false;
    // Unknown while it loads, so any change of inventory makes it stale.
    entry.productIds = null;
    entry.loadedAt = this.#options.elapsed();
    const loading = load().then(
      (value) => {
        const cached: Cached<T> = { ...cachedOf(value), encoded: {} };
        entry.cached = cached;
        entry.loading = undefined;
        entry.productIds = productsOf ? new Set(productsOf(value)) : null;
        entry.choosesInStock = choosesInStock;
        if (!isCacheable(value)) this.#delete(id, entry);
        else if (this.#entries.get(id) === entry) {
          this.#bytes -= entry.bytes;
          this.#bytes += entry.bytes = cached.json.length * BYTES_PER_CHARACTER;
          this.#trim();
        }
        return cached;
      },
      (error: unknown) => {
        entry.loading = undefined;
        entry.stale = true;
        entry.loadedAt = -Infinity;
        if (!entry.cached || (error instanceof AppError && error.status === 404)) this.#delete(id, entry);
        throw error;
      },
    );
    entry.loading = loading;
    return loading;
  }

  #delete(id: string, entry: Entry): void {
    if (this.#entries.get(id) !== entry) return;
    this.#entries.delete(id);
    this.#bytes -= entry.bytes;
  }

  #trim(): void {
    for (const [id, entry] of this.#entries) {
      if (this.#entries.size <= this.#options.maxEntries && this.#bytes <= this.#options.maxBytes) return;
      this.#delete(id, entry);
    }
  }

  /** Marks the entries of a hub as stale, whose offers changed, and those of no single hub (null: all entries). */
  drop(hubId: number | null): void {
    for (const entry of this.#entries.values()) {
      if (hubId === null || entry.scope === null || entry.scope === hubId) entry.stale = true;
    }
  }

  /** Marks the entries of a hub as stale that show the inventory of these products, or chose by it. */
  dropInventory({ hubId, productIds, isAvailabilityChanged }: InventoryChange): void {
    for (const entry of this.#entries.values()) {
      if (entry.scope !== hubId || entry.stale) continue;
      const { productIds: shown, choosesInStock } = entry;
      if (shown === null || (choosesInStock && isAvailabilityChanged) || productIds.some((id) => shown.has(id)))
        entry.stale = true;
    }
  }

  /** Deletes all entries: after a lost connection, missed notifications are unknown. */
  clear(): void {
    this.#entries.clear();
    this.#bytes = 0;
  }
}
