import { whenIdle } from "@marketday/client/idle.ts";
import { onReturn } from "@marketday/client/on-return.ts";
import { PageScroll } from "@marketday/client/overlays/page-scroll.tsx";
import { ActiveOverlay } from "@marketday/client/overlays/titles.tsx";
import { LiveRegion } from "@marketday/ui/live-region.tsx";
import { Toaster } from "@marketday/ui/toaster.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { memo, useEffect, useMemo, useState } from "react";
import { type Location, Route, Routes } from "react-router";

import { useCartTools } from "../features/cart/cart-provider.tsx";
import { useShopper } from "../features/session/api.ts";
import { useEmailCapture } from "../features/welcome/use-email-capture.ts";
import { shopStorage } from "../lib/storage.ts";
import { visitId } from "../lib/visit.ts";
import { useNavigation } from "../navigation/overlays.ts";
import { loadSessionPolling } from "./load-session-polling.ts";
import { ModalHost, Overlays } from "./overlays.tsx";
import { PendingBar } from "./pending-bar.tsx";
import { findOverlay, needsPlace, pageRoutes } from "./routes.tsx";
import { Shell } from "./shell.tsx";
import { useEntryDiscountCode } from "./use-entry-discount-code.ts";
import { useEntry } from "./use-entry.ts";

const doNothing = () => {};

/** From the loaded page to what follows session, build and time in it: nothing of that changes at once. */
const HEARTBEAT_MS = 1000;

/** Always the same elements: an overlay that opens does not re-render them. */
const spoken = (
  <>
    <PendingBar />
    <Toaster />
    <LiveRegion />
  </>
);

/** The layers of the address, drawn: the page in its shell, an overlay above it, a modal above both. */
export function App() {
  const client = useQueryClient();
  const { queue } = useCartTools();
  const { layers, location, navigationType } = useNavigation((current) => current);
  const { hubId, isPending, isError } = useShopper();
  const entering = useEntry();
  useEntryDiscountCode(entering);
  useEmailCapture();
  const { page, stack } = layers;

  // After the first view: nothing it follows changes within a second.
  useEffect(() => {
    const leaving = new AbortController();
    let cameBack = false;
    const stopNoticing = onReturn(() => (cameBack = true));
    const begin = async () => {
      const polling = await loadSessionPolling(leaving.signal);
      stopNoticing();
      if (polling && !leaving.signal.aborted)
        leaving.signal.addEventListener("abort", polling.startSessionPolling({ client, queue, cameBack }));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      timer = setTimeout(() => void begin(), HEARTBEAT_MS);
    };
    if (document.readyState === "complete") wait();
    else addEventListener("load", wait, { once: true, signal: leaving.signal });
    return () => {
      clearTimeout(timer);
      stopNoticing();
      leaving.abort();
    };
  }, [client, queue]);

  // Navigation prolongs the visit.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => whenIdle(visitId), [location.key]);

  // The document is named by the top layer that has an address.
  const named = stack.findLast(({ location }) => location !== undefined);
  // Without a session or a market the welcome overlay opens automatically over the shop's pages.
  const [wasAsked, setWasAsked] = useState(false);
  const asksForPlace =
    hubId === null &&
    !isPending &&
    !isError &&
    !entering &&
    stack.every(({ modal }) => !modal) &&
    needsPlace(page.pathname) &&
    // Terms read from the question lie over it; opened by their address they come before it.
    (wasAsked || !(named && findOverlay(named.location?.pathname ?? "")?.route.publicPage));
  if (wasAsked !== asksForPlace) setWasAsked(asksForPlace);

  return (
    <>
      <PageScroll page={page} navigationType={navigationType} storage={shopStorage} />
      <ActiveOverlay value={named === undefined}>
        <Page page={page} />
      </ActiveOverlay>
      <Overlays stack={stack} named={named} hasMarket={hubId !== null} />
      {asksForPlace && <ModalHost modal={{ kind: "welcome" }} opener={undefined} onDone={doNothing} />}
      {spoken}
    </>
  );
}

/** Its location is the page's, whatever opens over it, so that it does not re-render then. */
const Page = memo(function Page({ page }: { page: Location }) {
  const shell = useMemo(() => <Shell page={page.key} />, [page.key]);
  return (
    <Routes location={page}>
      <Route element={shell}>
        {pageRoutes.map(({ path, element }) => (
          <Route key={path} path={path} element={element} />
        ))}
      </Route>
    </Routes>
  );
});
