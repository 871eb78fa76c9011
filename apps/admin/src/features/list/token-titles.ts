import type { Token } from "@marketday/domain/list-query";
import { type QueryKey, queryOptions, useQueries } from "@tanstack/react-query";

/** A value that is offered for a token. */
interface OfferedValue {
  value: string;
  title: string;
  detail: string;
}

/** Reads values for a token that is being typed. `list`: "orders". */
export type ReadValues = (token: string, text: string, signal: AbortSignal) => Promise<OfferedValue[]>;

export const valuesQuery = (list: string, read: ReadValues, token: string, text: string) =>
  queryOptions({
    queryKey: ["suggestions", list, token, text] satisfies QueryKey,
    queryFn: ({ signal }) => read(token, text, signal),
    retry: false,
  });

/** Names that only the server knows, of what was chosen: by `name:value`. They are the same in each list. */
export const chosenTitles = new Map<string, string>();

/** What the values of a list's tokens are called. */
export interface NamedTokens<Name extends string> {
  /** "orders" */
  list: string;
  /** Tokens whose values are shown by a name. */
  named: readonly Name[];
  readValues: ReadValues;
}

/** The words of chips: those that were chosen here, and those of an address that was opened. */
export function useTitles<Name extends string>(
  { list, named, readValues }: NamedTokens<Name>,
  chips: readonly Token<Name>[],
): ReadonlyMap<string, string> {
  const unknown = chips.filter(({ name, value }) => named.includes(name) && !chosenTitles.has(`${name}:${value}`));
  const answers = useQueries({
    queries: unknown.map(({ name, value }) => ({ ...valuesQuery(list, readValues, name, value), staleTime: Infinity })),
  });
  const titles = new Map(chosenTitles);
  for (const [at, { name, value }] of unknown.entries()) {
    const found = answers[at]?.data?.find((one) => one.value === value);
    if (found) titles.set(`${name}:${value}`, found.title);
  }
  return titles;
}
