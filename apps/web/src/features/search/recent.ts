import { setItem, getItem } from "../../lib/storage.ts";
import type { SearchMode } from "./term.ts";

/** How many searches are remembered on this device. */
const KEPT = 6;

/** The last searches, newest first. */
export const recentSearches = (): string[] => getItem<string[]>("local", "searches") ?? [];

/** The list with one more: each term once, whatever its case. */
export const withSearch = (list: string[], term: string): string[] =>
  [term, ...list.filter((one) => one.toLowerCase() !== term.toLowerCase())].slice(0, KEPT);

export const rememberSearch = (term: string): void => setItem("local", "searches", withSearch(recentSearches(), term));
export const forgetSearches = (): void => setItem("local", "searches", []);

/** Items or Vendors, as it was chosen last. */
export const recentMode = (): SearchMode => (getItem("local", "search-mode") === "vendors" ? "vendors" : "items");
export const rememberMode = (mode: SearchMode): void => setItem("local", "search-mode", mode);
