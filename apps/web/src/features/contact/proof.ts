import * as calls from "@marketday/contracts/calls";
import { Minute } from "@marketday/domain/time";

import { call } from "../../lib/api.ts";

/** A solved puzzle is taken for a quarter of an hour; one that is older than this is not sent any more. */
const FRESH_MS = 12 * Minute.ms;

function solve(challenge: unknown): Promise<unknown> {
  const worker = new Worker(new URL("./solve.worker.ts", import.meta.url), { type: "module" });
  return new Promise<unknown>((done, fail) => {
    worker.addEventListener("message", ({ data }) =>
      data ? done(data) : fail(new Error("We couldn't check that you're human. Please try again.")),
    );
    worker.addEventListener("error", () => fail(new Error("We couldn't check that you're human. Please try again.")));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker, not a window
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}

async function prove(): Promise<string> {
  const { challenge } = await call(calls.getChallenge);
  if (!challenge) throw new Error("This market checks otherwise.");
  const solution = await solve(challenge);
  return btoa(JSON.stringify({ challenge, solution }));
}

/** The built-in bot check (docs/product.md §12): a puzzle solved while the shopper types. One proof is good for one request. */
export function proofOfWork() {
  let pending: { token: Promise<string>; at: number } | null = null;
  const start = (): Promise<string> => {
    if (pending && performance.now() - pending.at < FRESH_MS) return pending.token;
    const token = prove();
    const mine = { token, at: performance.now() };
    pending = mine;
    // One that failed is not kept: the next try asks again.
    token.catch(() => {
      if (pending === mine) pending = null;
    });
    return token;
  };
  return {
    /** Starts once. Never throws: the error is thrown where the token is needed. */
    begin: (): void => void start().catch(() => undefined),
    /** The token; waits for it. Throws when there is none to be had. */
    token: start,
    /** It was handed in. */
    spent: (): void => {
      pending = null;
    },
  };
}
