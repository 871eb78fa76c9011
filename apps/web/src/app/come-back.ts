import { deviceNow } from "@marketday/client/clock.ts";
import { hasUnsavedWork } from "@marketday/client/unsaved-work.ts";

import { keptBecause, postToWorker, RELOADS } from "../lib/offline.ts";
import { getItem, setItem } from "../lib/storage.ts";

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

/** What the service worker reports about a request for a page. */
interface Report {
  url: string;
  isReady: boolean;
}

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
export function comeBack(): void {
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
    postToWorker({ load: here() });
  };
  const loadWhenFree = (until: number) => {
    if (isWriting()) return wait(() => loadWhenFree(until), LOOK);
    if (deviceNow() > until) return request();
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
  if (keptBecause === "slow") request();
  else fail();
}
