import type { Location } from "react-router";

/**
 * The overlay stack. An overlay with an address is a separate history entry whose state holds the page it was
 * opened over; a modal without one is an entry with the same address. So Back closes exactly one layer, a reload
 * keeps them all, and a link to an overlay opens it over the shop.
 */

/** The action that a guest started and that needs an account: done after sign-up. Ids. */
export type Unfinished = { favorite: number } | { follow: number };

/** The reason shown to a guest for creating an account. */
export type AccountReason = "favorite" | "review" | "question" | "message";

/** What an info modal explains (spec §2.4). */
export type InfoTopic = "local-first" | "general-store" | "chefs-selection" | "kansas-farms";

/** A survey after an order. */
export interface Survey {
  type: "MarketingSource" | "CSAT" | "NPS" | "Share" | "Subscribe";
  questionId: string;
  /** The order's, for the first one. */
  vendors?: { id: number; name: string }[];
}

/** A modal layer without an address. Its data must survive a reload: plain JSON only. */
export type Modal =
  | { kind: "welcome" }
  | { kind: "login"; unfinished?: Unfinished }
  | { kind: "register"; unfinished?: Unfinished }
  | { kind: "forgot"; unfinished?: Unfinished }
  | { kind: "my-data"; what: "export" | "delete" }
  | { kind: "email-capture"; step?: true; vendor?: string }
  | { kind: "referral-step" }
  | { kind: "need-account"; why: AccountReason; unfinished?: Unfinished }
  | { kind: "search" }
  | { kind: "share"; title: string; path: string; picture?: string }
  | { kind: "market" }
  | { kind: "shop-here"; hub: { id: number; name: string } }
  | { kind: "info"; topic: InfoTopic }
  | { kind: "photos"; title: string; pictures: { url: string; alt: string; thumbhash: string }[]; at: number }
  | { kind: "cart" }
  | { kind: "checkout" }
  | { kind: "endorse"; vendor: string; name: string }
  | { kind: "report-problem"; orderId: number }
  | { kind: "message"; vendor: string; name: string }
  | { kind: "orders" }
  | { kind: "order"; id: number }
  | { kind: "survey"; orderId: number; survey: Survey }
  | { kind: "refer" }
  | { kind: "payment" }
  | { kind: "logout" };
export type ModalKind = Modal["kind"];

/** Props of a modal's content: its data, and the callback when it is done. */
export interface ModalProps<M extends Modal = Modal> {
  modal: M;
  onDone: () => void;
}

/** One layer above the page: an overlay at its address, or a modal. `opener` gets the focus back. */
export type OverlayEntry = ({ location: Location; modal?: never } | { modal: Modal; location?: never }) & {
  opener?: string;
};

/** What a history entry remembers. */
export interface OverlayState {
  /** The page behind, as it was. */
  bg?: Location;
  /** The layers below the top one, bottom first. */
  below?: OverlayEntry[];
  /** How many entries lie above the page behind; 0 for an overlay opened by its address. */
  depth?: number;
  /** Below is an overlay opened by its address: there is no entry of the page behind. */
  cold?: boolean;
  /** Id of the element that opened the top layer. */
  opener?: string;
  /** The top layer, where it has no address. */
  modal?: Modal;
}

export interface OverlayStack {
  page: Location;
  /** Everything above the page, bottom first: all stay mounted, so that Back finds them as they were. */
  stack: OverlayEntry[];
  depth: number;
  cold: boolean;
}

const shop: Location = { pathname: "/shop", search: "", hash: "", state: null, key: "shop" };

const readState = (state: unknown): OverlayState => (typeof state === "object" && state !== null ? state : {});

/** A location without its own memory: what lies below it is in the stack already. */
const bare = (location: Location): Location => ({ ...location, state: null });

/** Which layers a location stands for. `isOverlay` knows the addresses that are overlays. */
export function overlayStackOf(location: Location, isOverlay: (pathname: string) => boolean): OverlayStack {
  const state = readState(location.state);
  const about = { depth: state.depth ?? 0, cold: state.cold ?? false };
  const below = state.below ?? [];
  const opener = state.opener ? { opener: state.opener } : {};
  if (state.modal && state.bg)
    return { page: state.bg, stack: [...below, { modal: state.modal, ...opener }], ...about };
  // A page is the bottom, whatever the entry it was reached from remembers.
  if (!isOverlay(location.pathname)) return { page: location, stack: [], depth: 0, cold: false };
  return { page: state.bg ?? shop, stack: [...below, { location, ...opener }], ...about };
}

/** The top layer, when it is a modal. */
export const topModal = ({ stack }: OverlayStack): Modal | null => stack.at(-1)?.modal ?? null;

const stateAbove = (layers: OverlayStack, below: OverlayEntry[], opener: string | undefined): OverlayState => ({
  bg: bare(layers.page),
  below: below.map((layer) => (layer.location ? { ...layer, location: bare(layer.location) } : layer)),
  depth: layers.depth + 1,
  cold: layers.cold || (layers.stack.length > 0 && layers.depth === 0),
  ...(opener ? { opener } : {}),
});

/** The state for an overlay opened from these layers. */
export const stateForOverlay = (layers: OverlayStack, opener: string | undefined): OverlayState =>
  stateAbove(layers, layers.stack, opener);

/** The state for a modal opened on these layers: the same address, one entry more. */
export const stateForModal = (layers: OverlayStack, modal: Modal, opener: string | undefined): OverlayState => ({
  ...stateAbove(layers, layers.stack, opener),
  modal,
});

/** The state for another modal in the place of the current one: the same entry. */
export const stateForReplacedModal = (layers: OverlayStack, modal: Modal): OverlayState => ({
  ...stateAbove(layers, layers.stack.slice(0, -1), layers.stack.at(-1)?.opener),
  depth: layers.depth,
  modal,
});

/** The state for an overlay in the place of the top layer, be that an overlay or a modal: the same entry. */
export const stateForReplacedOverlay = (state: unknown): OverlayState => {
  const { modal: _, ...rest } = readState(state);
  return rest;
};

/** The state for the same modal with the shop as the page behind: leaving it ends there. The layers below stay mounted. */
export const stateForModalOverShop = (layers: OverlayStack, modal: Modal): OverlayState => ({
  ...stateForReplacedModal(layers, modal),
  bg: shop,
  depth: 0,
  cold: true,
});

/** How to leave: so many entries back, or, where there are none of ours, to an address in the place of this one. */
export type Leave = { back: number } | { to: string };

/** One layer: Back and Esc. */
export const leaveOne = (layers: OverlayStack): Leave => (layers.depth > 0 ? { back: 1 } : { to: shop.pathname });

/** All the way to the page behind: the X and the scrim of an overlay. */
export const leaveAll = (layers: OverlayStack): Leave =>
  layers.depth > 0 && !layers.cold ? { back: layers.depth } : { to: shop.pathname };
