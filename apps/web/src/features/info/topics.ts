import type { InfoTopic } from "../../navigation/modals.ts";
import type { BadgeKind } from "./origin.ts";

interface Topic {
  title: string;
  /** One line for the head of its collection. */
  line: string;
  words: string[];
  /** What it tells apart, each with its own badge. */
  kinds: { badge: BadgeKind; words: string }[];
  /** Slug of the collection it is about. */
  collection: string;
}

/** What the info modals say (spec §2.4). */
export const topics: Record<InfoTopic, Topic> = {
  "local-first": {
    title: "Local First",
    line: "Grown or made close to this market.",
    words: [
      "We buy from farms and kitchens near you first. When the season or climate won't allow it, we look farther and tell you.",
      "The badge on a product tells you how far it has come.",
    ],
    kinds: [
      { badge: "local-first", words: "From a farm or kitchen in this market’s own state." },
      { badge: "regional-specialty", words: "From a neighbor: something another state does especially well." },
      {
        badge: "beyond-local",
        words: "What does not grow here, like coffee or cocoa, brought in by a local vendor who knows the growers.",
      },
    ],
    collection: "local-first",
  },
  "general-store": {
    title: "General Store",
    line: "What keeps, from vendors who pack it themselves.",
    words: [
      "The shelf behind the stalls: flour and beans, coffee, soap, candles, something for the dog. All of it comes with the same weekly box as your vegetables.",
      "These things keep, so most of them are here in every season.",
    ],
    kinds: [{ badge: "general-store", words: "On the General Store’s shelf." }],
    collection: "general-store",
  },
  "chefs-selection": {
    title: "Chef’s Selection",
    line: "What the cooks among us take home.",
    words: [
      "Odd cuts, old varieties, mushrooms with a short season: what people who cook for a living ask our vendors for.",
      "There is often little of it. What is gone this week may be back the next, so watch what you like.",
    ],
    kinds: [{ badge: "chefs-selection", words: "Picked by cooks." }],
    collection: "chefs-selection",
  },
  "kansas-farms": {
    title: "Kansas Farms",
    line: "Grown, raised or milled in Kansas.",
    words: ["In our Kansas markets this badge marks what comes from a farm, mill or kitchen in the state."],
    kinds: [{ badge: "kansas-farms", words: "From Kansas, sold in Kansas." }],
    collection: "kansas-farms",
  },
};

/** The topic a collection is explained by; undefined for most. */
export const topicOf = (slug: string): InfoTopic | undefined =>
  (Object.keys(topics) as InfoTopic[]).find((topic) => topics[topic].collection === slug);
