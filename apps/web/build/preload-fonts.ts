import type { Plugin } from "vite";

/** Preloads the fonts in every page of an app at `base`. Only in a build: a development page gets them a moment later, from their package. */
export function preloadFonts(base = "/"): Plugin {
  return {
    name: "marketday:preload-fonts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { bundle = {} }) => {
        const links = Object.keys(bundle)
          .filter((file) => file.endsWith(".woff2"))
          .toSorted()
          .map((file) => `<link rel="preload" href="${base}${file}" as="font" type="font/woff2" crossorigin />`);
        return html.replace("<!--fonts-->", links.join("\n    "));
      },
    },
  };
}
