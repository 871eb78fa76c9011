import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Boot } from "@marketday/contracts/boot";

import { sha256 } from "../../lib/tokens.ts";

/** What a page says of itself to browsers, crawlers and people without script. */
export interface PageHead {
  status: number;
  title: string;
  description: string;
  /** Path of the one address of this content; null: none of its own (private or missing). */
  canonical: string | null;
  /** Personal or missing pages stay out of search engines. */
  index: boolean;
  /** Path of the picture of its share card; null: the market's own. */
  image: string | null;
  /** What it is to those who show share cards (https://ogp.me). */
  kind: "website" | "article" | "product";
  jsonLd: Record<string, unknown> | null;
  /** Plain HTML shown until the app has painted. */
  postcard: string;
  /** Source file of the lazy chunk this address needs, fetched along with the app; null: none. */
  chunk: string | null;
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char] ?? char);

/** JSON that can stand inside a script element. */
const scriptJson = (value: unknown) =>
  JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

const meta = (name: string, content: string, attribute: "name" | "property" = "name") =>
  `<meta ${attribute}="${name}" content="${escapeHtml(content)}">`;

/** The built page of the web app, read once, with the places the server fills. */
export interface Shell {
  /** Names the build: `/version.json` and the app's own say the same. */
  build: string;
  /** `framed`: one of the pages shown inside the app, which have an entry of their own. */
  render(head: PageHead, boot: Boot, base: string, framed: boolean): string;
}

const WELCOME = "src/features/hubs/welcome-modal.tsx";

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

/** Tags that fetch a lazy chunk and what it imports together with the app; what the app itself brings is left out. */
function preloadsOf(dist: string): (source: string) => string[] {
  let manifest: Record<string, Chunk> = {};
  try {
    manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  } catch {
    // Without a manifest the chunk is fetched a moment later.
  }
  const gather = (key: string, into: Set<string>): Set<string> => {
    const chunk = manifest[key];
    if (!chunk || into.has(key)) return into;
    into.add(key);
    for (const imported of chunk.imports ?? []) gather(imported, into);
    return into;
  };
  const base = gather("index.html", new Set());
  const made = new Map<string, string[]>();
  return (source) => {
    let tags = made.get(source);
    if (!tags) {
      const chunks = [...gather(source, new Set())]
        .filter((key) => !base.has(key))
        .flatMap((key) => manifest[key] ?? []);
      tags = [
        ...chunks.map(({ file }) => `<link rel="modulepreload" href="/${file}">`),
        ...[...new Set(chunks.flatMap(({ css }) => css ?? []))].map(
          (file) => `<link rel="stylesheet" href="/${file}">`,
        ),
      ];
      made.set(source, tags);
    }
    return tags;
  };
}

/** Null when the web app is not built. `dist` is its output folder. */
export function loadShell(dist: string): Shell | null {
  let template: string;
  let frameTemplate: string;
  try {
    template = readFileSync(join(dist, "index.html"), "utf8");
    frameTemplate = readFileSync(join(dist, "embed.html"), "utf8");
  } catch {
    return null;
  }
  const preloads = preloadsOf(dist);
  return {
    build: sha256(template + frameTemplate).slice(0, 12),
    render(head, boot, base, framed) {
      // The first visit opens with it; later it would grow over the page.
      const asksForPlace = !framed && boot.session?.hubId === null;
      const tags = [
        `<title>${escapeHtml(head.title)}</title>`,
        meta("description", head.description),
        ...(head.canonical ? [`<link rel="canonical" href="${escapeHtml(base + head.canonical)}">`] : []),
        ...(head.index ? [] : [meta("robots", "noindex")]),
        meta("og:site_name", boot.config.marketName, "property"),
        meta("og:title", head.title, "property"),
        meta("og:description", head.description, "property"),
        meta("og:type", head.kind, "property"),
        ...(head.canonical ? [meta("og:url", base + head.canonical, "property")] : []),
        meta("og:image", base + (head.image ?? "/assets/share-1.jpg"), "property"),
        meta("twitter:card", "summary_large_image"),
        ...(framed
          ? []
          : [
              '<link rel="manifest" href="/manifest.webmanifest">',
              '<link rel="apple-touch-icon" href="/assets/icon-180-1.png">',
            ]),
        ...(head.jsonLd ? [`<script type="application/ld+json">${scriptJson(head.jsonLd)}</script>`] : []),
        ...new Set([...(head.chunk ? preloads(head.chunk) : []), ...(asksForPlace ? preloads(WELCOME) : [])]),
      ];
      return (framed ? frameTemplate : template)
        .replace("<!--head-->", () => tags.join("\n    "))
        .replace("<!--postcard-->", () => head.postcard)
        .replace("<!--boot-->", () => `<script type="application/json" id="boot">${scriptJson(boot)}</script>`);
    },
  };
}
