import { Readable } from "node:stream";

import type { FastifyInstance, FastifyRequest } from "fastify";
import type { SitemapItemLoose } from "sitemap";

import type { Deps } from "../../deps.ts";
import { withoutInventory } from "../../lib/cache.ts";
import { marketDate } from "../hubs/market-date.ts";
import { type PublicPlace, findPublicPlaces } from "./discovery-sql.ts";

/** Pages that do not depend on the catalog. */
const FIXED = [
  "/shop",
  "/collections",
  "/vendors",
  "/bundles",
  "/hubs",
  "/about",
  "/blog",
  "/help",
  "/contact-us",
  "/faq",
  "/jobs",
  "/driver-application",
  "/join",
  "/terms",
  "/privacy",
  "/gift-card",
  "/wagon-pass",
];

/** Paths closed to search engines: personal pages, frames, API calls and searches. */
const PRIVATE = [
  "/api/",
  "/embed/",
  "/answer/",
  "/farm/",
  "/unsubscribe/",
  "/account",
  "/admin",
  "/favorites",
  "/inbox",
  "/login",
  "/more",
  "/order-complete/",
  "/password-reset/",
  "/profile",
  "/search",
  "/subscription",
  "/support",
];

const itemOf = ({ path, changed_at }: PublicPlace): SitemapItemLoose => ({
  url: path,
  ...(changed_at && { lastmod: changed_at.toISOString() }),
});

/** All public URLs as XML (https://www.sitemaps.org); `base` is the origin of the market. */
async function sitemapOf(deps: Deps, base: string, now: Date): Promise<string> {
  const places = await findPublicPlaces(deps.readDb, await marketDate(deps, now));
  const items: SitemapItemLoose[] = [...FIXED.map((url) => ({ url })), ...places.map(itemOf)];
  // Loaded with the first sitemap: a start is quicker without it.
  const { SitemapStream, streamToPromise } = await import("sitemap");
  const stream = new SitemapStream({
    hostname: base,
    xmlns: { news: false, xhtml: false, image: false, video: false },
  });
  return (await streamToPromise(Readable.from(items).pipe(stream))).toString("utf8");
}

const robotsOf = (base: string): string =>
  [
    "User-agent: *",
    ...PRIVATE.map((path) => `Disallow: ${path}`),
    "Allow: /",
    "",
    `Sitemap: ${base}/sitemap.xml`,
    "",
  ].join("\n");

/** The app manifest (https://www.w3.org/TR/appmanifest). */
const manifestOf = (name: string) => ({
  id: "/",
  name,
  short_name: name.length > 12 ? name.slice(0, 12).trim() : name,
  description: `${name}: an online farmers market that delivers.`,
  start_url: "/shop",
  scope: "/",
  display: "standalone",
  lang: "en",
  background_color: "#FAF6EC",
  theme_color: "#FAF6EC",
  categories: ["food", "shopping"],
  icons: [
    { src: "/assets/icon-192-1.png", sizes: "192x192", type: "image/png", purpose: "any" },
    { src: "/assets/icon-512-1.png", sizes: "512x512", type: "image/png", purpose: "any" },
    { src: "/assets/icon-maskable-1.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
  ],
  shortcuts: [
    { name: "Quick Shop", url: "/favorites" },
    { name: "Markets", url: "/hubs" },
  ],
});

/** sitemap.xml, robots.txt and the app manifest. */
export function discoveryRoutes(app: FastifyInstance, deps: Deps): void {
  const baseOf = (request: FastifyRequest) => deps.env.publicUrl ?? `${request.protocol}://${request.host}`;
  // Without PUBLIC_URL the origin is taken from the request: shared caches must not store it.
  const cacheControl = deps.env.publicUrl === null ? "no-store" : "public, max-age=3600";
  const open = { config: { session: "none" }, schema: { hide: true } } as const;

  app.get("/sitemap.xml", open, async (request, reply) => {
    const base = baseOf(request);
    const { value } = await deps.cache.get(null, `sitemap:${base}`, () => sitemapOf(deps, base, request.now), {
      ...withoutInventory,
      dependsOn: ["listing", "bundle", "content"],
      isCacheable: () => deps.env.publicUrl !== null,
    });
    return reply.header("cache-control", cacheControl).type("application/xml; charset=utf-8").send(value);
  });
  app.get("/robots.txt", open, async (request, reply) =>
    reply
      .header("cache-control", cacheControl)
      .type("text/plain; charset=utf-8")
      .send(robotsOf(baseOf(request))),
  );
  app.get("/manifest.webmanifest", open, async (_request, reply) =>
    reply
      .header("cache-control", "public, max-age=3600")
      .type("application/manifest+json; charset=utf-8")
      .send(JSON.stringify(manifestOf(deps.env.marketName))),
  );
  // Browsers and bots request it without a link.
  app.get("/favicon.ico", open, async (_request, reply) => reply.redirect("/assets/icon-32-1.png", 302));
}
