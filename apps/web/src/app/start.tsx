import "../styles/base.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { seedBanners } from "../features/banners/api.ts";
import { CartProvider } from "../features/cart/cart-provider.tsx";
import { seedCollections } from "../features/collections/api.ts";
import { seedWords } from "../features/content/api.ts";
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
import { App } from "./app.tsx";
import { LayerProvider } from "./layer-provider.tsx";
import { MarketRouter } from "./market-router.tsx";
import { preloadOverlays, reloadOnLostChunk } from "./preload.ts";

/** Seeds the caches with what the server painted, and takes over the page. */
export function start(root: HTMLElement): void {
  const client = createQueryClient();
  if (boot.now && !isKept) setClock(boot.now);
  for (const seed of [seedVisitor, seedHub, seedCollections, seedFeed, seedBanners, seedProduct, seedWords])
    seed(client);
  reloadOnLostChunk();
  keepFocus();
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <MarketRouter>
          <CartProvider>
            <LayerProvider>
              <App />
            </LayerProvider>
          </CartProvider>
        </MarketRouter>
      </QueryClientProvider>
    </StrictMode>,
  );
  preloadOverlays();
  startTagManager();
  startOffline();
}
