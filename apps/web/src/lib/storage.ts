/** What the browser keeps for us, by expiry. Blocked or full storage behaves like an empty one. */

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

/** Keeps a JSON value, for `ms` when given. */
export function setItem(where: Where, key: string, value: unknown, ms: number | null = null): void {
  const kept: Kept = { value, until: ms === null ? null : Date.now() + ms };
  try {
    store(where)?.setItem(`marketday:${key}`, JSON.stringify(kept));
  } catch {
    // Full: this storage is a convenience, never the only copy of something that was reported as saved.
  }
}

/** What was kept, or null when there is nothing, it has expired, or it cannot be read. */
export function getItem<T>(where: Where, key: string): T | null {
  try {
    const kept = JSON.parse(store(where)?.getItem(`marketday:${key}`) ?? "null") as Kept | null;
    if (!kept) return null;
    if (kept.until === null || kept.until > Date.now()) return kept.value as T;
    removeItem(where, key);
  } catch {
    // Not text of this app.
  }
  return null;
}

export function removeItem(where: Where, key: string): void {
  try {
    store(where)?.removeItem(`marketday:${key}`);
  } catch {
    // Nothing was kept either.
  }
}

/** The database with the photos of this browser's drafts, which session storage has no room for. */
export const PHOTO_DATABASE = "marketday-photos";

/** Everything we kept there, with session storage the photos too: for a shopper who leaves on purpose. */
export function removeAll(where: Where): void {
  try {
    const found = store(where);
    for (const key of Object.keys(found ?? {})) if (key.startsWith("marketday:")) found?.removeItem(key);
    if (where === "session") indexedDB.deleteDatabase(PHOTO_DATABASE);
  } catch {
    // Nothing was kept either.
  }
}

/** The customer this tab's session storage belongs to. */
const OWNER = "owner";

/** Whether what one visitor left undone is the other's too: a guest (a string) who signs in is the same person. */
export const isSamePerson = (before: number | string, now: number | string): boolean =>
  before === now || (typeof before === "string" && typeof now === "number");

/**
 * Assigns this tab's session storage to a customer (a number) or guest (a string). What another person left in it is
 * deleted first. Without a session nothing changes: a person whose session expired
 * finds their drafts after signing in again (docs/product.md §17, failures F5).
 */
export function claimSessionStorage(customerId: number | string | null): void {
  if (customerId === null) return;
  const owner = getItem<number | string>("session", OWNER);
  if (owner === customerId) return;
  if (owner !== null && !isSamePerson(owner, customerId)) removeAll("session");
  setItem("session", OWNER, customerId);
}
