type Where = "local" | "session";

const store = (where: Where): Storage | null => {
  try {
    return where === "local" ? localStorage : sessionStorage;
  } catch {
    return null;
  }
};

interface Kept {
  value: unknown;
  /** ms since the epoch; null keeps it as long as the store does. */
  until: number | null;
}

/** The person that this tab's session storage belongs to. */
const OWNER = "owner";

/** Whether what one visitor left undone is the other's too: a guest (a string) who signs in is the same person. */
export const isSamePerson = (before: number | string, now: number | string): boolean =>
  before === now || (typeof before === "string" && typeof now === "number");

export type AppStorage = ReturnType<typeof createStorage>;

/**
 * What the browser keeps for an app, by expiry. Blocked or full storage behaves like an empty one.
 * @param app prefix of its keys, so that two apps of one origin neither read nor delete each other's
 * @param database the app's IndexedDB for what session storage has no room for; deleted with it
 */
export function createStorage(app: string, { database }: { database?: string } = {}) {
  const nameOf = (key: string) => `${app}:${key}`;

  /** Keeps a JSON value, for `ms` when given. */
  function setItem(where: Where, key: string, value: unknown, ms: number | null = null): void {
    const kept: Kept = { value, until: ms === null ? null : Date.now() + ms };
    try {
      store(where)?.setItem(nameOf(key), JSON.stringify(kept));
    } catch {
      // Full: this storage is a convenience, never the only copy of something that was reported as saved.
    }
  }

  /** What was kept, or null when there is nothing, it has expired, or it cannot be read. */
  function getItem<T>(where: Where, key: string): T | null {
    try {
      const kept = JSON.parse(store(where)?.getItem(nameOf(key)) ?? "null") as Kept | null;
      if (!kept) return null;
      if (kept.until === null || kept.until > Date.now()) return kept.value as T;
      removeItem(where, key);
    } catch {
      // Not text of this app.
    }
    return null;
  }

  function removeItem(where: Where, key: string): void {
    try {
      store(where)?.removeItem(nameOf(key));
    } catch {
      // Nothing was kept either.
    }
  }

  /** Everything the app kept there, with session storage its database too: for a person who leaves on purpose. */
  function removeAll(where: Where): void {
    try {
      const found = store(where);
      for (const key of Object.keys(found ?? {})) if (key.startsWith(nameOf(""))) found?.removeItem(key);
      if (where === "session" && database !== undefined) indexedDB.deleteDatabase(database);
    } catch {
      // Nothing was kept either.
    }
  }

  /**
   * Assigns this tab's session storage to a customer (a number) or guest (a string). What another person left in it is
   * deleted first. Without a session nothing changes: a person whose session expired
   * finds their drafts after signing in again (docs/product.md §17, failures F5).
   */
  function claimSessionStorage(customerId: number | string | null): void {
    if (customerId === null) return;
    const owner = getItem<number | string>("session", OWNER);
    if (owner === customerId) return;
    if (owner !== null && !isSamePerson(owner, customerId)) removeAll("session");
    setItem("session", OWNER, customerId);
  }

  return { setItem, getItem, removeItem, removeAll, claimSessionStorage };
}
