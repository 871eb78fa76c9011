import { isWeekday, weekdayBefore } from "./calendar-date.ts";

/** The sentence below the heading of the markets, in the server's view and in the app. */
export const HUBS_INTRO =
  "Each market has its own stalls, its own day and its own roads. Enter your zip code to see which ones deliver to you.";

/** "1AM Wednesday": the order-by of a Thursday market (spec §2.1 /hubs/{id}); null for what is no weekday. */
export const orderByRule = (deliveryDay: string): string | null =>
  isWeekday(deliveryDay) ? `1AM ${weekdayBefore(deliveryDay)}` : null;

/**
 * What shoppers compare markets by, in the words of the server's view and of the app.
 * @param fee "$8.95"
 */
export const hubFacts = (deliveryDay: string, fee: string) => ({
  /** "Thursdays" */
  delivers: `${deliveryDay}s`,
  orderBy: orderByRule(deliveryDay),
  /** "$8.95 flat" */
  fee: `${fee} flat`,
});

/** A county of a hub's map. */
interface County {
  name: string;
  /** In full: "Indiana". */
  state: string;
  served: "all" | "part" | null;
}

/** The counties of a state that a hub delivers to: whole ones, and those in part. */
export interface StateArea {
  state: string;
  all: string[];
  part: string[];
}

/** "Marion, Hamilton and Boone". */
export const andList = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** The delivery area as text, for shoppers who do not see the map; states and counties by name. */
export function areaByState(labels: readonly County[]): StateArea[] {
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
