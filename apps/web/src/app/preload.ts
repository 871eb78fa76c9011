import { config } from "../lib/boot.ts";
import { whenIdle } from "../lib/idle.ts";
import { setItem, getItem } from "../lib/storage.ts";
import { hasUnsavedWork } from "../lib/unsaved-work.ts";
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
  const answer = await fetch("/version.json", { cache: "no-store" }).catch(() => null);
  const version = (await answer?.json().catch(() => null)) as { build?: unknown } | null | undefined;
  if (typeof version?.build !== "string" || version.build === config.build || hasUnsavedWork()) return;
  setItem("session", "chunk-reload", true, 30_000);
  location.reload();
}

/** Events of a person, not of a crawler or a preview. */
const signs = ["pointerdown", "pointermove", "touchstart", "keydown", "scroll"] as const;

/** Without an answer the line is taken for a fast one: only Chromium tells. */
const isSlowLine = (): boolean => {
  const { connection } = navigator as { connection?: { saveData?: boolean; effectiveType?: string } };
  return connection?.saveData === true || !["4g", undefined].includes(connection?.effectiveType);
};

/** Where an idle browser does not say so (WebKit), ms between two chunks. */
const BETWEEN_CHUNKS = 50;

/** Prefetches the overlays' code after the first interaction, when the network is idle: what a purchase needs first. Never on a slow connection. */
export function preloadOverlays(): void {
  if (isSlowLine()) return;
  const [product, ...overlays] = overlayRoutes;
  const { cart, checkout, search, login, ...others } = modals;
  const entries = [product, cart, checkout, search, login, ...overlays, ...Object.values(others)];
  const loads = entries.flatMap((entry) => entry?.Content.load ?? []);
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
