import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Boot } from "@marketday/contracts/boot";

import { html, type Html, scriptJson } from "../../lib/html.ts";
import { sha256 } from "../../lib/tokens.ts";

/** A source file of `apps/web`. Written as a whole, so that `scripts/architecture.test.ts` finds it. */
export type WebFile = `src/${string}.tsx`;

/** The head of a page, and its static fallback. */
export interface PageHead {
  status: number;
  title: string;
  description: string;
  /** Canonical path; null for private and missing pages. */
  canonical: string | null;
  /** False for personal and missing pages, which are not indexed. */
  index: boolean;
  /** Path of the share card's picture; null: the market's default picture. */
  image: string | null;
  /** The type of the share card (https://ogp.me). */
  kind: "website" | "article" | "product";
  jsonLd: Record<string, unknown> | null;
  /** Static fallback: plain HTML, shown until the app has rendered. */
  fallback: Html;
  /** Source file of the lazy chunk of the page, which is preloaded with the app; null: none. */
  chunk: WebFile | null;
}

const meta = (name: string, content: string, attribute: "name" | "property" = "name") =>
  html`<meta ${attribute}="${name}" content="${content}">`;

/** The built HTML of the web app, read once, with placeholders that the server fills. */
export interface Shell {
  /** The id of the build, also in `/version.json`. */
  build: string;
  /** A page up to the data of its shopper. `framed`: shown in a frame inside the app, which has its own entry point. */
  renderStart(head: PageHead, boot: Boot, base: string, framed: boolean): string;
  /** The rest of the page: the data of its shopper. */
  renderEnd(boot: Boot, framed: boolean): string;
}

const WELCOME = "src/features/hubs/welcome-modal.tsx";

interface Chunk {
  file: string;
  imports?: string[];
  css?: string[];
}

/** Preload tags of a lazy chunk and its imports, without those that the app loads anyway. */
function preloadsOf(dist: string): (source: WebFile) => Html[] {
  let manifest: Record<string, Chunk> = {};
  try {
    manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8")) as Record<string, Chunk>;
  } catch {
    // Without a manifest the app loads the chunk later.
  }
  const collect = (key: string, into: Set<string>): Set<string> => {
    const chunk = manifest[key];
    if (!chunk || into.has(key)) return into;
    into.add(key);
    for (const imported of chunk.imports ?? []) collect(imported, into);
    return into;
  };
  const base = collect("index.html", new Set());
  const cache = new Map<string, Html[]>();
  // One tag per file, so that the tags of two chunks can be compared.
  const tagsOfFiles = new Map<string, Html>();
  const tagOf = (rel: "modulepreload" | "stylesheet", file: string): Html => {
    const tag = tagsOfFiles.get(file) ?? html`<link rel="${rel}" href="/${file}">`;
    tagsOfFiles.set(file, tag);
    return tag;
  };
  return (source) => {
    let tags = cache.get(source);
    if (!tags) {
      const chunks = [...collect(source, new Set())]
        .filter((key) => !base.has(key))
        .flatMap((key) => manifest[key] ?? []);
      tags = [
        ...chunks.map(({ file }) => tagOf("modulepreload", file)),
        ...[...new Set(chunks.flatMap(({ css }) => css ?? []))].map((file) => tagOf("stylesheet", file)),
      ];
      cache.set(source, tags);
    }
    return tags;
  };
}

/** Null if the web app is not built. `dist` is its output folder. */
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
  /** What is before, between and after the placeholders. */
  const split = (page: string) => {
    const [beforeHead = "", beforeFallback = "", beforeBoot = "", end = ""] =
      page.split(/<!--(?:head|fallback|boot)-->/);
    return { beforeHead, beforeFallback, beforeBoot, end };
  };
  const [app, frame] = [split(template), split(frameTemplate)];
  const script = (id: string, value: unknown) =>
    html`<script type="application/json" id="${id}">${scriptJson(value)}</script>`;
  return {
    build: sha256(template + frameTemplate).slice(0, 12),
    renderStart(head, boot, base, framed) {
      // The Welcome dialog opens on the first visit.
      const showsWelcome = !framed && boot.session?.hubId === null;
      const tags = [
        html`<title>${head.title}</title>`,
        meta("description", head.description),
        ...(head.canonical ? [html`<link rel="canonical" href="${base + head.canonical}">`] : []),
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
              html`<link rel="manifest" href="/manifest.webmanifest">`,
              html`<link rel="apple-touch-icon" href="/assets/icon-180-1.png">`,
            ]),
        ...(head.jsonLd ? [html`<script type="application/ld+json">${scriptJson(head.jsonLd)}</script>`] : []),
        ...new Set([...(head.chunk ? preloads(head.chunk) : []), ...(showsWelcome ? preloads(WELCOME) : [])]),
      ];
      const { now: _now, session: _session, profile: _profile, cart: _cart, ...common } = boot;
      const { beforeHead, beforeFallback, beforeBoot } = framed ? frame : app;
      return `${beforeHead}${tags.join("\n    ")}${beforeFallback}${head.fallback.toString()}${beforeBoot}${script("boot", common).toString()}`;
    },
    renderEnd({ now, session, profile, cart }, framed) {
      return script("own", { now, session, profile, cart }).toString() + (framed ? frame : app).end;
    },
  };
}
