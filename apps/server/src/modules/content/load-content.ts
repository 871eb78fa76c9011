import { readdirSync, readFileSync } from "node:fs";

import type { BlogCategory, BlogPost, ContentPage, FaqEntry } from "@marketday/contracts/content";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { type Cached, type EntryOptions, withoutInventory } from "../../lib/cache.ts";
import type { Page } from "../../lib/paging.ts";
import { marketDate } from "../hubs/market-date.ts";
import { idOrSlug } from "../products/load-products.ts";
import { parseFaq, parsePage } from "./files.ts";
import { serializeFaq, serializePage, serializePost } from "./serialize.ts";
import { countPosts, findFaq, findPage, findPost, findPosts } from "./store.ts";

const TEXT: EntryOptions<unknown> = { ...withoutInventory, dependsOn: ["content"] };
/** A post shows its vendor and its image. */
const POST: EntryOptions<unknown> = { ...withoutInventory, dependsOn: ["content", "listing", "picture"] };

/** A content page: the one written by operators, else the default; 404 when there is neither. */
export const loadContent = (deps: Deps, slug: string): Promise<Cached<ContentPage>> =>
  deps.cache.get(
    null,
    `content:${slug}`,
    async () => {
      const stored = await findPage(deps.readDb, slug);
      const words = stored ?? defaultTexts().pages.get(slug);
      if (!words) throw notFound();
      return serializePage({ slug, ...words, updatedAt: stored?.updated_at ?? null }, deps.env);
    },
    TEXT,
  );

/** The FAQ: the market's own entries if there are any, else the default. */
export const loadFaq = (deps: Deps): Promise<Cached<FaqEntry[]>> =>
  deps.cache.get(
    null,
    "faq",
    async () => {
      const stored = await findFaq(deps.readDb);
      const entries =
        stored.length > 0
          ? stored.map(({ trigger_phrases, ...entry }) => ({ ...entry, triggerPhrases: trigger_phrases }))
          : defaultTexts().faq.map((entry, place) => ({ id: place + 1, ...entry }));
      return serializeFaq(entries, deps.env);
    },
    TEXT,
  );

export interface PostPage {
  payload: BlogPost[];
  page: number;
  perPage: number;
  totalRows: number;
}

/** A page of posts whose day has begun in the market, newest first (spec §7.11). */
export const loadPosts = async (
  deps: Deps,
  category: BlogCategory | null,
  { page, rows, offset }: Page,
  now: Date,
): Promise<Cached<PostPage>> => {
  const today = await marketDate(deps, now);
  return deps.cache.get(
    null,
    `posts:${category ?? "*"}:${today}:${page}:${rows}`,
    async () => {
      const [found, totalRows] = await Promise.all([
        findPosts(deps.readDb, category, today, rows, offset),
        countPosts(deps.readDb, category, today),
      ]);
      return { payload: found.map(serializePost), page, perPage: rows, totalRows };
    },
    { ...POST, isCacheable: ({ payload }) => payload.length > 0 },
  );
};

/** One post by id or slug; 404 when there is none, or it is not published yet. */
export async function loadPost(deps: Deps, text: string, now: Date): Promise<Cached<BlogPost>> {
  const which = idOrSlug(text);
  if (!which) throw notFound();
  const today = await marketDate(deps, now);
  return deps.cache.get(
    null,
    `post:${"id" in which ? which.id : which.slug}:${today}`,
    async () => {
      const row = await findPost(deps.readDb, which, today);
      if (!row) throw notFound();
      return serializePost(row);
    },
    POST,
  );
}

const folder = new URL("./defaults/", import.meta.url);

/** The default pages by slug and the default FAQ (docs/product.md §11), read once. */
function read() {
  const pages = new Map<string, { title: string; body: string }>();
  for (const name of readdirSync(folder)) {
    if (name === "faq.md" || !name.endsWith(".md")) continue;
    pages.set(name.slice(0, -3), parsePage(readFileSync(new URL(name, folder), "utf8")));
  }
  return {
    pages,
    faq: parseFaq(readFileSync(new URL("faq.md", folder), "utf8")).map((entry) => ({
      ...entry,
      triggerPhrases: entry.triggerPhrases ?? [],
    })),
  };
}

let words: ReturnType<typeof read> | undefined;
export const defaultTexts = (): ReturnType<typeof read> => (words ??= read());
