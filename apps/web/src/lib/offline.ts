import { boot, config } from "./boot.ts";
import { deviceNow } from "./clock.ts";
import { getItem, removeItem, setItem } from "./storage.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

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
/** Between two requests of a kept page for the server's, ms: doubles up to the last. */
const RETRY_MS = { first: 5_000, last: 60_000 };
/** After this the service worker, which reports a failure within 60 s, was ended by the browser, ms. */
const REPORT_DEADLINE = 75_000;
/** How often a page that is ready looks whether it can be loaded without a loss, ms. */
const LOOK = 1_000;
/** A page that is ready is not of this moment for longer, ms; the service worker takes it for 30 s. */
const READY_FRESH = 20_000;

/** How long a page waits for its next request, ms: all those who were shown a kept page must not come back at once. */
export const pauseAfter = (failures: number, random = Math.random()): number =>
  Math.min(RETRY_MS.first * 2 ** failures, RETRY_MS.last) * (0.75 + random / 2);

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin
const post = (message: unknown) => navigator.serviceWorker.controller?.postMessage(message);

let timer: ReturnType<typeof setTimeout> | undefined;

/** The cart of the kept page is outdated. */
export function keepCart(): void {
  if (!("serviceWorker" in navigator) || config.build === "dev") return;
  clearTimeout(timer);
  timer = setTimeout(() => post("shop-changed"), PAUSE);
}

/** What the service worker reports about a request for a page. */
interface Report {
  url: string;
  isReady: boolean;
}

/** How often a kept page was loaded again and was a kept one again, in this tab. */
const RELOADS = "kept-reloads";

const here = () => location.href.split("#")[0] ?? "";

/** Whether the shopper is writing something that a reload would lose. */
const isWriting = () => {
  const field = document.activeElement;
  const isText = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
  return hasUnsavedWork() || (isText && field.value !== "");
};

/**
 * A page that was kept makes room for the server's: the service worker reports when that one has arrived, and the reload takes it.
 * Until then it is requested again from time to time, one request at a time. Never over something that is being written.
 */
function comeBack(): void {
  const reloads = getItem<number>("session", RELOADS) ?? 0;
  // The page before was a kept one too: whatever went wrong, it does not go wrong again at once.
  const notBefore = deviceNow() + (reloads === 0 ? 0 : pauseAfter(reloads));
  let failures = reloads;
  let next: ReturnType<typeof setTimeout>;
  const wait = (run: () => void, ms: number) => {
    clearTimeout(next);
    next = setTimeout(run, ms);
  };
  const fail = () => {
    wait(request, pauseAfter(failures));
    failures += 1;
  };
  const request = () => {
    wait(fail, REPORT_DEADLINE);
    post({ load: here() });
  };
  const loadWhenFree = (until: number) => {
    if (deviceNow() > until) return request();
    if (isWriting()) return wait(() => loadWhenFree(until), LOOK);
    setItem("session", RELOADS, reloads + 1, 10 * RETRY_MS.last);
    location.reload();
  };
  const onReport = ({ data }: MessageEvent<Report>) => {
    const { url, isReady } = data;
    if (!isReady) return fail();
    // Another address than the one that was requested: the shopper went on.
    if (url !== here()) return request();
    const until = deviceNow() + READY_FRESH;
    wait(() => loadWhenFree(until), notBefore - deviceNow());
  };
  navigator.serviceWorker.addEventListener("message", onReport);
  addEventListener("online", request);
  if (keptBecause === "slow") wait(fail, REPORT_DEADLINE);
  else fail();
}

/** Starts the service worker once the page has nothing else to do. Not in development: there is no build to keep. */
export function startOffline(): void {
  if (keptBecause) comeBack();
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
  };
  // Blocked by the browser's settings: the market works as it always did.
  const later = () => void begin().catch(() => undefined);
  if ("requestIdleCallback" in window) requestIdleCallback(later, { timeout: 10_000 });
  else setTimeout(later, PAUSE);
}
