import type { Location } from "react-router";

/**
 * The overlay stack. An overlay with an address is a separate history entry whose state holds the page it was
 * opened over; a modal without one is an entry with the same address. So Back closes exactly one layer, a reload
 * keeps them all, and an overlay opened by its address is over the home page of the app (`home`, a path).
 */

/** A modal layer without an address; an app lists its own by kind. Its data must survive a reload: plain JSON only. */
export interface AnyModal {
  kind: string;
}

/** Props of a modal's content: its data, and the callback when it is done. */
export interface ModalProps<M extends AnyModal> {
  modal: M;
  onDone: () => void;
}

/** One layer above the page: an overlay at its address, or a modal. `opener` gets the focus back. */
export type OverlayEntry<M extends AnyModal = AnyModal> = (
  | { location: Location; modal?: never }
  | { modal: M; location?: never }
) & {
  opener?: string;
};

/** What a history entry remembers. */
export interface OverlayState<M extends AnyModal = AnyModal> {
  /** The page behind, as it was. */
  bg?: Location;
  /** The layers below the top one, bottom first. */
  below?: OverlayEntry<M>[];
  /** How many entries lie above the page behind; 0 for an overlay opened by its address. */
  depth?: number;
  /** Below is an overlay opened by its address: there is no entry of the page behind. */
  cold?: boolean;
  /** Id of the element that opened the top layer. */
  opener?: string;
  /** The top layer, where it has no address. */
  modal?: M;
}

export interface OverlayStack<M extends AnyModal = AnyModal> {
  page: Location;
  /** Everything above the page, bottom first: all stay mounted, so that Back finds them as they were. */
  stack: OverlayEntry<M>[];
  depth: number;
  cold: boolean;
}

const pageAt = (pathname: string): Location => ({ pathname, search: "", hash: "", state: null, key: "home" });

const readState = <M extends AnyModal>(state: unknown): OverlayState<M> =>
  typeof state === "object" && state !== null ? state : {};

/** A location without its own memory: what lies below it is in the stack already. */
const bare = (location: Location): Location => ({ ...location, state: null });

/** Which layers a location stands for. `isOverlay` knows the addresses that are overlays. */
export function overlayStackOf<M extends AnyModal>(
  location: Location,
  isOverlay: (pathname: string) => boolean,
  home: string,
): OverlayStack<M> {
  const state = readState<M>(location.state);
  const about = { depth: state.depth ?? 0, cold: state.cold ?? false };
  const below = state.below ?? [];
  const opener = state.opener ? { opener: state.opener } : {};
  if (state.modal && state.bg)
    return { page: state.bg, stack: [...below, { modal: state.modal, ...opener }], ...about };
  // A page is the bottom, whatever the entry it was reached from remembers.
  if (!isOverlay(location.pathname)) return { page: location, stack: [], depth: 0, cold: false };
  return { page: state.bg ?? pageAt(home), stack: [...below, { location, ...opener }], ...about };
}

/** The top layer, when it is a modal. */
export const topModal = <M extends AnyModal>({ stack }: OverlayStack<M>): M | null => stack.at(-1)?.modal ?? null;

const stateAbove = <M extends AnyModal>(
  layers: OverlayStack<M>,
  below: OverlayEntry<M>[],
  opener: string | undefined,
): OverlayState<M> => ({
  bg: bare(layers.page),
  below: below.map((layer) => (layer.location ? { ...layer, location: bare(layer.location) } : layer)),
  depth: layers.depth + 1,
  cold: layers.cold || (layers.stack.length > 0 && layers.depth === 0),
  ...(opener ? { opener } : {}),
});

/** The state for an overlay opened from these layers. */
export const stateForOverlay = <M extends AnyModal>(
  layers: OverlayStack<M>,
  opener: string | undefined,
): OverlayState<M> => stateAbove(layers, layers.stack, opener);

/** The state for a modal opened on these layers: the same address, one entry more. */
export const stateForModal = <M extends AnyModal>(
  layers: OverlayStack<M>,
  modal: M,
  opener: string | undefined,
): OverlayState<M> => ({
  ...stateAbove(layers, layers.stack, opener),
  modal,
});

/** The state for another modal in the place of the current one: the same entry. */
export const stateForReplacedModal = <M extends AnyModal>(layers: OverlayStack<M>, modal: M): OverlayState<M> => ({
  ...stateAbove(layers, layers.stack.slice(0, -1), layers.stack.at(-1)?.opener),
  depth: layers.depth,
  modal,
});

/** The state for an overlay in the place of the top layer, be that an overlay or a modal: the same entry. */
export const stateForReplacedOverlay = (state: unknown): OverlayState => {
  const { modal: _, ...rest } = readState(state);
  return rest;
};

/** The state for the same modal with the home page behind: leaving it ends there. The layers below stay mounted. */
export const stateForModalOverHome = <M extends AnyModal>(
  layers: OverlayStack<M>,
  modal: M,
  home: string,
): OverlayState<M> => ({
  ...stateForReplacedModal(layers, modal),
  bg: pageAt(home),
  depth: 0,
  cold: true,
});

/** How to leave: so many entries back, or, where there are none of ours, to an address in the place of this one. */
export type Leave = { back: number } | { to: string };

/** One layer: Back and Esc. */
export const leaveOne = ({ depth }: OverlayStack, home: string): Leave => (depth > 0 ? { back: 1 } : { to: home });

/** All the way to the page behind: the X and the scrim of an overlay. */
export const leaveAll = ({ depth, cold }: OverlayStack, home: string): Leave =>
  depth > 0 && !cold ? { back: depth } : { to: home };
