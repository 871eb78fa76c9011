import { boot, config } from "./boot.ts";
import { removeItem } from "./storage.ts";

/** Why this page is the one that the service worker kept, and not the server's; null when it is the server's. */
export const keptBecause = ((): "slow" | "unreachable" | null => {
  const kept = document.documentElement.getAttribute("data-kept");
  if (kept === null) return null;
  return kept === "slow" ? "slow" : "unreachable";
})();

/** When it was rendered: it shows how the market was then, not how it is. */
export const keptAt = (): Date | null => (keptBecause && boot.now ? new Date(boot.now) : null);

/** After the last change of the cart, ms: one page is rendered for several. */
const PAUSE = 3000;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin
export const postToWorker = (message: unknown) => navigator.serviceWorker.controller?.postMessage(message);

let timer: ReturnType<typeof setTimeout> | undefined;

/** The cart of the kept page is outdated. */
export function keepCart(): void {
  if (!("serviceWorker" in navigator) || config.build === "dev") return;
  clearTimeout(timer);
  timer = setTimeout(() => postToWorker("shop-changed"), PAUSE);
}

/** How often a kept page was loaded again and was a kept one again, in this tab. */
export const RELOADS = "kept-reloads";

/**
 * Starts the service worker once the page has nothing else to do. Not in development: there is no build to keep. `loadComeBack`: the
 * code of a kept page, which is fetched with the worker, so that it is here when the market is not.
 */
export function startOffline(loadComeBack: () => Promise<{ comeBack: () => void }>): void {
  if (keptBecause) void loadComeBack().then(({ comeBack }) => comeBack());
  else removeItem("session", RELOADS);
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (!("serviceWorker" in navigator) || config.build === "dev" || connection?.saveData) return;
  const begin = async () => {
    await navigator.serviceWorker.register("/service-worker.js");
    const { active } = await navigator.serviceWorker.ready;
    if (keptBecause) return;
    // Loaded past the worker, which then has not seen who is signed in.
    const isUnseen = navigator.serviceWorker.controller === null;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin
    active?.postMessage(isUnseen ? "shop-changed" : "page-opened");
    await loadComeBack();
  };
  // Blocked by the browser's settings: the market works as it always did.
  const later = () => void begin().catch(() => undefined);
  if ("requestIdleCallback" in window) requestIdleCallback(later, { timeout: 10_000 });
  else setTimeout(later, PAUSE);
}
