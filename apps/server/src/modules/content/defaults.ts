import { readdirSync, readFileSync } from "node:fs";

import { parseFaq, parsePage } from "./files.ts";

const folder = new URL("./defaults/", import.meta.url);

/** The default pages by slug and the default FAQ (docs/product.md §11), read once. */
function read() {
  const pages = new Map<string, { title: string; body: string }>();
  for (const name of readdirSync(folder)) {
    if (name === "faq.md" || !name.endsWith(".md")) continue;
    pages.set(name.slice(0, -3), parsePage(readFileSync(new URL(name, folder), "utf8")));
  }
  return { pages, faq: parseFaq(readFileSync(new URL("faq.md", folder), "utf8")) };
}

let words: ReturnType<typeof read> | undefined;
export const defaultTexts = (): ReturnType<typeof read> => (words ??= read());
