import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression } from "vite-plugin-compression2";

import { bootFromServer } from "./build/boot-from-server.ts";
import { iconSprite } from "./build/icon-sprite.ts";
import { layerOrder } from "./build/layer-order.ts";
import { preloadFonts } from "./build/preload-fonts.ts";
import web from "./package.json" with { type: "json" };

/** Where `vite dev` finds the server that answers `/api` and `/img`, and paints the pages' data. */
const server = process.env["API_URL"] ?? "http://localhost:3000";
const forwarded = { target: server, changeOrigin: false };
/** Forms of plain pages (a vendor's answer, the way out of mails); pages are fetched by `bootFromServer`. */
const sent = {
  ...forwarded,
  bypass: ({ method, url }: { method?: string; url?: string }) =>
    method === "GET" || method === "HEAD" ? url : undefined,
};

/** The oldest browsers (docs/decisions/0022) as the build takes them: `safari16`. Syntax and styles that are younger are rewritten. */
const oldestBrowsers = web.browserslist.map((query) => query.replace(" >= ", ""));

/** What every screen is made of. */
const KIT = /vite[\\/]preload-helper|[\\/](apps[\\/]web[\\/]src[\\/](lib|styles)|packages[\\/](domain|ui))[\\/]/;
/** Of that, what neither the shop nor the checkout is made of. */
const PANELS =
  /(packages[\\/]ui[\\/]src[\\/](character-count|controls|detail|entries|pagination|picture-controls|prose|radio-chips|rich-text|scale)|lib[\\/](page-number|use-draft|use-form-draft))\.tsx?$/;
/** Of that, what the shop's first view does without: forms, their messages, and what payments share. */
const FORMS =
  /(packages[\\/]ui[\\/]src[\\/](checkbox|field|form|panel|radio|radio-rows|sums|text-input)|lib[\\/](changes|new-key|open-payment|use-action)|features[\\/](auth[\\/]alert-box|checkout[\\/](open-order|place)))\.tsx?$/;
/** The login's form, in the shop and in frames. */
const LOGIN = /features[\\/]auth[\\/](auth\.module|draft|finish|login-form|wording)\./;
/** What a purchase opens besides the product: few files, which are prefetched together (`app/preload.ts`). */
const PURCHASE =
  /features[\\/](auth[\\/]login-modal|cart[\\/]cart-modal|checkout[\\/]|frame-host[\\/]|inbox[\\/]message-button|info[\\/]badge\.|search[\\/](search-modal|search-list|browse-chips)|share[\\/](share-button|targets)|subscriptions[\\/](api|format)\.)|packages[\\/](contracts[\\/]src[\\/]frame|domain[\\/]src[\\/]subscription)\.ts$/;
/** Of that, what only a chunk or two are made of. */
const ELSEWHERE =
  /(packages[\\/]domain[\\/]src[\\/](email-typo|inbox|order-edit|order-state|paging|total-rows|subscription|survey|text|wagon-pass)|lib[\\/]screen-messages)\.ts$/;

export default defineConfig({
  plugins: [
    react(),
    iconSprite(new URL("../../packages/ui/src/icon/sprite.svg", import.meta.url)),
    bootFromServer(server),
    layerOrder(),
    preloadFonts(),
    compression({
      algorithms: ["gzip", "brotliCompress"],
      include: /\.(js|css|svg|json|webmanifest)$/,
      threshold: 256,
    }),
  ],
  server: {
    port: 5173,
    proxy: { "/api": forwarded, "/img": forwarded, "/version.json": forwarded, "^/(?!@)": sent },
  },
  build: {
    // The server reads it to preload an overlay's chunk together with the page that opens it.
    manifest: true,
    assetsDir: "assets",
    // A small file inlined as a data: URL would need `data:` in the policy; the sprite and the fonts are files.
    assetsInlineLimit: 0,
    // The polyfill is an inline script in every page; without it Safari 16 loads the same files later.
    modulePreload: { polyfill: false },
    cssCodeSplit: true,
    rolldownOptions: {
      // The shop, and the pages shown inside it (checkout …), which leave out its shell.
      input: ["index.html", "embed.html"],
      output: {
        // Few files for the first view: what changes with a release of a library, what every screen is made of, the rest.
        codeSplitting: {
          // A group is what it names; what else its modules import is split as usual.
          includeDependenciesRecursively: false,
          groups: [
            {
              name: "vendor",
              test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router|react-error-boundary|@tanstack)[\\/]/,
            },
            {
              name: "kit",
              test: (id: string) => KIT.test(id) && !PANELS.test(id) && !FORMS.test(id) && !ELSEWHERE.test(id),
            },
            {
              // What overlays and frames share with the shop: otherwise each combination would be a separate file.
              name: "shared",
              test: /src[\\/](navigation[\\/](overlay-stack|paths|entry-params|leave-guard|use-navigation|overlay-link)|features[\\/](session[\\/]api|hubs[\\/](api|week)|cart[\\/](cart-provider|change-queue|left-over|new-item|project|use-cart)|products[\\/](api|format)|favorites[\\/](api|heart-queue|heart-button)|collections[\\/]api|content[\\/]api|info[\\/]origin|orders[\\/]row-amount))\.tsx?$|contracts[\\/]src[\\/]calls\.ts$/,
            },
            { name: "forms", test: FORMS },
            { name: "panels", test: PANELS },
            { name: "login", test: LOGIN },
            { name: "purchase", test: PURCHASE },
            {
              name: "address",
              test: /features[\\/]account[\\/](address|fulfillment|fulfillment-rows|zip-place)\.tsx?$/,
            },
            {
              name: "frame",
              test: /src[\\/]frames[\\/]shell[\\/](account-forms|host|use-account|use-session-news)\.tsx?$/,
            },
          ],
        },
      },
    },
    target: oldestBrowsers,
  },
});
