import { createHash } from "node:crypto";

import { isUnavailable } from "@marketday/db";

import { AppError } from "./app-error.ts";

/** A response body: the value, its JSON and its ETag (weak: the same for every encoding), both made when they are first needed. */
export class Cached<T> {
  readonly value: T;
  /** Bytes by encoding, created on first use; only for bodies that are the same for all shoppers. */
  readonly encoded: { identity?: Buffer; br?: Buffer; gzip?: Buffer } | null;
  #json: string | undefined;
  #etag: string | undefined;
  constructor(value: T, encoded: Cached<T>["encoded"]) {
    this.value = value;
    this.encoded = encoded;
  }
  get json(): string {
    return (this.#json ??= JSON.stringify(this.value));
  }
  get etag(): string {
    return (this.#etag ??= `W/"${createHash("sha1").update(this.json).digest("base64url")}"`);
  }
}

/** The body of one shopper. */
export const cachedOf = <T>(value: T): Cached<T> => new Cached(value, null);
/** A body that is the same for all shoppers. */
export const sharedOf = <T>(value: T): Cached<T> => new Cached(value, {});

/**
 * The data of an entry: a hub's id; null: of no single hub; `hubs`: of the hubs themselves and their next deliveries; `orders`: counts
 * of orders, which no notification changes.
 */
export type Scope = number | "hubs" | "orders" | null;

/**
 * What a change was of. `listing`: which products a hub lists, their order, names and texts; `price`: offers apart from being
 * published; the others: their rows alone.
 */
type ChangeKind = "listing" | "price" | "review" | "picture" | "post" | "banner" | "bundle" | "content";

/** A change of public data. */
export interface CatalogueChange {
  /** Null: of all kinds. */
  kind: ChangeKind | null;
  /** The hubs whose entries it concerns; null: all. */
  hubIds: readonly number[] | null;
  /** Products whose entries in other hubs it concerns too. */
  productIds: readonly number[];
}

/** A change of anything. */
export const ANY_CHANGE: CatalogueChange = { kind: null, hubIds: null, productIds: [] };

/** What an entry depends on, and whether it is kept. */
export interface EntryOptions<T> {
  /** False: the value is returned but not cached. */
  isCacheable?: (value: T) => boolean;
  /** The kinds of changes that make it stale. Undeclared: all. */
  dependsOn?: readonly ChangeKind[];
  /** It shows what its hub does not sell: a change in any hub makes it stale. */
  showsOtherHubs?: boolean;
  /** The products whose inventory, rating and pictures the value shows, by id. Undeclared: it depends on those of every product. */
  productsOf?: (value: T) => readonly number[];
  /** The value was chosen or sorted by what is in stock: the chosen products. One that was not chosen may sell out. */
  choosesInStock?: (value: T) => readonly number[];
  /** Instead of the cache's. */
  maxAgeMs?: number;
  /** Memory of a value that is not sent as it is; its JSON is not made then. Undeclared: estimated by the JSON. */
  bytes?: number;
  /**
   * With any number of notifications, loading takes a fifth of the time at most: until `costlyAge` times its loading time has
   * passed, `getFresh` returns the previous value.
   */
  isCostly?: boolean;
}

/** For entries that no inventory changes. */
export const withoutInventory: Pick<EntryOptions<unknown>, "productsOf"> = { productsOf: () => [] };

/** What products show, as guests see them. */
export const PRODUCT_CHANGES: readonly ChangeKind[] = ["listing", "price", "review", "picture"];

/** A change of inventory alone. */
export interface InventoryChange {
  hubId: number;
  productIds: readonly number[];
  /** One of them sold out or came back. */
  isAvailabilityChanged: boolean;
  /** One of them came back; undeclared: that is unknown. */
  isRestocked?: boolean;
}

interface Entry {
  cached?: Cached<unknown>;
  loading?: Promise<Cached<unknown>>;
  /** Its data changed since it was loaded. */
  stale: boolean;
  /** Null: it depends on every product. */
  productIds: ReadonlySet<number> | null;
  /** Null: not chosen by what is in stock. */
  chosenIds: ReadonlySet<number> | null;
  dependsOn: readonly ChangeKind[] | null;
  showsOtherHubs: boolean;
  loadedAt: number;
  loadMs: number;
  maxAgeMs: number;
  scope: Scope;
  /** Estimated memory. */
  bytes: number;
  /** Of `derive`. */
  derived?: { sources: readonly unknown[]; made: Promise<unknown> };
}

function haveCommon(some: ReadonlySet<number>, others: ReadonlySet<number>): boolean {
  const [few, many] = some.size < others.size ? [some, others] : [others, some];
  for (const id of few) if (many.has(id)) return true;
  return false;
}

function isConcerned(entry: Entry, { kind, hubIds }: CatalogueChange, productIds: ReadonlySet<number>): boolean {
  const { scope, dependsOn, showsOtherHubs, productIds: shown } = entry;
  if (scope === "hubs" || scope === "orders") return false;
  if (kind !== null && dependsOn !== null && !dependsOn.includes(kind)) return false;
  // A price is shown in its hub alone, and a rating with its product.
  const isOfEveryHub = (scope === null || showsOtherHubs) && kind !== "price" && kind !== "review";
  if (hubIds === null || isOfEveryHub || (scope !== null && hubIds.includes(scope))) return true;
  return shown === null ? productIds.size > 0 : haveCommon(shown, productIds);
}

/** Memory of an entry per character of its JSON: the text, the value it was made from, and the compressed bytes. */
const BYTES_PER_CHARACTER = 4;

/** Estimated memory of a response body. */
export const bytesOfBody = ({ json }: Cached<unknown>): number => json.length * BYTES_PER_CHARACTER;

export interface KeyedCacheOptions {
  /** Monotonic milliseconds. */
  elapsed: () => number;
  /** A stale entry is reloaded at most this often, so that a rush of orders does not defeat the cache. */
  minAgeMs?: number;
  /** A stale entry that `isCostly` is reloaded at this age at the earliest, in times of its loading time. */
  costlyAge?: number;
  /** No entry is older than this, even without a notification. */
  maxAgeMs?: number;
  maxEntries?: number;
  /** Estimated memory of all entries. */
  maxBytes?: number;
}

/**
 * Cache by key: the public data of each hub, the hubs, sessions, and each customer's personal data. Entries become stale by the
 * database's notifications. While one caller reloads a stale entry, others get its previous value; a missing entry is loaded once
 * for all callers. Bounded: the least recently used entry is evicted first, by number and by bytes. A `load` reads other entries
 * with `getFresh` alone, or stale data would be stored as fresh.
 */
export class KeyedCache {
  #entries = new Map<string, Entry>();
  /** While notifications are lost: the entries as they were before. */
  #suspended: Map<string, Entry> | null = null;
  readonly #options: Required<KeyedCacheOptions>;
  #bytes = 0;

  constructor(options: KeyedCacheOptions) {
    this.#options = {
      minAgeMs: 250,
      costlyAge: 4,
      maxAgeMs: 60_000,
      maxEntries: 10_000,
      maxBytes: 64 * 2 ** 20,
      ...options,
    };
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
    const minAgeMs = options.isCostly ? this.#options.costlyAge * entry.loadMs : 0;
    if (this.#isFresh(entry, minAgeMs)) return entry.cached as Cached<T>;
    return this.#load(id, entry, load, options);
  }

  /** What `make` made of these sources, kept under `key` while each source stays the same: objects by identity. */
  derive<T>(
    key: string,
    sources: readonly unknown[],
    make: () => Promise<T>,
    bytesOf: (made: T) => number,
  ): Promise<T> {
    const id = `derived:${key}`;
    const entry = this.#entryOf(id, null);
    const { derived } = entry;
    if (
      derived?.sources.length === sources.length &&
      derived.sources.every((source, place) => source === sources[place])
    )
      return derived.made as Promise<T>;
    const made = make();
    const current = { sources, made };
    entry.derived = current;
    const settle = (bytes: number | null) => {
      if (entry.derived !== current || this.#entries.get(id) !== entry) return;
      if (bytes === null) return this.#delete(id, entry);
      this.#bytes += bytes - entry.bytes;
      entry.bytes = bytes;
      this.#trim();
    };
    made.then(
      (value) => settle(bytesOf(value)),
      () => settle(null),
    );
    return made;
  }

  #entryOf(id: string, scope: Scope): Entry {
    let entry = this.#entries.get(id);
    if (entry) {
      this.#entries.delete(id);
      this.#entries.set(id, entry);
    } else {
      entry = {
        stale: true,
        loadedAt: -Infinity,
        loadMs: 0,
        maxAgeMs: this.#options.maxAgeMs,
        scope,
        bytes: 0,
        productIds: null,
        chosenIds: null,
        dependsOn: null,
        showsOtherHubs: false,
      };
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

  #isFresh(entry: Entry, minAgeMs = this.#options.minAgeMs): boolean {
    const age = this.#options.elapsed() - entry.loadedAt;
    return entry.cached !== undefined && age < (entry.stale || this.#suspended ? minAgeMs : entry.maxAgeMs);
  }

  #load<T>(
    id: string,
    entry: Entry,
    load: () => Promise<T>,
    {
      isCacheable = () => true,
      productsOf,
      choosesInStock,
      dependsOn,
      showsOtherHubs = false,
      maxAgeMs = this.#options.maxAgeMs,
      bytes,
    }: EntryOptions<T>,
  ): Promise<Cached<T>> {
    entry.stale = false;
    const previous = this.#suspended && entry.cached;
    if (this.#suspended) entry.cached = undefined;
    // Unknown while it loads, so a change of any product makes it stale.
    entry.productIds = null;
    entry.dependsOn = dependsOn ?? null;
    entry.showsOtherHubs = showsOtherHubs;
    entry.loadedAt = this.#options.elapsed();
    entry.maxAgeMs = maxAgeMs;
    const loading = load().then(
      (value) => {
        const cached = sharedOf(value);
        entry.cached = cached;
        entry.loading = undefined;
        entry.loadMs = this.#options.elapsed() - entry.loadedAt;
        entry.productIds = productsOf ? new Set(productsOf(value)) : null;
        entry.chosenIds = choosesInStock ? new Set(choosesInStock(value)) : null;
        if (!isCacheable(value)) this.#delete(id, entry);
        else if (this.#entries.get(id) === entry) {
          this.#bytes -= entry.bytes;
          this.#bytes += entry.bytes = bytes ?? bytesOfBody(cached);
          this.#trim();
        }
        return cached;
      },
      (error: unknown) => {
        entry.loading = undefined;
        entry.stale = true;
        const earlier = previous ?? this.#suspended?.get(id)?.cached;
        if (this.#suspended && earlier && isUnavailable(error)) {
          entry.cached = earlier;
          return earlier as Cached<T>;
        }
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

  /** Marks one entry as stale. */
  dropKey(scope: Scope, key: string): void {
    const entry = this.#entries.get(`${scope ?? "*"}:${key}`);
    if (entry) entry.stale = true;
  }

  /** Marks the entries as stale that a change concerns: of its hubs, of no single hub, and those that show one of its products. */
  drop(change: CatalogueChange): void {
    const productIds = new Set(change.productIds);
    for (const entry of this.#entries.values())
      if (!entry.stale && isConcerned(entry, change, productIds)) entry.stale = true;
  }

  /** Marks the entries of the hubs themselves as stale. */
  dropHubs(): void {
    for (const entry of this.#entries.values()) if (entry.scope === "hubs") entry.stale = true;
  }

  /** Marks the entries as stale whose value is one of these, and those that are being loaded. */
  dropValues<T>(isStale: (value: T) => boolean): void {
    for (const entry of this.#entries.values())
      if (entry.loading || (entry.cached && isStale(entry.cached.value as T))) entry.stale = true;
  }

  /** Marks the entries of a hub as stale that show the inventory of these products, or chose by it. */
  dropInventory({
    hubId,
    productIds,
    isAvailabilityChanged,
    isRestocked = isAvailabilityChanged,
  }: InventoryChange): void {
    const changed = new Set(productIds);
    for (const entry of this.#entries.values()) {
      if (entry.scope !== hubId || entry.stale) continue;
      const { productIds: shown, chosenIds: chosen } = entry;
      const isChoiceChanged =
        chosen !== null && (isRestocked || (isAvailabilityChanged && haveCommon(chosen, changed)));
      if (shown === null || isChoiceChanged || haveCommon(shown, changed)) entry.stale = true;
    }
  }

  /**
   * Call it when notifications are lost, which makes any entry stale at any time. Until `clear`, an entry is loaded at least every
   * `minAgeMs` and its callers wait for it; a previous value is returned only when the database is unavailable.
   */
  suspend(): void {
    if (this.#suspended) return;
    this.#suspended = this.#entries;
    this.#entries = new Map();
    this.#bytes = 0;
  }

  /** Deletes all entries, or those of one scope: after a lost connection, missed notifications are unknown. */
  clear(scope?: Scope): void {
    if (scope === undefined) this.#suspended = null;
    for (const [id, entry] of this.#entries) if (scope === undefined || entry.scope === scope) this.#delete(id, entry);
  }
}
