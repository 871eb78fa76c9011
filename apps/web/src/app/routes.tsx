import { whenIdle } from "@marketday/client/idle.ts";
import { lazyWithRetry, type LazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";
import type { Targets } from "@marketday/client/overlays/create-overlays.tsx";
import { isSlowLine } from "@marketday/client/slow-line.ts";
import type { QueryClient } from "@tanstack/react-query";
import { type ComponentType, isValidElement, type ReactElement } from "react";
import { matchPath, Navigate } from "react-router";

import { collectionPageQuery } from "../features/collections/api.ts";
import { productQuery } from "../features/products/api.ts";
import { readShopper } from "../features/session/api.ts";
import { ShopPage } from "../features/shop/shop-page.tsx";
import { VendorRedirect } from "../features/vendors/vendor-redirect.tsx";
import type { Modal } from "../navigation/modals.ts";
import { paths } from "../navigation/paths.ts";
import { modals } from "./modals.tsx";

/** Pages and overlays by address: spec §2.1 as one table. What is not in it is /404. */
export interface PageRoute {
  path: string;
  element: ReactElement;
  /** Also shown without a market: the welcome overlay does not come first. */
  publicPage?: true;
}

export interface OverlayRoute {
  path: string;
  size: "page" | "panel";
  /** Also shown without a market: the welcome overlay does not come first. */
  publicPage?: true;
  /** The code, split off; `Content.load` fetches it when a pointer comes near a link. */
  Content: LazyWithRetry<object>;
  /** The data, fetched together with the code. */
  prefetch?: (client: QueryClient, hubId: number | null, key: string) => void;
}

type Load = () => Promise<{ default: ComponentType }>;
const overlay = ({ load, ...route }: Omit<OverlayRoute, "Content"> & { load: Load }): OverlayRoute => ({
  ...route,
  Content: lazyWithRetry(load),
});

const NotFoundPage = lazyWithRetry(() => import("../features/not-found/not-found-page.tsx"));
const OrderCompletePage = lazyWithRetry(() => import("../features/orders/order-complete-page.tsx"));
const HubsPage = lazyWithRetry(() => import("../features/hubs/hubs-page.tsx"));
const HubPage = lazyWithRetry(() => import("../features/hubs/hub-page.tsx"));
const CollectionsPage = lazyWithRetry(() => import("../features/collections/collections-page.tsx"));
const MorePage = lazyWithRetry(() => import("../features/more/more-page.tsx"));

const VendorsPage = lazyWithRetry(() => import("../features/vendors/vendors-page.tsx"));
const BundlesPage = lazyWithRetry(() => import("../features/bundles/bundles-page.tsx"));

const FavoritesPage = lazyWithRetry(() => import("../features/favorites/favorites-page.tsx"));
const NextBoxesPage = lazyWithRetry(() => import("../features/subscriptions/next-boxes-page.tsx"));
const ResetPage = lazyWithRetry(() => import("../features/auth/reset-page.tsx"));
const SearchPage = lazyWithRetry(() => import("../features/search/search-page.tsx"));

const InboxPage = lazyWithRetry(() => import("../features/inbox/inbox-page.tsx"));
const SupportPage = lazyWithRetry(() => import("../features/support/support-page.tsx"));
const AboutPage = lazyWithRetry(() => import("../features/content/about-page.tsx"));
const BlogPage = lazyWithRetry(() => import("../features/content/blog-page.tsx"));
const PostPage = lazyWithRetry(() => import("../features/content/post-page.tsx"));
const HelpPage = lazyWithRetry(() => import("../features/content/help-page.tsx"));
const FaqPage = lazyWithRetry(() => import("../features/content/faq-page.tsx"));
const JobsPage = lazyWithRetry(() => import("../features/content/jobs-page.tsx"));
const DriverApplicationPage = lazyWithRetry(() => import("../features/content/driver-application-page.tsx"));

const toShop = <Navigate to={paths.shop} replace />;

export const pageRoutes: PageRoute[] = [
  { path: "/", element: toShop },
  { path: "/login", element: toShop },
  { path: "/products", element: toShop },
  { path: "/shop", element: <ShopPage /> },
  { path: "/more", element: <MorePage /> },
  { path: "/vendors", element: <VendorsPage /> },
  { path: "/bundles", element: <BundlesPage /> },
  {
    path: "/collections",
    element: (
      <VendorRedirect>
        <CollectionsPage />
      </VendorRedirect>
    ),
  },
  { path: "/hubs", element: <HubsPage />, publicPage: true },
  { path: "/hubs/:id", element: <HubPage />, publicPage: true },
  { path: "/order-complete/:orderId", element: <OrderCompletePage /> },
  { path: "/search", element: <SearchPage /> },
  { path: "/favorites", element: <FavoritesPage /> },
  { path: "/inbox", element: <InboxPage />, publicPage: true },
  { path: "/support", element: <SupportPage />, publicPage: true },
  { path: "/about", element: <AboutPage />, publicPage: true },
  { path: "/blog", element: <BlogPage />, publicPage: true },
  { path: "/blog/:slug", element: <PostPage />, publicPage: true },
  { path: "/help", element: <HelpPage />, publicPage: true },
  { path: "/faq", element: <FaqPage />, publicPage: true },
  { path: "/jobs", element: <JobsPage />, publicPage: true },
  { path: "/driver-application", element: <DriverApplicationPage />, publicPage: true },
  { path: "/next-boxes", element: <NextBoxesPage /> },
  { path: "/password-reset", element: <ResetPage />, publicPage: true },
  { path: "/password-reset/:jwt", element: <ResetPage />, publicPage: true },
  { path: "*", element: <NotFoundPage /> },
];

const loadProduct = () => import("../features/products/product-panel.tsx");
const prefetchProduct = (client: QueryClient, hubId: number | null, key: string) =>
  void client.prefetchQuery(productQuery(hubId, key));

/** Queries that come with their screens: the first view does without. */
const vendors = () => import("../features/vendors/api.ts");
const bundles = () => import("../features/bundles/api.ts");
const prefetchBy = <M,>(load: () => Promise<M>, run: (api: M) => unknown) =>
  void load()
    .then(run)
    .catch(() => undefined);

const loadProfile = () => import("../features/account/profile-panel.tsx");

export const overlayRoutes: OverlayRoute[] = [
  overlay({ path: "/product/:slug", size: "page", load: loadProduct, prefetch: prefetchProduct }),
  overlay({ path: "/products/:slug", size: "page", load: loadProduct, prefetch: prefetchProduct }),
  overlay({
    path: "/collections/:slug",
    size: "panel",
    load: () => import("../features/collections/collection-panel.tsx"),
    prefetch: (client, hubId, slug) => void client.prefetchQuery(collectionPageQuery(hubId, slug, 1)),
  }),
  overlay({
    path: "/collections/vendor/:slug",
    size: "panel",
    load: () => import("../features/vendors/vendor-store-panel.tsx"),
    prefetch: (client, hubId, key) => prefetchBy(vendors, (api) => api.prefetchVendorStore(client, hubId, key)),
  }),
  overlay({
    path: "/vendors/:slug",
    size: "panel",
    load: () => import("../features/vendors/vendor-panel.tsx"),
    prefetch: (client, hubId, key) => prefetchBy(vendors, (api) => api.prefetchVendor(client, hubId, key)),
  }),
  overlay({
    path: "/bundles/:slug",
    size: "page",
    load: () => import("../features/bundles/bundle-panel.tsx"),
    prefetch: (client, hubId, slug) => prefetchBy(bundles, (api) => client.prefetchQuery(api.bundleQuery(hubId, slug))),
  }),
  overlay({ path: "/profile", size: "panel", publicPage: true, load: loadProfile }),
  overlay({ path: "/account", size: "panel", publicPage: true, load: loadProfile }),
  overlay({
    path: "/subscription",
    size: "panel",
    load: () => import("../features/subscriptions/subscription-panel.tsx"),
  }),
  overlay({
    path: "/inbox/:id",
    size: "panel",
    publicPage: true,
    load: () => import("../features/inbox/thread-panel.tsx"),
  }),
  overlay({
    path: "/gift-card",
    size: "panel",
    load: () => import("../features/gift-cards/gift-card-overlay.tsx"),
  }),
  overlay({
    path: "/wagon-pass",
    size: "panel",
    load: () => import("../features/wagon-pass/wagon-pass-overlay.tsx"),
  }),
  overlay({
    path: "/join",
    size: "panel",
    publicPage: true,
    load: () => import("../features/content/join-overlay.tsx"),
  }),
  overlay({
    path: "/contact-us",
    size: "panel",
    publicPage: true,
    load: () => import("../features/content/contact-us-overlay.tsx"),
  }),
  overlay({
    path: "/terms",
    size: "panel",
    publicPage: true,
    load: () => import("../features/content/terms-overlay.tsx"),
  }),
  overlay({
    path: "/privacy",
    size: "panel",
    publicPage: true,
    load: () => import("../features/content/privacy-overlay.tsx"),
  }),
];

type Found = { route: OverlayRoute; key: string } | null;

/** By address: one tap asks a dozen times, and every question is an expression for each route. */
const found = new Map<string, Found>();

export function findOverlay(pathname: string): Found {
  const known = found.get(pathname);
  if (known !== undefined) return known;
  let answer: Found = null;
  for (const route of overlayRoutes) {
    const match = matchPath(route.path, pathname);
    if (!match) continue;
    answer = { route, key: match.params["slug"] ?? "" };
    break;
  }
  found.set(pathname, answer);
  return answer;
}

/** The split-off code in an element, or in what it holds. */
function loadOf({ type, props }: ReactElement): (() => Promise<void>) | null {
  if (typeof type === "function" && "load" in type) return type.load as () => Promise<void>;
  const { children } = props as { children?: unknown };
  return isValidElement(children) ? loadOf(children) : null;
}

/** Fetches the code of a page or overlay. Null: it came with the app. */
export function loadCodeOf(pathname: string): (() => Promise<void>) | null {
  const overlay = findOverlay(pathname);
  if (overlay) return overlay.route.Content.load;
  const page = pageRoutes.find(({ path }) => matchPath(path, pathname) !== null);
  return page ? loadOf(page.element) : null;
}

const hasPage = (pathname: string): boolean =>
  pageRoutes.some(({ path }) => path !== "*" && matchPath(path, pathname) !== null);

/** Whether a page needs a market: without one the welcome overlay comes first. */
export const needsPlace = (pathname: string): boolean =>
  pageRoutes.some(({ path, publicPage }) => path !== "*" && !publicPage && matchPath(path, pathname) !== null);

/** Whether a path is shown without a market, before the welcome overlay. */
export const isPublicPage = (pathname: string): boolean => {
  const overlay = findOverlay(pathname);
  return overlay ? overlay.route.publicPage === true : !needsPlace(pathname);
};

/** What the navigation can open. */
export const createTargets = (client: QueryClient): Targets<Modal> => ({
  isOverlay: (pathname) => findOverlay(pathname) !== null,
  hasPage,
  hasModal: (kind) => modals[kind] !== undefined,
  prefetch: (to) => {
    const found = findOverlay(to.split(/[?#]/)[0] ?? to);
    if (!found || isSlowLine()) return;
    void found.route.Content.load();
    // While the finger is still down: prefetching must not delay the response to the tap.
    whenIdle(() => found.route.prefetch?.(client, readShopper(client).hubId, found.key), 0);
  },
});
