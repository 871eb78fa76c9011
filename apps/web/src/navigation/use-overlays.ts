import { createContext, useContext } from "react";
import type { Location, NavigateFunction } from "react-router";

import {
  type OverlayStack,
  leaveAll,
  leaveOne,
  type Leave,
  type Modal,
  type ModalKind,
  stateForModal,
  stateForReplacedModal,
  stateForModalOverShop,
  stateForOverlay,
  stateForReplacedOverlay,
  topModal,
} from "./overlay-stack.ts";
import { paths } from "./paths.ts";

export interface OverlayContextValue {
  /** The address in the bar, with its state. */
  location: Location;
  layers: OverlayStack;
}
export const OverlayContext = createContext<OverlayContextValue | null>(null);

/** The current overlays; the caller re-renders whenever one opens or closes. */
export function useOverlayContext(): OverlayContextValue {
  const value = useContext(OverlayContext);
  if (!value) throw new Error("useOverlays needs an <OverlayProvider>.");
  return value;
}

/** What there is to open. */
export interface Known {
  isOverlay: (pathname: string) => boolean;
  hasPage: (pathname: string) => boolean;
  hasModal: (kind: ModalKind) => boolean;
  /** Fetches code and data of what an address would show. */
  prefetch: (to: string) => void;
}

/** The layers at the moment something is done with them. */
export type Present = () => OverlayContextValue & { navigate: NavigateFunction };

const go = (navigate: NavigateFunction, leave: Leave): void => {
  if ("to" in leave) void navigate(leave.to, { replace: true });
  else void navigate(-leave.back);
};

const pathOf = (to: string) => to.split(/[?#]/)[0] ?? to;

/** Opening, replacing and leaving layers. `opener`: id of the element that gets the focus back. */
export function overlayActions(present: Present, known: Known) {
  const { isOverlay } = known;
  const here = () => {
    const { location, ...rest } = present();
    const { pathname, search, hash } = location;
    return { ...rest, location, here: { pathname, search, hash } };
  };
  return {
    ...known,
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
      const { navigate, layers } = present();
      go(navigate, leaveOne(layers));
    },
    close: () => {
      const { navigate, layers } = present();
      go(navigate, topModal(layers) ? leaveOne(layers) : leaveAll(layers));
    },
  };
}

export const OverlayActions = createContext<ReturnType<typeof overlayActions> | null>(null);

/** The actions on overlays. Always the same object: its users do not re-render when an overlay opens. */
export function useOverlays() {
  const actions = useContext(OverlayActions);
  if (!actions) throw new Error("useOverlays needs an <OverlayProvider>.");
  return actions;
}
