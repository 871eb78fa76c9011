import type { Hub } from "@marketday/contracts/hubs";

/** The signs the market puts on things; each is drawn in `badge.tsx`. */
export type BadgeKind =
  | "local-first"
  | "regional-specialty"
  | "beyond-local"
  | "general-store"
  | "chefs-selection"
  | "kansas-farms";

/** The Kansas farms badge stands on what a Kansas vendor sells in a Kansas market (spec §2.4 Info modals). */
export const isKansasFarm = (vendorState: string, hub: Pick<Hub, "state"> | null): boolean =>
  vendorState === "KS" && hub?.state === "KS";
