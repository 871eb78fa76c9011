import { readFileSync } from "node:fs";

import type { Kind } from "./catalogue.ts";

/** The topic of each kind of vendor. */
const topics: Readonly<Record<Kind, string>> = {
  vegetables: "produce",
  greens: "produce",
  mushrooms: "produce",
  fruit: "produce",
  dairy: "dairy",
  cheese: "dairy",
  bakery: "bakery",
  meat: "meat",
  poultry: "meat",
  fish: "meat",
  honey: "pantry",
  pantry: "pantry",
  grains: "pantry",
  drinks: "drinks",
  prepared: "prepared",
  flowers: "flowers",
  home: "home",
};
/** The topic of a collection, where it differs from that of the vendor. */
const topicOfCollection: Readonly<Record<string, string>> = {
  jams: "pantry",
  "cider-juice": "drinks",
  "jerky-broth": "meat",
  breakfast: "bakery",
  "candles-wool": "home",
  "pickles-ferments": "pantry",
  soap: "home",
  pets: "home",
};

/** The topic of a product: the heading of its sentences in reviews.txt and questions.txt. */
export const topicOf = (kind: Kind, collection: string): string => topicOfCollection[collection] ?? topics[kind];

const read = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");
const cells = (row: string): string[] => row.split("|").map((cell) => cell.trim());
const rows = (text: string): string[] => text.split("\n").filter((row) => row.trim() !== "");

function byTopic(text: string): Map<string, string[][]> {
  const topicRows = new Map<string, string[][]>();
  let current: string[][] = [];
  for (const row of rows(text)) {
    if (row.startsWith("@")) topicRows.set(row.slice(1).trim(), (current = []));
    else current.push(cells(row));
  }
  return topicRows;
}

/** Reviews by topic: stars in half steps and the comment. */
export const reviewWords: ReadonlyMap<string, readonly { stars: number; comment: string }[]> = new Map(
  [...byTopic(read("reviews.txt"))].map(([topic, list]) => [
    topic,
    list.map(([stars = "", comment = ""]) => ({ stars: Number(stars), comment })),
  ]),
);
/** Questions by topic with their answers. */
export const questionWords: ReadonlyMap<string, readonly { question: string; answer: string }[]> = new Map(
  [...byTopic(read("questions.txt"))].map(([topic, list]) => [
    topic,
    list.map(([question = "", answer = ""]) => ({ question, answer })),
  ]),
);
/** Unanswered questions. */
export const openQuestions: readonly string[] = rows(read("open-questions.txt"));
/** Endorsements of vendors: score and comment. */
export const endorsementWords: readonly { score: number; comment: string }[] = rows(read("endorsements.txt"))
  .map(cells)
  .map(([score = "", comment = ""]) => ({ score: Number(score), comment }));
/** Conversations: the customer begins, the two sides alternate. */
export const conversations: readonly (readonly string[])[] = rows(read("messages.txt")).map(cells);
