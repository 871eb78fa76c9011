import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { compression } from "vite-plugin-compression2";

import { iconSprite } from "../web/build/icon-sprite.ts";
import { layerOrder } from "../web/build/layer-order.ts";
import { preloadFonts } from "../web/build/preload-fonts.ts";
import web from "../web/package.json" with { type: "json" };

/** Where `vite dev` finds the server that answers `/api` and `/img`. */
const server = process.env["API_URL"] ?? "http://localhost:3000";
const forwarded = { target: server, changeOrigin: false };

/** The admin app, built apart from the shop and served below `/admin`. */
export default defineConfig({
  base: "/admin/",
  plugins: [
    react(),
    iconSprite(
      new URL("../../packages/ui/src/icon/sprite.svg", import.meta.url),
      new URL("../../packages/ui/src/icon/admin-sprite.svg", import.meta.url),
    ),
    layerOrder(),
    preloadFonts("/admin/"),
    compression({ algorithms: ["gzip", "brotliCompress"], include: /\.(js|css|svg|json)$/, threshold: 256 }),
  ],
  server: { port: 5175, proxy: { "/api": forwarded, "/img": forwarded, "/assets": forwarded } },
  build: {
    manifest: true,
    assetsDir: "assets",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: web.browserslist.map((query) => query.replace(" >= ", "")),
  },
});
