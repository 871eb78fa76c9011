import { createContext, type ReactNode, startTransition, useContext, useLayoutEffect, useMemo, useState } from "react";
import {
  type Location,
  type NavigationType,
  Router,
  UNSAFE_createBrowserHistory as createBrowserHistory,
} from "react-router";

/** The address in the bar, and how it came there. */
interface Address {
  location: Location;
  navigationType: NavigationType;
}
const AddressContext = createContext<Address | null>(null);

/** The address in the bar, layers included; inside a page or an overlay `useLocation` is that one's own. */
export function useAddress(): Address {
  const address = useContext(AddressContext);
  if (!address) throw new Error("Outside of <MarketRouter>.");
  return address;
}

/**
 * The router of the market's pages. A page replaces another one in a transition; an overlay that
 * opens over a page is shown at once, because a transition would delay its first frame. The router does not get
 * the changed location of an overlay: it would re-render every link of the page behind.
 */
export function MarketRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [first] = useState(() => ({ action: history.action, location: history.location }));
  const [{ action, location }, setState] = useState(first);
  useLayoutEffect(
    () =>
      history.listen((next) => {
        const { bg } = (next.location.state ?? {}) as { bg?: unknown };
        if (bg && next.action !== "POP") setState(next);
        else startTransition(() => setState(next));
      }),
    [history],
  );
  const address = useMemo(() => ({ location, navigationType: action }), [location, action]);
  return (
    <Router location={first.location} navigator={history}>
      <AddressContext value={address}>{children}</AddressContext>
    </Router>
  );
}
