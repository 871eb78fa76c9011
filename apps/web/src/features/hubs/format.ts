import type { Hub } from "@marketday/contracts/hubs";
import { ZIP_LENGTH } from "@marketday/domain/limits";

import type { ServingHub } from "./area-api.ts";

/** "46" → "46xxx". */
export const maskedZip = (prefix: string): string => prefix.padEnd(ZIP_LENGTH, "x");

/** The hubs that list a zip beginning so; all for nothing typed (spec §2.1 /hubs). */
export const hubsForPrefix = <H extends Pick<Hub, "accessibleZipCodes">>(hubs: readonly H[], prefix: string): H[] =>
  prefix === "" ? [...hubs] : hubs.filter((hub) => hub.accessibleZipCodes.some((zip) => zip.startsWith(prefix)));

/** "3 markets deliver to 46xxx"; without a prefix just how many there are. */
export const formatHubCount = (count: number, prefix: string): string => {
  const markets = count === 1 ? "1 market" : `${count} markets`;
  return prefix === "" ? markets : `${markets} ${count === 1 ? "delivers" : "deliver"} to ${maskedZip(prefix)}`;
};

/** Whether a market delivers to a zip, in one sentence; `other` is a market that does instead. */
export interface ZipAnswer {
  comes: boolean;
  text: string;
  other: ServingHub | null;
}

/** The zip checker's answer for a market, from all the markets that come there (nearest first). */
export function zipAnswer(
  zip: string,
  serving: readonly ServingHub[],
  hub: Pick<Hub, "id" | "name" | "deliveryDay">,
): ZipAnswer {
  if (serving.some(({ id }) => id === hub.id))
    return { comes: true, text: `Yes, we deliver to ${zip} on ${hub.deliveryDay}s.`, other: null };
  const [other] = serving;
  if (!other) return { comes: false, text: `No market delivers to ${zip} yet.`, other: null };
  return {
    comes: false,
    text: `${hub.name} doesn't deliver to ${zip}. ${other.name} does, on ${other.deliveryDay}s.`,
    other,
  };
}
