import { readFileSync } from "node:fs";

import type { Plugin } from "vite";

/**
 * Puts the icon symbols of `files` into the page in place of `<!--icons-->`, so that the server-rendered first view and the app
 * use the same drawings and no request is made for them.
 */
export function iconSprite(...files: URL[]): Plugin {
  return {
    name: "marketday:icon-sprite",
    transformIndexHtml(html) {
      const svg = files.map((file) => readFileSync(file, "utf8").replace(/>\s+</g, "><").trim()).join("");
      return html.replace("<!--icons-->", svg);
    },
  };
}
