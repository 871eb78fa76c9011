import type { Hub, HubMap } from "@marketday/contracts/hubs";
import { isWeekday, weekdayBefore } from "@marketday/domain/calendar-date";
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

/** "1AM Wednesday": the order-by of a Thursday market (spec §2.1 /hubs/{id}); null for what is no weekday. */
export const orderByRule = (deliveryDay: string): string | null =>
  isWeekday(deliveryDay) ? `1AM ${weekdayBefore(deliveryDay)}` : null;

/** "Marion, Hamilton and Boone". */
export const andList = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** What of each state is delivered to: whole counties, and those in part; states by name. */
export interface StateArea {
  state: string;
  all: string[];
  part: string[];
}

/** The delivery area as text, for shoppers who do not see the map. */
export function areaByState(labels: HubMap["labels"]): StateArea[] {
  const states = new Map<string, StateArea>();
  for (const { state, name, served } of labels) {
    if (!served) continue;
    const entry = states.get(state) ?? { state, all: [], part: [] };
    entry[served].push(name);
    states.set(state, entry);
  }
  for (const { all, part } of states.values()) for (const names of [all, part]) names.sort();
  return [...states.values()].toSorted((a, b) => a.state.localeCompare(b.state, "en"));
}

/** "Hamilton and Marion, and parts of Boone". */
export const formatArea = ({ all, part }: StateArea): string =>
  [andList(all), part.length > 0 && `parts of ${andList(part)}`].filter(Boolean).join(", and ");

/** The whole area in one sentence; "" when nothing is known of it. */
export const areaSentence = (areas: readonly StateArea[]): string =>
  areas.length === 0 ? "" : `Delivers to ${areas.map((area) => `${formatArea(area)} in ${area.state}`).join("; ")}.`;

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
