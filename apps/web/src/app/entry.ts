import { type EntryParams, withoutEntryParams } from "../navigation/entry-params.ts";
import type { Modal } from "../navigation/modals.ts";
import { paths } from "../navigation/paths.ts";

/** Set before the reload after an expired session: the app comes back with Login open. */
export const LOGIN_AFTER_RELOAD = "login-after-reload";

export interface EntryRedirect {
  to: string;
  /** Opens on top of it. */
  modal?: Modal;
}

/**
 * Where an address really leads (spec §2.1, §2.2): `/` and `/login` to the shop, `q` to the search wherever it stands,
 * `id` to its product; what is kept elsewhere leaves the address.
 */
export function entryRedirectOf(
  { pathname, search, hash }: { pathname: string; search: string; hash: string },
  params: EntryParams,
  hasPage: (pathname: string) => boolean,
): EntryRedirect {
  if (params.q && pathname !== "/search" && hasPage("/search")) return { to: paths.search(params.q) };
  if (params.id && pathname !== "/vendors") {
    const message = params.messageId ? `?messageId=${encodeURIComponent(params.messageId)}` : "";
    return { to: paths.productById(encodeURIComponent(params.id)) + message };
  }
  if (pathname === "/login") return { to: paths.shop, modal: { kind: "login" } };
  if (pathname === "/" || pathname === "/products") return { to: paths.shop };
  return { to: pathname + withoutEntryParams(search) + hash, ...(params.login && { modal: { kind: "login" } }) };
}
