import { readFileSync } from "node:fs";

import { type Kind, kinds } from "./catalogue.ts";
import { hubPlans } from "./hubs.ts";

/** `count` lines of a kind: with all words of `only`, without any of `without`, those with a word of `first` first. */
export interface Selling {
  kind: Kind;
  count: number;
  only: readonly string[];
  without: readonly string[];
  first: readonly string[];
}

/** A vendor of `vendors.txt`. */
export interface VendorPlan {
  id: number;
  name: string;
  city: string;
  state: string;
  county: string;
  /** The lines it sells, by kind. */
  sells: readonly Selling[];
  hubIds: readonly number[];
  motifs: readonly string[];
  description: string;
  /** A sentence at the end of each of its products. */
  signature: string;
  post: { title: string; text: string };
}

const fail = (message: string): never => {
  throw new Error(`vendors.txt: ${message}`);
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
      .trim() ?? fail(`${name} has no signature`);
  const [title = "", text = ""] =
    body
      .find((line) => line.startsWith(">"))
      ?.slice(1)
      .split("|")
      .map((cell) => cell.trim()) ?? [];
  if (!text) fail(`${name} has no post`);
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
      const kind = kinds.find((each) => each === word) ?? fail(`${name} sells ${part}`);
      return { kind, count: Number(count), only: filter("+"), without: filter("-"), first: filter("*") };
    }),
    hubIds: hubs
      .split(", ")
      .map((slug) => hubPlans.find((hub) => hub.slug === slug)?.id ?? fail(`${name} sells in ${slug}`)),
    motifs: motifs.split(", "),
    description: body.filter((line) => !/^[~>]/.test(line)).join(" "),
    signature,
    post: { title, text },
  };
}

/** The 60 vendors, ids 1 to 60 in the order of the file. */
export const vendorPlans: readonly VendorPlan[] = readFileSync(new URL("./vendors.txt", import.meta.url), "utf8")
  .split(/^# /m)
  .filter((block) => block.trim() !== "")
  .map(parseVendor);

/** Vendors that joined within the last ten days. */
export const newVendors: ReadonlySet<number> = new Set([16, 28, 36, 49, 59]);
