import type { ModalProps as PropsOf } from "@marketday/client/overlays/overlay-stack.ts";

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

/** Every modal of the shop, a layer without an address. Its data must survive a reload: plain JSON only. */
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
export type ModalProps<M extends Modal = Modal> = PropsOf<M>;
