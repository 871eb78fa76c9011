import "@marketday/ui/styles/base.css";
import "../styles/static-view.css";
import { BrowserRouter } from "@marketday/client/browser-router.tsx";
import { reportRecovered } from "@marketday/client/chunk-retry.ts";
import { setClock } from "@marketday/client/clock.ts";
import { keepFocus } from "@marketday/client/keep-focus.ts";
import { queryClient as client } from "@marketday/client/query-client.ts";
import { RootBoundary } from "@marketday/client/root-boundary.tsx";
import { isDesktop } from "@marketday/client/use-media.ts";
import { QueryClientProvider } from "@tanstack/react-query";
import { startTransition, StrictMode } from "react";
import { createRoot } from "react-dom/client";

import { seedBanners } from "../features/banners/api.ts";
import { CartProvider } from "../features/cart/cart-provider.tsx";
import { seedCollections } from "../features/collections/api.ts";
import { seedContent } from "../features/content/api.ts";
import { seedHub } from "../features/hubs/api.ts";
import { seedProduct } from "../features/products/api.ts";
import { seedSession } from "../features/session/api.ts";
import { seedFeed } from "../features/shop/api.ts";
import { boot } from "../lib/boot.ts";
import { startTagManager } from "../lib/data-layer.ts";
import { PAGE_FAILED } from "../lib/messages.ts";
import { keptBecause, startOffline } from "../lib/offline.ts";
import { NavigationProvider } from "../navigation/overlays.ts";
import { App } from "./app.tsx";
import { desktopCode } from "./desktop-code.ts";
import { modals } from "./modals.tsx";
import { preloadPurchase, reloadOnLostChunk } from "./preload.ts";
import { createTargets, isPublicPage, loadCodeOf } from "./routes.tsx";

/**
 * Seeds the caches with what the server rendered, and takes over the page: not before the code of what the address shows
 * is here, so that a slow line keeps the server's view instead of an empty sheet.
 */
export function start(root: HTMLElement): void {
  if (boot.now && !keptBecause) setClock(boot.now);
  for (const seed of [seedSession, seedHub, seedCollections, seedFeed, seedBanners, seedProduct, seedContent])
    seed(client);
  reloadOnLostChunk();
  keepFocus();
  const render = () => renderApp(root);
  const code = firstCode();
  if (code.length === 0) render();
  // Each ends at its deadline at the latest.
  else void Promise.all(code).then(render);
  preloadPurchase();
  startTagManager();
  startOffline(() => import("./come-back.ts"));
}

/**
 * Code the first view needs besides the app's own: the page or overlay of the address, what a desktop shows around it, and Welcome
 * for a first visit.
 */
function firstCode(): Promise<void>[] {
  try {
    return loadFirstCode();
  } catch {
    // What is rendered throws it again, inside the boundary of the page.
    return [];
  }
}

function loadFirstCode(): Promise<void>[] {
  const load = loadCodeOf(location.pathname);
  const asksForPlace = boot.session?.hubId === null && !isPublicPage(location.pathname);
  // A kept page is shown because the network is slow or gone: it waits for no code.
  const desktop = isDesktop() && !keptBecause ? desktopCode : [];
  return [load, asksForPlace ? modals.welcome?.Content.load : null, ...desktop].flatMap((one) => (one ? [one()] : []));
}

function renderApp(root: HTMLElement): void {
  const app = (
    <StrictMode>
      <RootBoundary message={PAGE_FAILED}>
        <QueryClientProvider client={client}>
          <BrowserRouter>
            <CartProvider>
              <NavigationProvider targets={createTargets(client)}>
                <App />
              </NavigationProvider>
            </CartProvider>
          </BrowserRouter>
        </QueryClientProvider>
      </RootBoundary>
    </StrictMode>
  );
  // In slices of a few ms: the server's view scrolls and responds meanwhile, and gives way to all of the app's at once.
  startTransition(() => createRoot(root, { onRecoverableError: reportRecovered }).render(app));
}
