import type { AppStorage } from "../storage.ts";

/** 128 random bits. Not `crypto.randomUUID`: plain http on a LAN has none. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * The idempotency keys of writes whose result this tab does not have. Kept in the tab's storage, which belongs to one person
 * (`claimSessionStorage`), so that a try after closing and reopening, or after a reload, is the same write to the server. A name
 * is what is written: different writes need different ones.
 */
export function createAttemptKeys({ getItem, removeItem, setItem }: AppStorage) {
  /** For a tab whose storage is blocked or full. */
  const inMemory = new Map<string, string>();

  /** The key of a write whose result is unknown; null: there is none. */
  const openKey = (name: string): string | null => getItem<string>("session", name) ?? inMemory.get(name) ?? null;

  return {
    openKey,

    /** The key for the next request of a write: the open one, or a new one. */
    keyOf: (name: string): string => {
      const key = openKey(name) ?? newKey();
      setItem("session", name, key);
      inMemory.set(name, key);
      return key;
    },

    /** The result is known: the next one is another write. */
    end: (name: string): void => {
      removeItem("session", name);
      inMemory.delete(name);
    },
  };
}
