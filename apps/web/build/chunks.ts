import { fileURLToPath } from "node:url";

/**
 * Which files are loaded together. A name is a folder (with a slash at its end) or a file, from the root of the repository; a name
 * without an extension is a `.ts` or `.tsx`. `chunks.test.ts` holds each against what is there. The first group that has a file keeps it; what is in
 * none is split by the build.
 */
interface Group {
  name: string;
  /** Why these come together. */
  files: string[];
}

const ui = (...names: string[]) => names.map((name) => `packages/ui/src/${name}`);
const client = (...names: string[]) => names.map((name) => `packages/client/src/${name}`);
const domain = (...names: string[]) => names.map((name) => `packages/domain/src/${name}`);
const web = (...names: string[]) => names.map((name) => `apps/web/src/${name}`);

/** In no group of a folder, although their folder is of the kit: only a chunk or two are made of them. */
export const elsewhere: string[] = [
  ...domain(
    "email-typo",
    "inbox",
    "order-edit",
    "order-state",
    "paging",
    "total-rows",
    "subscription",
    "survey",
    "text",
  ),
  ...domain("wagon-pass"),
  ...web("lib/screen-messages"),
];

export const groups: Group[] = [
  {
    // A form with rules. Most panels, and the checkout, do without.
    name: "rules",
    files: client("forms/problems", "forms/use-form"),
  },
  {
    // What the shop's first view does without: forms, their messages, and what payments share.
    name: "forms",
    files: [
      ...client("forms/"),
      ...ui("checkbox", "field", "form", "panel", "radio", "radio-rows", "sums", "text-input"),
      ...web("lib/attempt-keys", "lib/open-payment", "features/auth/alert-box"),
      ...web("features/checkout/open-order", "features/checkout/place"),
    ],
  },
  {
    // What overlays show, and neither the shop nor the checkout.
    name: "panels",
    files: [
      ...ui(
        "character-count",
        "controls",
        "detail",
        "entries",
        "pagination",
        "picture-controls",
        "prose",
        "radio-chips",
      ),
      ...ui("rich-text", "scale"),
      ...client("page-number"),
      ...web("lib/drafts"),
    ],
  },
  {
    // What every screen is made of.
    name: "kit",
    files: ["packages/ui/", "packages/client/", "packages/domain/", "apps/web/src/lib/", "apps/web/src/styles/"],
  },
  {
    // What overlays and frames share with the shop: otherwise each combination would be a separate file.
    name: "shared",
    files: [
      "packages/contracts/src/calls",
      ...web("navigation/overlay-stack", "navigation/paths", "navigation/entry-params", "navigation/leave-guard"),
      ...web("navigation/use-navigation", "navigation/overlay-link"),
      ...web("features/session/api", "features/hubs/api"),
      ...web("features/cart/cart-provider", "features/cart/change-queue", "features/cart/left-over"),
      ...web("features/cart/new-item", "features/cart/project", "features/cart/use-cart"),
      ...web("features/products/api", "features/products/format", "features/collections/api", "features/content/api"),
      ...web("features/favorites/api", "features/favorites/heart-queue", "features/favorites/heart-button"),
      ...web("features/info/origin", "features/orders/row-amount"),
    ],
  },
  {
    // The login's form, in the shop and in frames.
    name: "login",
    files: web(
      "features/auth/auth.module.css",
      "features/auth/draft",
      "features/auth/finish",
      "features/auth/login-form",
      "features/auth/wording",
    ),
  },
  {
    // What a purchase opens besides the product: few files, which are prefetched together (`app/preload.ts`).
    name: "purchase",
    files: [
      "packages/contracts/src/frame",
      "packages/domain/src/subscription",
      ...web("features/auth/login-modal", "features/cart/cart-modal", "features/checkout/", "features/frame-host/"),
      ...web("features/inbox/message-button", "features/info/badge", "features/search/search-modal"),
      ...web("features/search/search-list", "features/search/search-list.module.css", "features/search/browse-chips"),
      ...web(
        "features/search/browse-chips.module.css",
        "features/info/badge.module.css",
        "features/share/share-button",
      ),
      ...web("features/share/targets", "features/subscriptions/api", "features/subscriptions/format"),
    ],
  },
  {
    name: "address",
    files: web(
      "features/account/address",
      "features/account/fulfillment",
      "features/account/fulfillment-rows",
      "features/account/zip-place",
    ),
  },
  { name: "frame", files: web("frames/shell/") },
];

const root = fileURLToPath(new URL("../../../", import.meta.url)).replaceAll("\\", "/");

/** Whether a name of a group means this file, a path from the root. */
export const isNamed = (name: string, path: string): boolean =>
  name.endsWith("/") ? path.startsWith(name) : path === name || path === `${name}.ts` || path === `${name}.tsx`;

const isIn = (names: readonly string[], path: string) => names.some((name) => isNamed(name, path));

/** The group of a module of ours, by the build's id of it; null: the build splits it. */
export function groupOf(id: string): string | null {
  const path = id.replaceAll("\\", "/").replace(/\?.*/, "").replace(root, "");
  const isElsewhere = isIn(elsewhere, path);
  const group = groups.find(({ files }) =>
    isIn(isElsewhere ? files.filter((name) => !name.endsWith("/")) : files, path),
  );
  return group?.name ?? null;
}
