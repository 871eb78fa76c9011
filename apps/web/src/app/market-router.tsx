import { type ReactNode, startTransition, useLayoutEffect, useState } from "react";
import { Router, UNSAFE_createBrowserHistory as createBrowserHistory } from "react-router";

/**
 * The router of the market's pages. A page takes the place of another once it can be drawn, bit by bit; a layer that
 * opens over a page is shown at once: a frame that waits its turn is a frame that feels late.
 */
export function MarketRouter({ children }: { children: ReactNode }) {
  const [history] = useState(() => createBrowserHistory({ v5Compat: true }));
  const [{ action, location }, setState] = useState({ action: history.action, location: history.location });
  useLayoutEffect(
    () =>
      history.listen((next) => {
        const { bg } = (next.location.state ?? {}) as { bg?: unknown };
        if (bg && next.action !== "POP") setState(next);
        else startTransition(() => setState(next));
      }),
    [history],
  );
  return (
    <Router location={location} navigationType={action} navigator={history}>
      {children}
    </Router>
  );
}
