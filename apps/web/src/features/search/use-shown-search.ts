import { useNavigation } from "../../navigation/overlays.ts";
import { cleanTerm, type SearchMode } from "./term.ts";

/** What the results page behind everything shows: its term, and its mode; elsewhere nothing. */
export function useShownSearch(): { shown: string; shownMode: SearchMode | null } {
  const { page } = useNavigation(({ layers }) => layers);
  if (page.pathname !== "/search") return { shown: "", shownMode: null };
  const query = new URLSearchParams(page.search);
  return { shown: cleanTerm(query.get("q") ?? ""), shownMode: query.get("in") === "vendors" ? "vendors" : "items" };
}
