import { fileURLToPath } from "node:url";

/**
 * Which files are loaded together. A name is a folder (with a slash at its end) or a file, from the root of the repository; a name
 * without an extension is a `.ts` or `.tsx`. `chunks.test.ts` holds each against what is there. The first group that has a file keeps it; what is in
 * none is split by the build.
 */
interface Group {
  name: string;
  files: string[];
  /** Of its folders, what no screen but a few is made of: the build splits it. */
  except?: string[];
  /** Parts of the build's ids of modules that are not ours. */
  others?: string[];
}

const ui = (...names: string[]) => names.map((name) => `packages/ui/src/${name}`);
const client = (...names: string[]) => names.map((name) => `packages/client/src/${name}`);
const domain = (...names: string[]) => names.map((name) => `packages/domain/src/${name}`);
const web = (...names: string[]) => names.map((name) => `apps/web/src/${name}`);

export const groups: Group[] = [
  {
    // A form with rules. Most panels, and the checkout, do without.
    name: "rules",
    files: client("forms/problems", "forms/use-form"),
  },
  {
    // Forms, their messages, and what payments share.
    name: "forms",
    files: [
      ...client("forms/changes", "forms/attempt-keys", "forms/use-action"),
      ...ui("checkbox", "field", "form", "panel", "radio", "radio-rows", "text-input"),
      ...web(
        "lib/attempt-keys",
        "lib/open-payment",
        "features/auth/alert-box",
        "features/checkout/open-order",
        "features/checkout/place",
      ),
    ],
  },
  {
    // What overlays show besides.
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
        "rich-text",
        "scale",
        "menu-rows",
        "tabs",
      ),
      ...client("forms/drafts", "page-number", "use-latch", "use-settled"),
      "packages/domain/src/paging",
      ...web("lib/drafts", "navigation/confirm-leaving", "features/products/format-details", "features/search/recent"),
    ],
  },
  {
    // In the panel of a desktop, and in an overlay on a phone.
    name: "cart",
    files: [
      ...web(
        "features/cart/cart-modal",
        "features/cart/cart-panel",
        "features/cart/cart-panel.module.css",
        "features/cart/cart-lines",
        "features/cart/cart-line",
        "features/cart/cart-line.module.css",
        "features/cart/other-market-banners",
        "features/cart/estimate-total",
      ),
    ],
  },
  {
    // In the header of a desktop, and in an overlay on a phone.
    name: "search",
    files: [
      ...web(
        "features/search/use-search-box",
        "features/search/search-input",
        "features/search/search-input.module.css",
        "features/search/search-list",
        "features/search/search-list.module.css",
        "features/search/use-shown-search",
        "features/search/browse-chips",
        "features/search/browse-chips.module.css",
        "features/search/options",
        "features/search/search-modal",
        "features/search/api",
        "features/search/term",
      ),
    ],
  },
  { name: "totals", files: [...domain("fee-rows", "total-rows", "waived"), ...ui("sums")] },
  {
    // What every screen is made of, and the styles of all of the kit: they are small, and a request each otherwise.
    name: "kit",
    files: ["packages/ui/", "packages/client/", "packages/domain/", "apps/web/src/lib/", "apps/web/src/styles/"],
    except: [
      ...domain(
        "bundle",
        "email-typo",
        "html-text",
        "hub-facts",
        "inbox",
        "order-edit",
        "order-state",
        "subscription",
        "survey",
        "text",
        "wagon-pass",
      ),
      ...ui("theme"),
      ...client("overlays/"),
      ...web("lib/screen-messages"),
    ],
    others: ["vite/preload-helper", "/react-query/build/modern/useMutation"],
  },
  {
    // What overlays and frames share with the shop: otherwise each combination would be a separate file.
    name: "shared",
    files: [
      "packages/contracts/src/calls",
      ...client(
        "overlays/create-overlays",
        "overlays/leave-guard",
        "overlays/overlay-link",
        "overlays/overlay-stack",
        "overlays/titles",
      ),
      ...web(
        "navigation/overlays",
        "navigation/paths",
        "navigation/entry-params",
        "features/session/api",
        "features/hubs/api",
        "features/cart/cart-provider",
        "features/cart/change-queue",
        "features/cart/left-over",
        "features/cart/new-item",
        "features/cart/project",
        "features/cart/use-cart",
        "features/products/api",
        "features/products/format",
        "features/collections/api",
        "features/content/api",
        "features/favorites/api",
        "features/favorites/heart-queue",
        "features/favorites/heart-button",
        "features/info/origin",
        "features/orders/row-amount",
      ),
    ],
  },
  {
    // The login's form, in the shop and in frames.
    name: "login",
    files: web(
      "features/auth/api",
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
      ...web(
        "features/auth/login-modal",
        "features/checkout/",
        "features/frame-host/",
        "features/inbox/message-button",
        "features/info/badge",
        "features/info/badge.module.css",
        "features/share/share-button",
        "features/share/targets",
        "features/subscriptions/api",
        "features/subscriptions/format",
      ),
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
  {
    name: "frame",
    files: web(
      "frames/shell/account-forms",
      "frames/shell/host",
      "frames/shell/use-account",
      "frames/shell/use-session-news",
    ),
  },
];

const root = fileURLToPath(new URL("../../../", import.meta.url)).replaceAll("\\", "/");

/** Whether a name of a group means this file, a path from the root. */
export const isNamed = (name: string, path: string): boolean =>
  name.endsWith("/") ? path.startsWith(name) : path === name || path === `${name}.ts` || path === `${name}.tsx`;

/** Whether a module is in a group, by the build's id of it. */
export function isInGroup({ files, except = [], others = [] }: Group, id: string): boolean {
  const path = id.replaceAll("\\", "/").replace(/\?.*/, "");
  if (others.some((part) => path.includes(part))) return true;
  if (!path.startsWith(root)) return false;
  const isIn = (names: string[]) => names.some((name) => isNamed(name, path.slice(root.length)));
  return isIn(files) && !isIn(except);
}
