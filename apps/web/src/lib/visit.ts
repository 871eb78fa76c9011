import { ANALYTICS_COOKIE_MS } from "@marketday/domain/limits";

/** The analytics cookie (docs/product.md §11): a random number that names a visit, not a person. */
const NAME = "mkt_as";

const kept = (): string | null =>
  new RegExp(`(?:^|; )${NAME}=([\\w-]{8,64})(?:;|$)`).exec(document.cookie)?.[1] ?? null;

/** `crypto.randomUUID` is there on https alone; a market in a LAN has none. */
const fresh = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The visit's id. Asking keeps it alive for another three hours (spec §9); after that a new one begins. */
export function visitId(): string {
  const id = kept() ?? fresh();
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${NAME}=${id}; max-age=${ANALYTICS_COOKIE_MS / 1000}; path=/; samesite=lax${secure}`;
  return id;
}
