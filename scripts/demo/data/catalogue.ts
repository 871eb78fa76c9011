import { readFileSync } from "node:fs";

/** One size of a line. */
export interface LineVariant {
  title: string;
  priceCents: number;
  /** Its content: 12, "oz". */
  amount: number | null;
  measure: string | null;
}

/** A product that vendors of its kind may sell. */
export interface Line {
  title: string;
  picture: string;
  /** A second picture, shared by the products of its shelf. */
  scene: string;
  variants: LineVariant[];
  note: string;
  keep: string;
  collection: string;
  storage: "dry" | "cold" | "frozen";
  badge: number | null;
  tags: string[];
  /** First and last month of its season, 1 to 12; a season may span the New Year. Null: all year. */
  season: readonly [number, number] | null;
  ingredients: string | null;
  originCountry: string | null;
}

const fail = (message: string): never => {
  throw new Error(message);
};

function parseVariant(text: string): LineVariant {
  const [, dollars, title = "", amount, measure] =
    /^(\d+\.\d\d) (.+?)(?: \(([\d.]+) (oz)\))?$/.exec(text.trim()) ?? fail(`Not a size: ${text}`);
  return {
    title,
    priceCents: Math.round(Number(dollars) * 100),
    amount: amount === undefined ? null : Number(amount),
    measure: measure ?? null,
  };
}

function parseSeason(text: string): readonly [number, number] | null {
  if (text === "-" || text === "1-12") return null;
  const [first, last] = text.split("-").map(Number);
  return first && last ? [first, last] : fail(`Not a season: ${text}`);
}

const cells = (line: string): string[] => line.split("|").map((cell) => cell.trim());
const list = (text: string): string[] =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");

type Shelf = Pick<Line, "collection" | "storage" | "badge" | "tags" | "season" | "keep" | "scene">;

function parseShelf(text: string): Shelf {
  const [collection = "", storage = "", badge = "", tags = "", season = "-", keep = "", scene = ""] = cells(text);
  if (storage !== "dry" && storage !== "cold" && storage !== "frozen") return fail(`Not a storage: ${text}`);
  return {
    collection,
    storage,
    badge: badge === "-" ? null : Number(badge),
    tags: list(tags),
    season: parseSeason(season),
    keep,
    scene,
  };
}

/**
 * Parses the text of a kind of vendor: a shelf begins with `@ collection | storage | badge | tags | season | how to keep |
 * scene`, a line is `title | picture | price size; … | note | tags | ingredients`. Among its tags, `-x` removes a tag of
 * the shelf, and `storage:`, `season:` and `origin:` override the shelf.
 */
function parseCatalogue(text: string): Line[] {
  let shelf: Shelf | undefined;
  const lines: Line[] = [];
  for (const row of text.split("\n").map((line) => line.trim())) {
    if (row === "") continue;
    if (row.startsWith("@")) {
      shelf = parseShelf(row.slice(1));
      continue;
    }
    if (!shelf) return fail(`No shelf before: ${row}`);
    const [title = "", picture = "", sizes = "", note = "", words = "", ingredients = ""] = cells(row);
    if (!title || !picture || !note) return fail(`Not a line: ${row}`);
    const own = list(words);
    const setting = (name: string): string | undefined =>
      own.find((word) => word.startsWith(`${name}:`))?.slice(name.length + 1);
    const removed = new Set(own.filter((word) => word.startsWith("-")).map((word) => word.slice(1)));
    const tags = [...shelf.tags.filter((tag) => !removed.has(tag)), ...own.filter((word) => !/^-|:/.test(word))];
    const storage = (setting("storage") ?? shelf.storage) as Line["storage"];
    lines.push({
      ...shelf,
      title,
      picture,
      variants: sizes.split(";").map(parseVariant),
      note,
      storage,
      badge: storage === "cold" || storage === shelf.storage ? shelf.badge : null,
      tags: [...new Set(tags)],
      season: setting("season") === undefined ? shelf.season : parseSeason(setting("season") ?? "-"),
      ingredients: ingredients === "" ? null : ingredients,
      originCountry: setting("origin") ?? null,
    });
  }
  return lines;
}

/** The kinds of vendors, each a file of `catalogue/`. */
export const kinds = [
  "vegetables",
  "greens",
  "mushrooms",
  "fruit",
  "dairy",
  "cheese",
  "bakery",
  "meat",
  "poultry",
  "fish",
  "honey",
  "pantry",
  "grains",
  "drinks",
  "prepared",
  "flowers",
  "home",
] as const;
export type Kind = (typeof kinds)[number];

const read = (kind: Kind): Line[] =>
  parseCatalogue(readFileSync(new URL(`./catalogue/${kind}.txt`, import.meta.url), "utf8"));

/** The products that each kind of vendor may sell, in the order of its file. */
export const catalogue: Readonly<Record<Kind, readonly Line[]>> = Object.fromEntries(
  kinds.map((kind) => [kind, read(kind)]),
) as Record<Kind, Line[]>;

/** Whether a line is in season in a month, 1 to 12. */
export function inSeason(season: Line["season"], month: number): boolean {
  if (season === null) return true;
  const [first, last] = season;
  return first <= last ? month >= first && month <= last : month >= first || month <= last;
}
