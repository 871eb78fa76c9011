import { fileURLToPath } from "node:url";

/**
 * Which files are loaded together. A name is a folder (with a slash at its end) or a file, from the root of the repository; a name
 * without an extension is a `.ts` or `.tsx`. `chunks.test.ts` holds each against what is there. The first group that has a file keeps it; what is in
 * none is split by the build.
 */
interface Group {
  name: string;
  /** Only those of them that a page loads before anything is opened. */
  isInitial?: true;
  files: string[];
  /** Parts of the build's ids of modules that are not ours. */
  others?: string[];
}

const ui = (...names: string[]) => names.map((name) => `packages/ui/src/${name}`);
const client = (...names: string[]) => names.map((name) => `packages/client/src/${name}`);
const web = (...names: string[]) => names.map((name) => `apps/web/src/${name}`);

export const groups: Group[] = [
  {
    // What every screen is made of.
    name: "kit",
    isInitial: true,
    files: ["packages/ui/", "packages/client/", "packages/domain/", "apps/web/src/lib/", "apps/web/src/styles/"],
    others: ["vite/preload-helper"],
  },
  {
    // Forms, their messages, and what payments share.
    name: "forms",
    files: [
      ...client("forms/"),
      ...ui("checkbox", "field", "form", "panel", "radio", "radio-rows", "sums", "text-input"),
      ...web("lib/open-payment", "features/auth/alert-box", "features/checkout/open-order", "features/checkout/place"),
    ],
    others: ["/react-query/build/modern/useMutation", "/query-core/build/modern/mutationObserver"],
  },
  // What overlays show besides.
  { name: "panels", files: ["packages/ui/", "packages/client/", "packages/domain/src/paging", "apps/web/src/lib/drafts"] },
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
  { name: "cart", files: ["apps/web/src/features/cart/", "apps/web/src/features/hubs/switch-hub"] },
  { name: "search", files: ["apps/web/src/features/search/"] },
  {
    // What a purchase opens besides the product: few files, which are prefetched together (`app/preload.ts`).
    name: "purchase",
    files: [
      "packages/contracts/src/frame",
      "packages/domain/src/subscription",
      ...web("features/auth/login-modal", "features/checkout/", "features/frame-host/"),
      ...web("features/inbox/message-button", "features/info/badge", "features/info/badge.module.css"),
      ...web("features/share/share-button"),
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

/** Whether a module is in a group, by the build's id of it. */
export function isInGroup({ files, others = [] }: Group, id: string): boolean {
  const path = id.replaceAll("\\", "/").replace(/\?.*/, "");
  if (others.some((part) => path.includes(part))) return true;
  return path.startsWith(root) && files.some((name) => isNamed(name, path.slice(root.length)));
}
