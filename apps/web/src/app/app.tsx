import { useQueryClient } from "@tanstack/react-query";
import { memo, useEffect, useMemo, useState } from "react";
import { type Location, NavigationType, Route, Routes, UNSAFE_LocationContext as LocationContext } from "react-router";

import { useCartTools } from "../features/cart/cart-provider.tsx";
import { useShopper } from "../features/session/api.ts";
import { useEmailCapture } from "../features/welcome/use-email-capture.ts";
import { whenIdle } from "../lib/idle.ts";
import { keepShell } from "../lib/offline.ts";
import { FrontLayer } from "../lib/use-title.tsx";
import { visitId } from "../lib/visit.ts";
import type { OverlayEntry } from "../navigation/overlay-stack.ts";
import { PageScroll } from "../navigation/page-scroll.tsx";
import { useOverlayContext, useOverlays } from "../navigation/use-overlays.ts";
import { LiveRegion } from "../ui/live-region.tsx";
import { Toaster } from "../ui/toaster.tsx";
import { ModalHost, OverlayHost } from "./overlays.tsx";
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
    <Toaster />
    <LiveRegion />
  </>
);

/** The layers of the address, drawn: the page in its shell, an overlay above it, a modal above both. */
export function App() {
  const client = useQueryClient();
  const { queue } = useCartTools();
  const { layers, location } = useOverlayContext();
  const { close } = useOverlays();
  const { customerId, hubId, isPending, isError } = useShopper();
  const entering = useEntry();
  useEntryDiscountCode(entering);
  useEmailCapture();
  const { page, stack } = layers;

  // After the first view: nothing it follows changes within a second.
  useEffect(() => {
    const leaving = new AbortController();
    const begin = async () => {
      const { startSessionPolling: startHeartbeat } = await import("./session-polling.ts");
      if (!leaving.signal.aborted) leaving.signal.addEventListener("abort", startHeartbeat({ client, queue }));
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = () => {
      timer = setTimeout(() => void begin().catch(() => null), HEARTBEAT_MS);
    };
    if (document.readyState === "complete") wait();
    else addEventListener("load", wait, { once: true, signal: leaving.signal });
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [client, queue]);

  // Navigation prolongs the visit.
  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => whenIdle(visitId), [location.key]);

  // oxlint-disable-next-line react/exhaustive-effect-dependencies
  useEffect(() => keepShell(), [customerId, hubId]);

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
      <PageScroll page={page} />
      <FrontLayer value={named === undefined}>
        <Page page={page} />
      </FrontLayer>
      {stack.map((layer) => {
        const { location, modal, opener } = layer;
        const key = layerKey(stack, layer);
        if (location) return <OverlayHost key={key} location={location} opener={opener} front={layer === named} />;
        const dismiss = isDismissable(modal.kind, hubId) ? { onClose: close } : {};
        return <ModalHost key={key} modal={modal} opener={opener} onDone={close} {...dismiss} />;
      })}
      {asksForPlace && <ModalHost modal={{ kind: "welcome" }} opener={undefined} onDone={doNothing} />}
      {spoken}
    </>
  );
}

/** Its location is the page's, whatever opens over it, so that it does not re-render then. */
const Page = memo(function Page({ page }: { page: Location }) {
  const here = useMemo(() => ({ location: page, navigationType: NavigationType.Pop }), [page]);
  return (
    <LocationContext value={here}>
      <Shell page={page.key}>
        <Routes>
          {pageRoutes.map(({ path, element }) => (
            <Route key={path} path={path} element={element} />
          ))}
        </Routes>
      </Shell>
    </LocationContext>
  );
});

/** A layer is the same as long as it is the same thing at the same height: its query may change. */
const layerKey = (stack: OverlayEntry[], layer: OverlayEntry) =>
  `${stack.indexOf(layer)}${layer.location ? layer.location.pathname : layer.modal.kind}`;

/** The Welcome modal has a close button for guests only (spec §2.4): without a market there is nothing behind it. */
const isDismissable = (kind: string, hubId: number | null) => kind !== "welcome" || hubId !== null;
