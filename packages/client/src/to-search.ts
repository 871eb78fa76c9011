/** A query as part of an address: empty, or with its question mark. Without `size`, which the oldest browsers do not have. */
export function toSearch(query: URLSearchParams): string {
  const text = query.toString();
  return text === "" ? "" : `?${text}`;
}
