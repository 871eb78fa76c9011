import "../styles/base.css";
import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { seedBanners } from "../features/banners/api.ts";
import { CartProvider } from "../features/cart/cart-provider.tsx";
import { seedCollections } from "../features/collections/api.ts";
import { seedContent } from "../features/content/api.ts";
import { seedHub } from "../features/hubs/api.ts";
import { seedProduct } from "../features/products/api.ts";
import { seedVisitor } from "../features/session/api.ts";
import { seedFeed } from "../features/shop/api.ts";
import { boot } from "../lib/boot.ts";
import { setClock } from "../lib/clock.ts";
import { startTagManager } from "../lib/data-layer.ts";
import { keepFocus } from "../lib/keep-focus.ts";
import { isKept, startOffline } from "../lib/offline.ts";
import { createQueryClient } from "../lib/query-client.ts";
import { MarketRouter } from "../navigation/market-router.tsx";
import { App } from "./app.tsx";
import { modals } from "./modals.tsx";
import { OverlayProvider } from "./overlay-provider.tsx";
import { preloadOverlays, reloadOnLostChunk } from "./preload.ts";
import { isPublicPage, loadCodeOf } from "./routes.tsx";

/**
 * Seeds the caches with what the server rendered, and takes over the page: not before the code of what the address shows
 * is here, so that a slow line keeps the server's view instead of an empty sheet.
 */
export function start(root: HTMLElement): void {
  const client = createQueryClient();
  if (boot.now && !isKept) setClock(boot.now);
  for (const seed of [seedVisitor, seedHub, seedCollections, seedFeed, seedBanners, seedProduct, seedContent])
    seed(client);
  reloadOnLostChunk();
  keepFocus();
  const render = () => renderApp(root, client);
  const code = firstCode();
  if (code.length === 0) render();
  else void Promise.race([Promise.all(code), new Promise((done) => setTimeout(done, CODE_WAIT))]).then(render);
  preloadOverlays();
  startTagManager();
  startOffline();
}

/** How long the server's view stays while the code of what the address shows is on its way, ms. */
const CODE_WAIT = 15_000;

/** Code the first view needs besides the app's own: the page or overlay of the address, and Welcome for a first visit. */
function firstCode(): Promise<void>[] {
  const load = loadCodeOf(location.pathname);
  const asksForPlace = boot.session?.hubId === null && !isPublicPage(location.pathname);
  return [load, asksForPlace ? modals.welcome?.Content.load : null].flatMap((one) => (one ? [one()] : []));
}

function renderApp(root: HTMLElement, client: QueryClient): void {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <MarketRouter>
          <CartProvider>
            <OverlayProvider>
              <App />
            </OverlayProvider>
          </CartProvider>
        </MarketRouter>
      </QueryClientProvider>
    </StrictMode>,
  );
}
