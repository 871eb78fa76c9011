import type { Me } from "@marketday/contracts/admin/session";
import { useLocation } from "react-router";

import { useMe } from "../session/api.ts";

type Hub = Me["hubs"][number];

/** An address with the market of `search` in it, a path or `path?query`: the filter stays when one navigates. */
export function withHub(path: string, slug: string | null): string {
  const [pathname = "", query] = path.split("?");
  const params = new URLSearchParams(query);
  if (slug === null) params.delete("hub");
  else params.set("hub", slug);
  const text = params.toString();
  return text === "" ? pathname : `${pathname}?${text}`;
}

/** The filter by market, which is `?hub=slug` in the address: it filters what screens show and changes nothing else. */
export function useHubFilter() {
  const { pathname, search } = useLocation();
  const { hubs } = useMe();
  const slug = new URLSearchParams(search).get("hub");
  const hub: Hub | null = hubs.find((one) => one.slug === slug) ?? null;
  return {
    /** The one that is shown; null: all. */
    hub,
    /** In the address, but not a market that one may see. */
    unknownSlug: hub ? null : slug,
    /** The address of a screen, with the filter kept. */
    to: (path: string) => withHub(path, hub?.slug ?? null),
    /** The address that is shown, with another filter. */
    here: (other: string | null) => withHub(pathname + search, other),
  };
}
