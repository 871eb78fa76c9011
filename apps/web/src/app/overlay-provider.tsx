import { type QueryClient, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useLayoutEffect, useMemo, useState } from "react";
import { type Location, useNavigate } from "react-router";

import { useShopper } from "../features/session/api.ts";
import { whenIdle } from "../lib/idle.ts";
import { useAddress } from "../navigation/market-router.tsx";
import { overlayStackOf } from "../navigation/overlay-stack.ts";
import {
  overlayActions,
  OverlayActions,
  OverlayContext,
  type OverlayContextValue,
  type Present,
} from "../navigation/use-overlays.ts";
import { modals } from "./modals.tsx";
import { findOverlay, hasPage } from "./routes.tsx";

const isOverlay = (pathname: string) => findOverlay(pathname) !== null;
const hasModal = (kind: keyof typeof modals) => modals[kind] !== undefined;
const saveData = () => (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;

/** Works out the layers of the address once, and knows what there is to open. */
export function OverlayProvider({ children }: { children: ReactNode }) {
  const { location } = useAddress();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { hubId } = useShopper();
  const value = useLayersOf(location);

  const now = { ...value, navigate, client, hubId };
  const [{ actions, set }] = useState(() => createActions(now));
  useLayoutEffect(() => set(now));
  return (
    <OverlayActions value={actions}>
      <OverlayContext value={value}>{children}</OverlayContext>
    </OverlayActions>
  );
}

interface Now extends ReturnType<Present> {
  client: QueryClient;
  hubId: number | null;
}

/** Actions that are the same for as long as the app lives; `set` tells them what they act upon. */
function createActions(first: Now) {
  let now = first;
  const prefetch = (to: string) => {
    const found = findOverlay(to.split(/[?#]/)[0] ?? to);
    if (!found || saveData()) return;
    void found.route.Content.load();
    // While the finger is still down: prefetching must not delay the response to the tap.
    whenIdle(() => found.route.prefetch?.(now.client, now.hubId, found.key), 0);
  };
  return {
    actions: overlayActions(() => now, { isOverlay, hasPage, hasModal, prefetch }),
    set: (next: Now) => {
      now = next;
    },
  };
}

/** The page behind stays the same object for as long as it is the same entry: it does not re-render. */
function useLayersOf(location: Location): OverlayContextValue {
  const layers = useMemo(() => overlayStackOf(location, isOverlay), [location]);
  const { key, pathname, search, hash } = layers.page;
  // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies
  const page = useMemo(() => layers.page, [key, pathname, search, hash]);
  return useMemo(() => ({ location, layers: { ...layers, page } }), [location, layers, page]);
}
