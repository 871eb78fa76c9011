import type { Suggestion } from "@marketday/contracts/search";

import { paths } from "../../navigation/paths.ts";
import type { SearchMode } from "./term.ts";

/** One row of the list under the field. */
export type Option =
  | { kind: "recent"; key: string; label: string; to: string }
  | { kind: "suggestion"; key: string; label: string; to: string; suggestion: Suggestion }
  | { kind: "all"; key: string; label: string; to: string };

const placeOf: Record<Suggestion["type"], (slug: string) => string> = {
  product: paths.product,
  vendor: paths.vendor,
  collection: paths.collection,
};

export const recentOptions = (terms: string[], mode: SearchMode): Option[] =>
  terms.map((term) => ({ kind: "recent", key: `recent-${term}`, label: term, to: paths.search(term, mode) }));

/** The suggestions there is room for, then the way to everything. */
export const suggestionOptions = (
  suggestions: Suggestion[],
  { term, mode, room }: { term: string; mode: SearchMode; room: number },
): Option[] => [
  ...suggestions.slice(0, room).map((suggestion): Option => ({
    kind: "suggestion",
    key: `${suggestion.type}-${suggestion.id}`,
    label: suggestion.title,
    to: placeOf[suggestion.type](suggestion.slug),
    suggestion,
  })),
  { kind: "all", key: "all", label: term, to: paths.search(term, mode) },
];
