import type { OrderToken, OrderTokenName } from "@marketday/domain/order-query";
import { useQueries } from "@tanstack/react-query";

import { suggestionsQuery } from "./api.ts";

/** Names that only the server knows, of what was chosen: by `name:value`. */
export const chosenTitles = new Map<string, string>();
/** Tokens whose values are shown by a name. */
export const NAMED: readonly OrderTokenName[] = ["hub", "vendor", "product", "point", "customer"];

/** The words of chips: those that were chosen here, and those of an address that was opened. */
export function useTitles(chips: readonly OrderToken[]): ReadonlyMap<string, string> {
  const unknown = chips.filter(({ name, value }) => NAMED.includes(name) && !chosenTitles.has(`${name}:${value}`));
  const answers = useQueries({
    queries: unknown.map(({ name, value }) => ({ ...suggestionsQuery(name, value), staleTime: Infinity })),
  });
  const titles = new Map(chosenTitles);
  for (const [at, { name, value }] of unknown.entries()) {
    const found = answers[at]?.data?.find((one) => one.value === value);
    if (found) titles.set(`${name}:${value}`, found.title);
  }
  return titles;
}
