import { readFileSync } from "node:fs";

import { type Kind, kinds } from "./catalogue.ts";
import { hubPlans } from "./hubs.ts";

/** So many lines of a kind: `only` with all these words, `without` any of them, those with a `first` word before others. */
export interface Selling {
  kind: Kind;
  count: number;
  only: readonly string[];
  without: readonly string[];
  first: readonly string[];
}

/** A stall as it is written in `vendors.txt`. */
export interface VendorPlan {
  id: number;
  name: string;
  city: string;
  state: string;
  county: string;
  /** How many lines of each kind it sells. */
  sells: readonly Selling[];
  hubIds: readonly number[];
  motifs: readonly string[];
  description: string;
  /** A sentence at the end of each of its products. */
  signature: string;
  post: { title: string; text: string };
}

const bad = (what: string): never => {
  throw new Error(`vendors.txt: ${what}`);
};

function parseVendor(block: string, place: number): VendorPlan {
  const [head = "", ...body] = block.trim().split("\n");
  const [name = "", city = "", state = "", county = "", sells = "", hubs = "", motifs = ""] = head
    .split("|")
    .map((cell) => cell.trim());
  const signature =
    body
      .find((line) => line.startsWith("~"))
      ?.slice(1)
      .trim() ?? bad(`${name} has no signature`);
  const [title = "", text = ""] =
    body
      .find((line) => line.startsWith(">"))
      ?.slice(1)
      .split("|")
      .map((cell) => cell.trim()) ?? [];
  if (!text) bad(`${name} has no post`);
  return {
    id: place + 1,
    name,
    city,
    state,
    county,
    sells: sells.split(", ").map((part) => {
      const [word, count, ...filters] = part.split(" ");
      const filter = (sign: string): string[] =>
        filters.filter((text) => text.startsWith(sign)).map((text) => text.slice(1));
      const kind = kinds.find((one) => one === word) ?? bad(`${name} sells ${part}`);
      return { kind, count: Number(count), only: filter("+"), without: filter("-"), first: filter("*") };
    }),
    hubIds: hubs
      .split(", ")
      .map((slug) => hubPlans.find((hub) => hub.slug === slug)?.id ?? bad(`${name} sells in ${slug}`)),
    motifs: motifs.split(", "),
    description: body.filter((line) => !/^[~>]/.test(line)).join(" "),
    signature,
    post: { title, text },
  };
}

/** The 60 stalls, ids 1 to 60 in the order of the file. */
export const vendorPlans: readonly VendorPlan[] = readFileSync(new URL("./vendors.txt", import.meta.url), "utf8")
  .split(/^# /m)
  .filter((block) => block.trim() !== "")
  .map(parseVendor);

/** Stalls that joined within the last ten days. */
export const newVendors: ReadonlySet<number> = new Set([16, 28, 36, 49, 59]);
