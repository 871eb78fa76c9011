import type { Vendor } from "@marketday/contracts/vendors";
import { announce } from "@marketday/ui/live-region.tsx";
import { useQueryClient } from "@tanstack/react-query";
import { useId, useSyncExternalStore } from "react";

import { useNavigation } from "../../navigation/overlays.ts";
import { useShopper } from "../session/api.ts";
import { followsOf } from "./api.ts";

/** A vendor with what the shopper has just tapped on top. */
export function useFollowed({ id, isFollowed, followers }: Vendor): { isFollowed: boolean; followers: number } {
  const queue = followsOf(useQueryClient());
  const wanted = useSyncExternalStore(queue.subscribe, () => queue.wanted(id));
  if (wanted === undefined || wanted === isFollowed) return { isFollowed, followers };
  return { isFollowed: wanted, followers: Math.max(0, followers + (wanted ? 1 : -1)) };
}

/**
 * Follows or unfollows. A guest sees that it needs an account, and follows as soon as they have one (spec §4 Favorite
 * toggle). `id`: of the control, which gets the focus back.
 */
export function useFollow(vendor: Vendor) {
  const queue = followsOf(useQueryClient());
  const { isFollowed } = useFollowed(vendor);
  const { isRegistered } = useShopper();
  const { openModal } = useNavigation();
  const id = useId();
  const toggle = () => {
    if (!isRegistered)
      return openModal({ kind: "need-account", why: "favorite", unfinished: { follow: vendor.id } }, id);
    queue.set(vendor.id, !isFollowed, vendor.isFollowed);
    announce(isFollowed ? `You no longer follow ${vendor.name}` : `You follow ${vendor.name}`);
  };
  return { id, isFollowed, toggle };
}
