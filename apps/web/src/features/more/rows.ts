import type { IconName } from "@marketday/ui/icon/icon.tsx";

import type { Modal } from "../../navigation/modals.ts";
import { paths } from "../../navigation/paths.ts";
import { hasBundles } from "../bundles/has-bundles.ts";

/** What decides which rows of the menu are shown. */
interface MoreContext {
  isRegistered: boolean;
  hubId: number | null;
}

export interface MoreRow {
  id: string;
  label: string;
  icon: IconName;
  /** Where it leads: an address, or a modal. It shows only when that exists. */
  to?: string;
  modal?: Modal;
  /** About the market, not about the shopper: in a separate list below. */
  words?: true;
  /** Further conditions. */
  when?: (context: MoreContext) => boolean;
}

/** The menu of spec §2.3, in its order: one row each for what the market can do today. */
export const moreRows: MoreRow[] = [
  {
    id: "login",
    label: "Login or register",
    icon: "person",
    modal: { kind: "login" },
    when: ({ isRegistered }) => !isRegistered,
  },
  {
    id: "profile",
    label: "My Details",
    icon: "person",
    to: paths.profile,
    when: ({ isRegistered }) => isRegistered,
  },
  { id: "hub", label: "Your market", icon: "leaf", modal: { kind: "market" }, when: ({ hubId }) => hubId !== null },
  { id: "bundles", label: "Bundles", icon: "crate", to: paths.bundles, when: ({ hubId }) => hasBundles(hubId) },
  { id: "favorites", label: "Quick Shop", icon: "bookmark", to: paths.favorites },
  { id: "vendors", label: "Browse vendors", icon: "stall", to: paths.vendors },
  { id: "inbox", label: "Inbox", icon: "mail", to: paths.inbox, when: ({ isRegistered }) => isRegistered },
  {
    id: "subscriptions",
    label: "My subscriptions",
    icon: "again",
    to: paths.subscription,
    when: ({ isRegistered }) => isRegistered,
  },
  {
    id: "refer",
    label: "Refer friends",
    icon: "share",
    modal: { kind: "refer" },
    when: ({ isRegistered }) => isRegistered,
  },
  { id: "wagon-pass", label: "Wagon pass", icon: "wagon", to: paths.wagonPass },
  { id: "gift-cards", label: "Gift cards", icon: "gift", to: paths.giftCard },
  { id: "help", label: "Help", icon: "help", to: paths.help },
  {
    id: "payment",
    label: "Payment methods",
    icon: "card",
    modal: { kind: "payment" },
    when: ({ isRegistered }) => isRegistered,
  },
  {
    id: "orders",
    label: "My orders",
    icon: "clock",
    modal: { kind: "orders" },
    when: ({ isRegistered }) => isRegistered,
  },
  { id: "logout", label: "Logout", icon: "leave", modal: { kind: "logout" }, when: ({ isRegistered }) => isRegistered },
  { id: "join", label: "Become a vendor", icon: "stall", to: paths.join, words: true },
  { id: "faq", label: "FAQ", icon: "info", to: paths.faq, words: true },
  { id: "terms", label: "Terms", icon: "page", to: paths.terms, words: true },
  { id: "privacy", label: "Privacy", icon: "page", to: paths.privacy, words: true },
  { id: "about", label: "About", icon: "wagon", to: paths.about, words: true },
  { id: "blog", label: "Blog", icon: "bookmark", to: paths.blog, words: true },
];
