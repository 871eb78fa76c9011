/** The wire takes no page beyond this. */
const LAST = 1_000_000;

/** The page an address asks for; anything but a positive whole number is the first. */
export function pageOf(query: URLSearchParams): number {
  const page = Number(query.get("page") ?? 1);
  return Number.isSafeInteger(page) && page > 0 ? Math.min(page, LAST) : 1;
}
