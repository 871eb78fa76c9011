import { boot, config } from "./boot.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";
import { readVersion } from "./version.ts";

/** This page is the one the service worker kept: how the market was at `boot.now`, not how it is. */
export const isKept = document.documentElement.hasAttribute("data-kept");

/** When it was rendered. */
export const keptAt = (): Date | null => (isKept && boot.now ? new Date(boot.now) : null);

/** After the last change: one page is rendered for several. */
const PAUSE = 3000;
/** How often a page that was kept asks whether the market is back. */
const RETRY_MS = 5000;

let timer: ReturnType<typeof setTimeout> | undefined;

/** The stored shop is outdated: another person, another market, another cart. */
export function keepShell(): void {
  if (!("serviceWorker" in navigator) || config.build === "dev") return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin
    navigator.serviceWorker.controller?.postMessage("keep-shell");
  }, PAUSE);
}

/** A page that was kept makes room for the real one, as soon as the market answers and nothing is being typed. */
function comeBack(): void {
  const look = async () => {
    if ((await readVersion()) !== null && !hasUnsavedWork()) location.reload();
  };
  addEventListener("online", () => void look());
  setInterval(() => void look(), RETRY_MS);
}

/** Starts the service worker once the page has nothing else to do. Not in development: there is no build to keep. */
export function startOffline(): void {
  if (isKept) comeBack();
  const connection = (navigator as { connection?: { saveData?: boolean } }).connection;
  if (!("serviceWorker" in navigator) || config.build === "dev" || connection?.saveData) return;
  const begin = async () => {
    await navigator.serviceWorker.register("/service-worker.js");
    const { active } = await navigator.serviceWorker.ready;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin
    active?.postMessage("keep-shell");
  };
  // Blocked by the browser's settings: the market works as it always did.
  const later = () => void begin().catch(() => undefined);
  if ("requestIdleCallback" in window) requestIdleCallback(later, { timeout: 10_000 });
  else setTimeout(later, PAUSE);
}
