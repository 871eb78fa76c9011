import { useLocation } from "react-router";

import { useHubFilter } from "../shell/hub-filter.ts";
import { dayOf, withDay } from "./api.ts";

/** The address of another part of this screen, a path or `path?query`: the filter by market and the chosen day stay. */
export function useAddress(): (path: string) => string {
  const { search } = useLocation();
  const { to } = useHubFilter();
  return (path) => {
    const [pathname = "", query = ""] = path.split("?");
    return to(withDay(pathname, query, dayOf(search)));
  };
}
