import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression } from "vite-plugin-compression2";

import { bootFromServer } from "./build/boot-from-server.ts";
import { groups, isInGroup } from "./build/chunks.ts";
import { iconSprite } from "./build/icon-sprite.ts";
import { layerOrder } from "./build/layer-order.ts";
import { preloadDesktop } from "./build/preload-desktop.ts";
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

export default defineConfig({
  plugins: [
    react(),
    iconSprite(new URL("../../packages/ui/src/icon/sprite.svg", import.meta.url)),
    bootFromServer(server),
    layerOrder(),
    preloadFonts(),
    preloadDesktop(),
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
      optimization: { inlineConst: true },
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
              // Of the libraries, only what the first view is made of.
              tags: ["$initial" as const],
              test: /[\\/]node_modules[\\/](react|react-dom|scheduler|react-router|react-error-boundary|@tanstack)[\\/]/,
            },
            ...groups.map((group) => ({
              name: group.name,
              test: (id: string) => isInGroup(group, id),
            })),
          ],
        },
      },
    },
    target: oldestBrowsers,
  },
});
