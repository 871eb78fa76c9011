import {
  createContext,
  type ReactNode,
  use,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import {
  type Location,
  type NavigateFunction,
  type NavigationType,
  useLocation,
  useNavigate,
  useNavigationType,
} from "react-router";

import { createLeaveGuard } from "./leave-guard.ts";
import { createOverlayLink } from "./overlay-link.tsx";
import {
  type AnyModal,
  leaveAll,
  type Leave,
  leaveOne,
  type OverlayStack,
  overlayStackOf,
  stateForModal,
  stateForModalOverHome,
  stateForOverlay,
  stateForReplacedModal,
  stateForReplacedOverlay,
  topModal,
} from "./overlay-stack.ts";

/** What there is to open. The app provides it, because it imports the features, and they import the navigation. */
export interface Targets<M extends AnyModal> {
  isOverlay: (pathname: string) => boolean;
  hasPage: (pathname: string) => boolean;
  hasModal: (kind: M["kind"]) => boolean;
  /** Fetches code and data of what an address would show. */
  prefetch: (to: string) => void;
}

/** What is on screen. */
interface Current<M extends AnyModal> {
  /** The address in the bar, with its state. In a page or an overlay, the router's `useLocation` returns that one's own. */
  location: Location;
  /** How it came there. */
  navigationType: NavigationType;
  layers: OverlayStack<M>;
}

/**
 * The overlays of an app: panels with an address over a page, modals without one over both. Called once for each app.
 * @param Modal every modal of the app, a union by `kind`
 * @param home the page behind an overlay that was opened by its address
 */
export function createOverlays<Modal extends AnyModal>({ home }: { home: string }) {
  type AppNavigation = Navigation<Modal>;
  const NavigationContext = createContext<AppNavigation | null>(null);
  const CurrentContext = createContext<Current<Modal> | null>(null);
  const PendingContext = createContext<Location | null>(null);

  /**
   * Opening, replacing and leaving pages, overlays and modals. Always the same object: its users do not re-render when an
   * overlay opens. With `select`, what it returns of what is on screen; the user re-renders with every navigation.
   */
  function useNavigation(): AppNavigation;
  function useNavigation<T>(select: (current: Current<Modal>) => T): T;
  function useNavigation<T>(select?: (current: Current<Modal>) => T): AppNavigation | T {
    const navigation = use(NavigationContext);
    const current = select && use(CurrentContext);
    if (!navigation || current === null) throw new Error("useNavigation needs a <NavigationProvider>.");
    return select && current ? select(current) : navigation;
  }

  /** The page that was chosen while its code is on its way: the one before is still on screen. Null: none. */
  const usePendingPage = (): Location | null => use(PendingContext);

  /**
   * While it is mounted, X, Esc, the scrim and Back, the browser's too, do not leave the layer it is in. `leave` is set when one
   * of them was used, and leaves after all; `stay` resets it.
   */
  function useLeaveGuard() {
    const { guard } = useNavigation();
    const [leave, setLeave] = useState<(() => void) | null>(null);
    useEffect(() => guard((next) => setLeave(() => next)), [guard]);
    return { leave, stay: () => setLeave(null) };
  }

  /** Inside the router. Derives the overlays of the address once. */
  function NavigationProvider({ targets, children }: { targets: Targets<Modal>; children: ReactNode }) {
    const navigate = useNavigate();
    const { current, pending } = useCurrent<Modal>(targets.isOverlay, home);
    const now = { ...current, navigate };
    const [{ navigation, set }] = useState(() => {
      let present = now;
      const set = (next: typeof now) => (present = next);
      return { navigation: createNavigation(() => present, targets, home), set };
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

  return {
    NavigationProvider,
    OverlayLink: createOverlayLink(useNavigation),
    useLeaveGuard,
    useNavigation,
    usePendingPage,
  };
}

/**
 * Overlays open and close over their page at once, so that a second tap meets what the first one opened. Another page is
 * a deferred render: the one on screen, with its overlays, stays until the next one's code is here. The router renders
 * every address at once (`useTransitions={false}`).
 */
function useCurrent<M extends AnyModal>(
  isOverlay: Targets<M>["isOverlay"],
  home: string,
): { current: Current<M>; pending: Location | null } {
  const location = useLocation();
  const navigationType = useNavigationType();
  const latest = useMemo(
    () => ({ location, navigationType, layers: overlayStackOf<M>(location, isOverlay, home) }),
    [location, navigationType, isOverlay, home],
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

export type Navigation<M extends AnyModal> = ReturnType<typeof createNavigation<M>>;

/** `present`: what is on screen when something is done. `opener`: id of the element that gets the focus back. */
function createNavigation<M extends AnyModal>(
  present: () => Current<M> & { navigate: NavigateFunction },
  targets: Targets<M>,
  home: string,
) {
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
    /** The layers that a location stands for. */
    layersOf: (location: Location) => overlayStackOf<M>(location, isOverlay, home),
    openModal: (modal: M, opener?: string) => {
      const { navigate, layers, here: address } = here();
      void navigate(address, { state: stateForModal(layers, modal, opener), preventScrollReset: true });
    },
    replaceWithModal: (modal: M) => {
      const { navigate, layers, here: address } = here();
      void navigate(address, { replace: true, state: stateForReplacedModal(layers, modal) });
    },
    /** The same modal, with the home page behind it from now on. */
    replacePageWithHome: (modal: M) => {
      const { navigate, layers } = present();
      void navigate(home, { replace: true, state: stateForModalOverHome(layers, modal, home) });
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
      leave(leaveOne(present().layers, home));
    },
    close: () => {
      const { layers } = present();
      leave(topModal(layers) ? leaveOne(layers, home) : leaveAll(layers, home));
    },
  };
}
