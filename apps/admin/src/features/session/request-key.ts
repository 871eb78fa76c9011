import { ApiError } from "@marketday/client/transport.ts";

/** 128 random bits. Not `crypto.randomUUID`: plain http on a LAN has none. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/**
 * Whether the server may have acted on a call that failed: its answer was lost, the first try still runs, or the server, or a proxy
 * before it, failed with a 5xx.
 */
export const isUndecided = (error: unknown): boolean =>
  error instanceof ApiError && (error.isOffline || error.code === "still_running" || (error.status ?? 0) >= 500);

/** What `run` throws when nothing was sent after all: what is unknown stays so. */
export class NotSent extends Error {
  override name = "NotSent";
}

/** Whether a call was not looked at, which says nothing of an earlier try: it was not sent, or the server let it in no further. */
const isTurnedAway = (error: unknown): boolean =>
  error instanceof NotSent || (error instanceof ApiError && [401, 403, 429].includes(error.status ?? 0));

/** How often something was undone in this tab. */
let undone = 0;

/** After an undo, what was sent before is another write when it is sent again: it is to be done, not answered as the first time. */
export function forgetKeys(): void {
  undone += 1;
}

/**
 * Idempotency keys of one screen's writes. A write whose outcome is unknown has the same key when it is sent again, so that the server
 * answers as it did the first time; every other one has a new key.
 */
export class RequestKeys {
  #unknown: { request: string; key: string } | null = null;

  /** Runs a write with its key. `request` is what is sent: another one is another write. Throws what `run` throws. */
  async run<T>(request: unknown, run: (key: string) => Promise<T>): Promise<T> {
    const sent = JSON.stringify([undone, request]);
    const kept = this.#unknown?.request === sent ? this.#unknown.key : null;
    const key = kept ?? newKey();
    this.#unknown = null;
    try {
      return await run(key);
    } catch (error) {
      if (isUndecided(error) || (kept !== null && isTurnedAway(error))) this.#unknown = { request: sent, key };
      throw error;
    }
  }
}
