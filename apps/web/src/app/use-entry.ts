import { stateForModal } from "@marketday/client/overlays/overlay-stack.ts";
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";

import type { Place } from "../features/session/api.ts";
import { removeItem, getItem } from "../lib/storage.ts";
import { type EntryParams, keepEntryParams, parseEntryParams } from "../navigation/entry-params.ts";
import { useNavigation } from "../navigation/overlays.ts";
import { entryRedirectOf, LOGIN_AFTER_RELOAD } from "./entry.ts";

const placeOf = ({ hubId, lat, lng }: EntryParams): Place | null => {
  if (hubId !== undefined) return { hubId };
  return lat !== undefined && lng !== undefined ? { lat, lng } : null;
};

/**
 * Deals with the address the app was entered by, once: keeps what it brings, goes where it leads, and makes the guest
 * it asks for. True while that guest is being made: the Welcome modal waits.
 */
export function useEntry(): boolean {
  const location = useNavigation((current) => current.location);
  const client = useQueryClient();
  const { hasModal, hasPage, layersOf, navigate } = useNavigation();
  const [params] = useState(() => parseEntryParams(location.search));
  const [entering, setEntering] = useState(() => placeOf(params) !== null);

  useEffect(() => {
    keepEntryParams(params);
    const arrival = entryRedirectOf(location, params, hasPage);
    const modal = arrival.modal ?? (getItem("session", LOGIN_AFTER_RELOAD) ? ({ kind: "login" } as const) : undefined);
    removeItem("session", LOGIN_AFTER_RELOAD);
    const here = location.pathname + location.search + location.hash;
    if (arrival.to !== here) void navigate(arrival.to, { replace: true, state: location.state });
    if (modal && hasModal(modal.kind)) {
      const base = { ...location, pathname: arrival.to.split(/[?#]/)[0] ?? arrival.to, search: "" };
      void navigate(arrival.to, { state: stateForModal(layersOf(base), modal, undefined) });
    }
    const place = placeOf(params);
    const done = () => setEntering(false);
    if (place) void import("./enter-place.ts").then(({ enterPlace }) => enterPlace(client, place)).then(done, done);
    // Once, for the address the app was entered by.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  return entering;
}
