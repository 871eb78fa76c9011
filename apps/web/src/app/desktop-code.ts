import { lazyWithRetry } from "@marketday/client/lazy-with-retry.tsx";

/** What a desktop shows beside, above and below the page: a phone, which opens cart and search over it, does not wait for this code. */
export const SidePanel = lazyWithRetry(() => import("./side-panel.tsx"));
export const SearchField = lazyWithRetry(() => import("../features/search/search-field.tsx"));
export const Footer = lazyWithRetry(() => import("./footer.tsx"));

/** Each is loaded before the first view of a desktop is rendered. */
export const desktopCode = [SidePanel.load, SearchField.load, Footer.load];
