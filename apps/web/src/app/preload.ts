import { whenIdle } from "@marketday/client/idle.ts";
import { isSlowLine } from "@marketday/client/slow-line.ts";
import { hasUnsavedWork } from "@marketday/client/unsaved-work.ts";
import { readVersion } from "@marketday/client/version.ts";

import { config } from "../lib/boot.ts";
import { setItem, getItem } from "../lib/storage.ts";
import { modals } from "./modals.tsx";
import { overlayRoutes } from "./routes.tsx";

/**
 * A deploy may remove a chunk that this page still requests: one reload, and not again for 30 s. Only when the server
 * answers with a newer build: without a network a reload would leave the shopper with nothing, and never over something
 * that is being typed. The caller shows that it could not be opened, with Retry.
 */
export function reloadOnLostChunk(): void {
  addEventListener("vite:preloadError", () => void reloadForNewBuild());
}

async function reloadForNewBuild(): Promise<void> {
  if (getItem("session", "chunk-reload")) return;
  const build = await readVersion();
  if (build === null || build === config.build || hasUnsavedWork()) return;
  setItem("session", "chunk-reload", true, 30_000);
  location.reload();
}

/** Events of a person, not of a crawler or a preview. */
const signs = ["pointerdown", "pointermove", "touchstart", "keydown", "scroll"] as const;

/** Where an idle browser does not say so (WebKit), ms between two chunks. */
const BETWEEN_CHUNKS = 50;

/**
 * Prefetches what a purchase needs first, after the first interaction and when the network is idle. Every other overlay is
 * fetched when a pointer, a finger or the focus comes near its link, or when it opens. Never on a slow connection.
 */
export function preloadPurchase(): void {
  if (isSlowLine()) return;
  const [product] = overlayRoutes;
  const { cart, checkout, search, login } = modals;
  const loads = [product, cart, checkout, search, login].flatMap((entry) => entry?.Content.load ?? []);
  const next = () => {
    const load = loads.shift();
    // A chunk that fails here is fetched again when it is needed.
    if (load) void load().then(() => whenIdle(next, BETWEEN_CHUNKS));
  };
  const begin = () => {
    for (const sign of signs) removeEventListener(sign, begin);
    whenIdle(next, BETWEEN_CHUNKS);
  };
  for (const sign of signs) addEventListener(sign, begin, { passive: true });
}
