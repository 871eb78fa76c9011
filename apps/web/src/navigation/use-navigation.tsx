import { createContext, type ReactNode, use, useDeferredValue, useLayoutEffect, useMemo, useState } from "react";
import {
  type Location,
  type NavigateFunction,
  type NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
} from "react-router";

import { createLeaveGuard } from "./leave-guard.ts";
import {
  leaveAll,
  type Leave,
  leaveOne,
  type Modal,
  type ModalKind,
  type OverlayStack,
  overlayStackOf,
  stateForModal,
  stateForModalOverShop,
  stateForOverlay,
  stateForReplacedModal,
  stateForReplacedOverlay,
  topModal,
} from "./overlay-stack.ts";
import { paths } from "./paths.ts";

/** What there is to open. The app provides it, because it imports the features, and they import this. */
export interface Targets {
  isOverlay: (pathname: string) => boolean;
  hasPage: (pathname: string) => boolean;
  hasModal: (kind: ModalKind) => boolean;
  /** Fetches code and data of what an address would show. */
  prefetch: (to: string) => void;
}

/** What is on screen. */
interface Current {
  /** The address in the bar, with its state. In a page or an overlay, the router's `useLocation` returns that one's own. */
  location: Location;
  /** How it came there. */
  navigationType: NavigationType;
  layers: OverlayStack;
}

type Navigation = ReturnType<typeof createNavigation>;

const NavigationContext = createContext<Navigation | null>(null);
const CurrentContext = createContext<Current | null>(null);
const PendingContext = createContext<Location | null>(null);

/**
 * Opening, replacing and leaving pages, overlays and modals. Always the same object: its users do not re-render when an
 * overlay opens. With `select`, what it returns of what is on screen; the user re-renders with every navigation.
 */
export function useNavigation(): Navigation;
export function useNavigation<T>(select: (current: Current) => T): T;
export function useNavigation<T>(select?: (current: Current) => T): Navigation | T {
  const navigation = use(NavigationContext);
  const current = select && use(CurrentContext);
  if (!navigation || current === null) throw new Error("useNavigation needs a <NavigationProvider>.");
  return select && current ? select(current) : navigation;
}

/** The page that was chosen while its code is on its way: the one before is still on screen. Null: none. */
export const usePendingPage = (): Location | null => use(PendingContext);

/** Inside the router. Derives the overlays of the address once. */
export function NavigationProvider({ targets, children }: { targets: Targets; children: ReactNode }) {
  const navigate = useNavigate();
  const { current, pending } = useCurrent(targets.isOverlay);
  const now = { ...current, navigate };
  const [{ navigation, set }] = useState(() => {
    let present = now;
    const set = (next: typeof now) => (present = next);
    return { navigation: createNavigation(() => present, targets), set };
  });
  useLayoutEffect(() => void set(now));
  return (
    <NavigationContext value={navigation}>
      <CurrentContext value={current}>
        <PendingContext value={pending}>{children}</PendingContext>
      </CurrentContext>
    </NavigationContext>
  );
}

/**
 * Overlays open and close over their page at once, so that a second tap meets what the first one opened. Another page is
 * a deferred render: the one on screen, with its overlays, stays until the next one's code is here. The router renders
 * every address at once (`useTransitions={false}`).
 */
function useCurrent(isOverlay: Targets["isOverlay"]): { current: Current; pending: Location | null } {
  const location = useLocation();
  const navigationType = useNavigationType();
  const latest = useMemo(
    () => ({ location, navigationType, layers: overlayStackOf(location, isOverlay) }),
    [location, navigationType, isOverlay],
  );
  const deferred = useDeferredValue(latest);
  const shown = latest.layers.page.key === deferred.layers.page.key ? latest : deferred;
  // The same object for as long as it is the same entry: the page does not re-render.
  const { key, pathname, search, hash } = shown.layers.page;
  // oxlint-disable-next-line react/exhaustive-deps, react/exhaustive-effect-dependencies
  const page = useMemo(() => shown.layers.page, [key, pathname, search, hash]);
  const current = useMemo(() => ({ ...shown, layers: { ...shown.layers, page } }), [shown, page]);
  return { current, pending: shown === latest ? null : latest.layers.page };
}

const go = (navigate: NavigateFunction, leave: Leave): void => {
  if ("to" in leave) void navigate(leave.to, { replace: true });
  else void navigate(-leave.back);
};

const pathOf = (to: string) => to.split(/[?#]/)[0] ?? to;

/** `present`: what is on screen when something is done. `opener`: id of the element that gets the focus back. */
function createNavigation(present: () => Current & { navigate: NavigateFunction }, targets: Targets) {
  const { isOverlay } = targets;
  const here = () => {
    const { location, ...rest } = present();
    const { pathname, search, hash } = location;
    return { ...rest, location, here: { pathname, search, hash } };
  };
  const { guard, leaveBy } = createLeaveGuard();
  const leave = (by: Leave): void => leaveBy(() => go(present().navigate, by));
  return {
    ...targets,
    /** Leaving, by the browser's Back too, runs this instead, which may leave after all. Returns what ends it. */
    guard,
    /** The router's: to a page, or so many entries of the history. */
    navigate: ((...to: Parameters<NavigateFunction>) => present().navigate(...to)) as NavigateFunction,
    openModal: (modal: Modal, opener?: string) => {
      const { navigate, layers, here: address } = here();
      void navigate(address, { state: stateForModal(layers, modal, opener), preventScrollReset: true });
    },
    replaceWithModal: (modal: Modal) => {
      const { navigate, layers, here: address } = here();
      void navigate(address, { replace: true, state: stateForReplacedModal(layers, modal) });
    },
    /** The same modal, with the shop as the page behind from now on. */
    replacePageWithShop: (modal: Modal) => {
      const { navigate, layers } = present();
      void navigate(paths.shop, { replace: true, state: stateForModalOverShop(layers, modal) });
    },
    /** Goes to any address: an overlay opens over what is here. */
    open: (to: string, opener?: string) => {
      const { navigate, layers } = present();
      void navigate(to, isOverlay(pathOf(to)) ? { state: stateForOverlay(layers, opener) } : {});
    },
    /** Another address in the place of the top layer: Back skips that one. A page takes the layers below with it. */
    replaceWith: (to: string) => {
      const { navigate, location } = present();
      void navigate(to, {
        replace: true,
        state: isOverlay(pathOf(to)) ? stateForReplacedOverlay(location.state) : null,
      });
    },
    /** Changes the query of the overlay that is open, without a new entry. */
    replaceSearch: (search: string) => {
      const { navigate, location, here: address } = here();
      void navigate({ ...address, search }, { replace: true, state: location.state });
    },
    back: () => {
      leave(leaveOne(present().layers));
    },
    close: () => {
      const { layers } = present();
      leave(topModal(layers) ? leaveOne(layers) : leaveAll(layers));
    },
  };
}
