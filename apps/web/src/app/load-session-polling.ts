import { importAgain } from "@marketday/client/import-again.ts";
import { onReturn } from "@marketday/client/on-return.ts";
import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";

const load = () => import("./session-polling.ts");
type Module = Awaited<ReturnType<typeof load>>;

/** Until the next try, ms: doubles up to the last. */
const RETRY_MS = { first: 5_000, last: 5 * 60_000 };

/**
 * Loads what follows the session, the week and the build of an open page. Without it a tab never learns that someone signed out
 * elsewhere, so a load that fails is repeated, with a growing pause and whenever the shopper or the network comes back. Null:
 * `stopped` ended it.
 */
export async function loadSessionPolling(stopped: AbortSignal): Promise<Module | null> {
  for (let pause = RETRY_MS.first; !stopped.aborted; pause = Math.min(2 * pause, RETRY_MS.last)) {
    const loading = pause === RETRY_MS.first ? load() : importAgain(load);
    // One that hangs until the deadline has failed too.
    const module = await Promise.race([loading.catch(() => null), nextChance(REQUEST_DEADLINE_MS, stopped)]);
    if (module) return module;
    await nextChance(pause, stopped, true);
  }
  return null;
}

/** Ends after `ms`, when it is stopped and, with `early`, when the shopper or the network comes back. */
function nextChance(ms: number, stopped: AbortSignal, early = false): Promise<null> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopReturn?.();
      removeEventListener("online", end);
      stopped.removeEventListener("abort", end);
      resolve(null);
    };
    const timer = setTimeout(end, ms);
    const stopReturn = early ? onReturn(end) : undefined;
    if (early) addEventListener("online", end);
    stopped.addEventListener("abort", end);
  });
}
