import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { useChunkRetry } from "@marketday/client/chunk-retry.ts";
import { wordsForLoad } from "@marketday/client/lazy-with-retry.tsx";
import { useIsDesktop } from "@marketday/client/use-media.ts";
import { useOnline } from "@marketday/client/use-online.ts";
import { ErrorState } from "@marketday/ui/error-state.tsx";
import { SkeletonPart } from "@marketday/ui/skeleton.tsx";
import { type MouseEvent, Suspense } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { Outlet } from "react-router";

import { CollectionChips } from "../features/collections/collection-chips.tsx";
import { messages } from "../lib/messages.ts";
import { keptAt, keptBecause } from "../lib/offline.ts";
import { Footer, SidePanel } from "./desktop-code.ts";
import { Header } from "./header.tsx";
import { TabBar } from "./tab-bar.tsx";

import s from "./shell.module.css";

/** Header, chips, the page, and beside or below it the panel or the tab bar. */
export function Shell({ page }: { page: string }) {
  const isDesktop = useIsDesktop();
  const online = useOnline();
  return (
    <>
      <SkipLinks cart={isDesktop ? "side-panel" : "tab-cart"} />
      <Header />
      {(!online || keptBecause) && (
        <p className={s.offline} role="status">
          {keptBecause ? keptNotice(online) : "You’re offline. Changes are kept on this device."}
        </p>
      )}
      <div className={s.columns}>
        <div className={s.left}>
          <CollectionChips />
          <main id="main" tabIndex={-1} className={s.main}>
            <ErrorBoundary resetKeys={[page]} FallbackComponent={PageFailed}>
              <Suspense fallback={null}>
                <Outlet />
              </Suspense>
            </ErrorBoundary>
          </main>
          {isDesktop && (
            <AsyncBoundary failed={messages.network}>
              <Footer />
            </AsyncBoundary>
          )}
        </div>
        {isDesktop && (
          <AsyncBoundary waiting={<SkeletonPart kind="row" />} failed={messages.network}>
            <SidePanel />
          </AsyncBoundary>
        )}
      </div>
      {!isDesktop && <TabBar />}
    </>
  );
}

/** The market's page, then the cart: hundreds of tab stops lie between them on a full shop. */
function SkipLinks({ cart }: { cart: string }) {
  // The address stays: a fragment would be another entry of the history.
  const skip = (find: () => HTMLElement | null) => (event: MouseEvent) => {
    event.preventDefault();
    find()?.focus();
  };
  return (
    <>
      <a className="skip" href="#main" onClick={skip(() => document.getElementById("main"))}>
        Skip to the market
      </a>
      <a className="skip" href={`#${cart}`} onClick={skip(showCartTab)}>
        Skip to your cart
      </a>
    </>
  );
}

/** The side panel's Cart tab, opened, or the tab bar's Cart button. */
function showCartTab(): HTMLElement | null {
  const tab = document.querySelector<HTMLElement>('[role="tab"][data-tab="cart"]');
  tab?.click();
  return tab ?? document.getElementById("tab-cart");
}

/** On a page that was kept: why, and from when it is. */
function keptNotice(online: boolean): string {
  const at = keptAt();
  const since = at
    ? ` This is the market as it was on ${at.toLocaleString("en-US", { dateStyle: "full", timeStyle: "short" })}.`
    : "";
  const reachable = keptBecause === "slow" ? "The market is slow to answer." : "We can’t reach the market right now.";
  return `${online ? reachable : "You’re offline."}${since} Changes to your cart are kept on this device.`;
}

function PageFailed({ error, resetErrorBoundary }: FallbackProps) {
  const retry = useChunkRetry(error, resetErrorBoundary);
  return (
    <>
      <h1 className="sr">Error</h1>
      <ErrorState message={wordsForLoad(error, "This page could not be shown.")} onRetry={retry} />
    </>
  );
}
