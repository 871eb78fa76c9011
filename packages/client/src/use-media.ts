import { useSyncExternalStore } from "react";

/** Whether a media query matches, live. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (change) => {
      const list = matchMedia(query);
      list.addEventListener("change", change);
      return () => list.removeEventListener("change", change);
    },
    () => matchMedia(query).matches,
  );
}

/** Where the side panel stands beside the page and the tab bar is gone. */
export const useIsDesktop = (): boolean => useMedia("(min-width: 1024px)");
