import { config } from "../../lib/boot.ts";

/** Whether a hub has the Bundles entry at all: the special hub has not (spec §9 Other). */
export const hasBundles = (hubId: number | null): boolean => hubId !== config.specialHubId;
