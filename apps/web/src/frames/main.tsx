import "@marketday/ui/styles/base.css";
import "../styles/static-view.css";
import { reportRecovered } from "@marketday/client/chunk-retry.ts";
import { setClock } from "@marketday/client/clock.ts";
import { keepFocus } from "@marketday/client/keep-focus.ts";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import { queryClient } from "@marketday/client/query-client.ts";
import { RootBoundary } from "@marketday/client/root-boundary.tsx";
import { LiveRegion } from "@marketday/ui/live-region.tsx";
import { QueryClientProvider } from "@tanstack/react-query";
import { type ComponentType, StrictMode, Suspense } from "react";
import { createRoot } from "react-dom/client";

import { seedContent } from "../features/content/api.ts";
import { boot } from "../lib/boot.ts";
import { PAGE_FAILED } from "../lib/messages.ts";
import { isOldBrowser } from "../lib/old-browser.ts";
import { claimSessionStorage } from "../lib/storage.ts";

/** The pages shown inside the app (docs/product.md §7 Frames), by address: no shell, no router, code of their own. */
const frames: Record<string, () => Promise<{ default: ComponentType }>> = {
  "/embed/checkout": () => import("./checkout/checkout-frame.tsx"),
  "/embed/report-problem": () => import("./support/report-problem-frame.tsx"),
  "/embed/contact-us": () => import("./support/contact-us-frame.tsx"),
  "/embed/payment": () => import("./payment/payment-frame.tsx"),
  "/embed/wagon-pass": () => import("./wagon-pass/wagon-pass-frame.tsx"),
  "/embed/gift-cards": () => import("./gift-cards/gift-cards-frame.tsx"),
  "/embed/terms": () => import("./words/terms-frame.tsx"),
  "/embed/privacy": () => import("./words/privacy-frame.tsx"),
  "/embed/faq": () => import("./words/faq-frame.tsx"),
  "/embed/become-a-vendor": () => import("./words/become-a-vendor-frame.tsx"),
};

const load = frames[location.pathname.replace(/\/$/, "")];
const root = document.getElementById("root");
if (load && root && !isOldBrowser) {
  if (boot.now) setClock(boot.now);
  keepFocus();
  seedContent(queryClient);
  claimSessionStorage(boot.session?.customerId ?? null);
  const Frame = lazyWithRetry(load);
  createRoot(root, { onRecoverableError: reportRecovered }).render(
    <StrictMode>
      <RootBoundary message={PAGE_FAILED}>
        <QueryClientProvider client={queryClient}>
          <Suspense fallback={null}>
            <Frame />
          </Suspense>
        </QueryClientProvider>
        <LiveRegion />
      </RootBoundary>
    </StrictMode>,
  );
}
