/** The wire takes no page beyond this. */
const LAST = 1_000_000;

/** The page an address asks for; anything but a positive whole number is the first. */
export function pageOf(query: URLSearchParams): number {
  const asked = Number(query.get("page") ?? 1);
  return Number.isSafeInteger(asked) && asked > 0 ? Math.min(asked, LAST) : 1;
}
