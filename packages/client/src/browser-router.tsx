import { type ReactNode, useLayoutEffect, useState } from "react";
import { createPath, type Location, NavigationType, Router, type To } from "react-router";

/** What a history entry of the browser holds. `idx`: its place among those of this tab. */
interface EntryState {
  usr: unknown;
  key: string;
  idx: number;
}

const entryState = (): Partial<EntryState> => (history.state as Partial<EntryState> | null) ?? {};
const newKey = () => Math.random().toString(36).slice(2, 10);

/** The address in the bar. The key of an entry that no navigation made is "default". */
function currentLocation(): Location {
  const { pathname, search, hash } = window.location;
  const { usr = null, key = "default" } = entryState();
  return { pathname, search, hash, state: usr, key, mask: undefined };
}

interface Shown {
  location: Location;
  navigationType: NavigationType;
}

/** The browser's history as the router's navigator. */
function createNavigator(show: (shown: Shown) => void) {
  const hrefOf = (to: To) => (typeof to === "string" ? to : createPath(to));
  const createURL = (to: To) => new URL(hrefOf(to), window.location.href);
  const change = (navigationType: NavigationType.Push | NavigationType.Replace, to: To, state: unknown) => {
    const isNew = navigationType === NavigationType.Push;
    const idx = (entryState().idx ?? 0) + (isNew ? 1 : 0);
    const entry: EntryState = { usr: state ?? null, key: newKey(), idx };
    try {
      if (isNew) history.pushState(entry, "", hrefOf(to));
      else history.replaceState(entry, "", hrefOf(to));
    } catch (error) {
      // A browser may refuse many entries in a short time: then it loads the address.
      if (error instanceof DOMException && error.name === "DataCloneError") throw error;
      return window.location.assign(hrefOf(to));
    }
    show({ location: currentLocation(), navigationType });
  };
  return {
    createHref: hrefOf,
    createURL,
    encodeLocation: (to: To) => {
      const { pathname, search, hash } = createURL(to);
      return { pathname, search, hash };
    },
    push: (to: To, state?: unknown) => change(NavigationType.Push, to, state),
    replace: (to: To, state?: unknown) => change(NavigationType.Replace, to, state),
    go: (delta: number) => history.go(delta),
  };
}

/**
 * The router over the browser's history: react-router's `Router` with 40 lines of ours, because its `BrowserRouter` is in one file
 * with the links, forms and prefetches of its framework (6 kB, of which the first view uses nothing).
 */
export function BrowserRouter({ children }: { children: ReactNode }) {
  const [shown, show] = useState<Shown>(() => ({ location: currentLocation(), navigationType: NavigationType.Pop }));
  const [navigator] = useState(() => createNavigator(show));
  useLayoutEffect(() => {
    if (entryState().idx === undefined) history.replaceState({ ...history.state, idx: 0 }, "");
    const onPop = () => show({ location: currentLocation(), navigationType: NavigationType.Pop });
    addEventListener("popstate", onPop);
    // Back was pressed while the app started.
    show((shown) => {
      const location = currentLocation();
      const isShown = shown.location.key === location.key && createPath(shown.location) === createPath(location);
      return isShown ? shown : { location, navigationType: NavigationType.Pop };
    });
    return () => removeEventListener("popstate", onPop);
  }, []);
  return (
    <Router {...shown} navigator={navigator} useTransitions={false}>
      {children}
    </Router>
  );
}
