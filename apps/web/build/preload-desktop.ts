import type { HtmlTagDescriptor, Plugin } from "vite";

/** What `app/desktop-code.ts` loads apart. */
const PARTS = ["app/side-panel.tsx", "features/search/search-field.tsx", "app/footer.tsx"];
const DESKTOP = "(min-width: 1024px)";

/**
 * Names in the shop's page the files that only a desktop needs: it loads them with the others, and the service worker, which keeps
 * the files that a page names, has them for a desktop without a network.
 */
export function preloadDesktop(): Plugin {
  return {
    name: "marketday:preload-desktop",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (_html, { bundle = {}, chunk: entry, path }) => {
        if (!entry || !path.endsWith("/index.html")) return;
        const reach = (file: string, found = new Set<string>()): Set<string> => {
          const chunk = bundle[file];
          if (chunk?.type !== "chunk" || found.has(file)) return found;
          found.add(file);
          for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
          for (const next of chunk.imports) reach(next, found);
          return found;
        };
        const first = reach(entry.fileName);
        const parts = Object.values(bundle).filter(
          (part) => part.type === "chunk" && PARTS.some((name) => part.facadeModuleId?.endsWith(`/src/${name}`)),
        );
        if (parts.length !== PARTS.length) throw new Error("A part of the desktop is no chunk of the build.");
        const files = new Set(parts.flatMap(({ fileName }) => [...reach(fileName)]));
        return [...files]
          .filter((file) => !first.has(file))
          .toSorted()
          .map((file): HtmlTagDescriptor => {
            const kind = file.endsWith(".css") ? { rel: "preload", as: "style" } : { rel: "modulepreload" };
            return {
              tag: "link",
              attrs: { ...kind, media: DESKTOP, crossorigin: true, href: `/${file}` },
              injectTo: "head",
            };
          });
      },
    },
  };
}
