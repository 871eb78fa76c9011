import { AsyncBoundary } from "@marketday/client/async-boundary.tsx";
import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";

import { useHub } from "../hubs/api.ts";
import { isKansasFarm } from "./origin.ts";

/** Drawings are no part of the first view of markets elsewhere. */
const Badge = lazyWithRetry(async () => ({ default: (await import("./badge.tsx")).Badge }));

interface KansasBadgeProps {
  /** The vendor's, two letters. */
  state: string;
  size?: "sm" | "md";
}

/** The Kansas farms badge, for tiles, rows and headings; null where it does not apply (spec §2.4). */
export const KansasBadge = ({ state, size = "sm" }: KansasBadgeProps) =>
  // Read only where it may show: tiles from elsewhere need not subscribe to the market.
  state === "KS" ? <InKansas state={state} size={size} /> : null;

function InKansas({ state, size }: Required<KansasBadgeProps>) {
  const hub = useHub();
  if (!isKansasFarm(state, hub)) return null;
  return (
    <AsyncBoundary>
      <Badge kind="kansas-farms" size={size} named />
    </AsyncBoundary>
  );
}
