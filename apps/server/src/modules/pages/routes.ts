import { VENDOR_PRODUCTS_ROWS } from "@marketday/domain/limits";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import { brotliEnd, brotliStart } from "../../lib/brotli.ts";
import { encodingOf } from "../../lib/send-cached.ts";
import { hasBundles, loadBundle, loadBundles, whichBundle } from "../bundles/load-bundles.ts";
import { loadPublishedCollection } from "../collections/load-collections.ts";
import { listHubs } from "../hubs/directory.ts";
import { loadHubMap } from "../hubs/map.ts";
import { loadProduct } from "../products/load-products.ts";
import { loadVendorProducts } from "../vendors/load-store.ts";
import { loadVendor, loadVendors, whichVendor } from "../vendors/load-vendors.ts";
import { accountPages } from "./account-pages.ts";
import { loadBoot } from "./boot.ts";
import { bundleHead, bundlesHead } from "./bundle-meta-tags.ts";
import { discoveryRoutes } from "./discovery.ts";
import { hubHead, hubsHead } from "./hub-meta-tags.ts";
import {
  collectionHead,
  collectionsHead,
  notFoundHead,
  privateHead,
  productHead,
  searchHead,
  shopHead,
} from "./meta-tags.ts";
import { isRendered, type Page, pageNumberOf, pageOrNotFound, type PagesByUrl } from "./page-kinds.ts";
import { giftCardHead, wagonPassHead } from "./purchase-meta-tags.ts";
import type { Shell } from "./shell.ts";
import { staticPagesOf } from "./static-routes.ts";
import { vendorHead, vendorsHead, vendorStoreHead } from "./vendor-meta-tags.ts";

/** The pages by URL; every other URL is the 404 page. `feed`: the page is an overlay of the shop. */
const pagesOf = (deps: Deps): PagesByUrl => {
  const product: Page = async (request, boot, base) => {
    const key = (request.params as { id: string }).id;
    try {
      const { value } = await loadProduct(deps, request.actor, key);
      return { head: productHead(boot, value, base), boot: { ...boot, product: { key, product: value } } };
    } catch (error) {
      if (error instanceof AppError && error.status === 404) return { head: notFoundHead(boot), boot };
      throw error;
    }
  };
  const hub: Page = async (request, boot, base) => {
    const { id } = request.params as { id: string };
    const { value: hubs } = await listHubs(deps, request.now);
    const found = hubs.find((candidate) => String(candidate.id) === id);
    if (!found) return { head: notFoundHead(boot), boot };
    const { value: map } = await loadHubMap(deps, found.id);
    return { head: hubHead(boot, found, map, base), boot };
  };
  const vendor = pageOrNotFound(async (request, boot, base) => {
    const { hashed } = request.query as { hashed?: string };
    const which = whichVendor((request.params as { id: string }).id, hashed === "true");
    return vendorHead(boot, (await loadVendor(deps, request.actor, which)).value, base);
  });
  const vendorStore = pageOrNotFound(async (request, boot) => {
    const which = whichVendor((request.params as { id: string }).id);
    const page = pageNumberOf(request);
    const rows = VENDOR_PRODUCTS_ROWS;
    const [{ value }, { value: shelf }] = await Promise.all([
      loadVendor(deps, request.actor, which),
      loadVendorProducts(deps, request.actor, which, { page, rows, offset: (page - 1) * rows }, request.now),
    ]);
    return vendorStoreHead(boot, value, shelf.products, page);
  });
  return {
    "/shop": { feed: true, page: (_request, boot, base) => shopHead(boot, base) },
    "/support": { feed: false, page: (_request, boot) => privateHead(boot, "Support") },
    "/embed/report-problem": { feed: false, page: (_request, boot) => privateHead(boot, "Report a problem") },
    "/embed/contact-us": { feed: false, page: (_request, boot) => privateHead(boot, "Contact us") },
    "/inbox": { feed: false, page: (_request, boot) => privateHead(boot, "Inbox") },
    "/inbox/:id": { feed: true, page: (_request, boot) => privateHead(boot, "Inbox") },
    "/more": { feed: true, page: (_request, boot) => privateHead(boot, "More") },
    "/profile": { feed: true, page: (_request, boot) => privateHead(boot, "My Details") },
    "/account": { feed: true, page: (_request, boot) => privateHead(boot, "My Details") },
    "/password-reset": { feed: false, page: (_request, boot) => privateHead(boot, "Choose a new password") },
    "/password-reset/:jwt": { feed: false, page: (_request, boot) => privateHead(boot, "Choose a new password") },
    "/product/:id": { feed: true, page: product },
    "/products/:id": { feed: true, page: product },
    "/collections/:slug": {
      feed: true,
      page: pageOrNotFound(async (request, boot) => {
        const { slug } = request.params as { slug: string };
        const all = boot.collections?.flatMap((collection) => [collection, ...collection.children]);
        // Search engines and first visits have no hub, and so no list of its collections.
        if (!all) {
          const published = await loadPublishedCollection(deps, slug);
          return collectionHead(boot, published.title, published.slug);
        }
        const found = all.find((collection) => collection.slug === slug || String(collection.id) === slug);
        return found ? collectionHead(boot, found.title, found.slug) : notFoundHead(boot);
      }),
    },
    "/collections": { feed: true, page: (_request, boot) => collectionsHead(boot) },
    "/hubs": {
      feed: true,
      page: async (request, boot) => ({ head: hubsHead(boot, (await listHubs(deps, request.now)).value), boot }),
    },
    "/hubs/:id": { feed: true, page: hub },
    "/search": { feed: true, page: (request, boot) => searchHead(boot, (request.query as { q?: unknown }).q) },
    "/subscription": { feed: true, page: (_request, boot) => privateHead(boot, "My subscriptions") },
    "/next-boxes": { feed: false, page: (_request, boot) => privateHead(boot, "Your next boxes") },
    "/favorites": { feed: true, page: (_request, boot) => privateHead(boot, "Quick Shop") },
    "/vendors": {
      feed: true,
      page: pageOrNotFound(async (request, boot) =>
        vendorsHead(boot, (await loadVendors(deps, request.actor, "az-asc", request.now, null)).cached.value),
      ),
    },
    "/vendors/:id": { feed: true, page: vendor },
    "/collections/vendor/:id": { feed: true, page: vendorStore },
    // The special hub has none (docs/product.md §4).
    "/bundles": {
      feed: true,
      page: pageOrNotFound(async (request, boot) =>
        hasBundles(deps, boot.session?.hubId ?? null)
          ? bundlesHead(boot, (await loadBundles(deps, request.actor)).value)
          : notFoundHead(boot),
      ),
    },
    "/bundles/:id": {
      feed: true,
      page: pageOrNotFound(async (request, boot, base) => {
        const which = whichBundle((request.params as { id: string }).id);
        return bundleHead(boot, (await loadBundle(deps, request.actor, which)).value, base);
      }),
    },
    "/order-complete/:id": { feed: false, page: (_request, boot) => privateHead(boot, "Your order") },
    "/gift-card": { feed: true, page: (_request, boot) => giftCardHead(boot) },
    "/wagon-pass": { feed: true, page: (_request, boot) => wagonPassHead(boot) },
    "/embed/payment": { feed: false, page: (_request, boot) => privateHead(boot, "Payment methods") },
    "/embed/wagon-pass": { feed: false, page: (_request, boot) => privateHead(boot, "Wagon pass") },
    "/embed/gift-cards": { feed: false, page: (_request, boot) => privateHead(boot, "Gift cards") },
    "/embed/checkout": { feed: false, page: (_request, boot) => privateHead(boot, "Checkout") },
    ...staticPagesOf(deps),
    "/404": { feed: false, page: (_request, boot) => notFoundHead(boot) },
  };
};

/** spec §2.1: `/collections?vendor=` redirects to the vendor's products. */
function vendorStoreOf({ vendor, ...rest }: Record<string, unknown>): string | null {
  if (typeof vendor !== "string" || vendor.trim() === "") return null;
  const query = new URLSearchParams(
    Object.entries(rest).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
  return `/collections/vendor/${encodeURIComponent(vendor.trim())}${query.size > 0 ? `?${query.toString()}` : ""}`;
}

/** Bytes. A longer end of a page, of a large cart, is compressed with its page. */
const RAW_MAX = 16_384;

/**
 * Registers every page of the app, server-rendered: real head, status, static fallback and preloaded state. What is the same for all
 * guests of a hub is rendered and compressed once; the data of the shopper follows it.
 */
export function pageRoutes(app: FastifyInstance, deps: Deps, shell: Shell): void {
  const baseOf = (request: FastifyRequest) => deps.env.publicUrl ?? `${request.protocol}://${request.host}`;

  const send = async (request: FastifyRequest, reply: FastifyReply, withFeed: boolean, page: Page) => {
    const loaded = await loadBoot(deps, request, shell.build, withFeed);
    const base = baseOf(request);
    const result = await page(request, loaded, base);
    const { head, boot } = isRendered(result) ? result : { head: result, boot: loaded };
    void reply
      .code(head.status)
      // Pages of a session contain personal data, which must not stay on a shared computer (G9).
      .header("cache-control", request.actor.type === "anonymous" ? "private, no-cache" : "no-store")
      .header("vary", "accept-encoding, cookie")
      .type("text/html; charset=utf-8");
    const path = request.url.split("?", 1)[0]!;
    const isFramed = path.startsWith("/embed/");
    const start = () => shell.renderStart(head, boot, base, isFramed);
    const end = shell.renderEnd(boot, isFramed);
    const { config, hub, feed, collections, product, session } = boot;
    const isShared = request.actor.type !== "customer" && head.status === 200 && boot.words === null;
    const isBrotli = encodingOf(request.headers["accept-encoding"]) === "br" && end.length <= RAW_MAX;
    if (!isShared) return reply.send(start() + end);
    const sources = [JSON.stringify({ head, config, hub, hubId: session?.hubId }), feed, collections, product?.product];
    const bytes = await deps.cache.derive(
      `${isBrotli ? "br" : "plain"} ${base}${path} ${hub?.id}`,
      sources,
      async () => (isBrotli ? brotliStart(start()) : Buffer.from(start())),
      ({ length }) => length,
    );
    if (isBrotli) void reply.header("content-encoding", "br");
    return reply.send(Buffer.concat([bytes, isBrotli ? brotliEnd(end) : Buffer.from(end)]));
  };

  const hidden = { config: { session: "lenient" }, schema: { hide: true } } as const;
  app.get("/", hidden, async (request, reply) => {
    const rest = request.url.slice(1);
    const query = rest.startsWith("?") ? rest : "";
    const isSearch = new URLSearchParams(query).get("q")?.trim();
    return reply.redirect(`${isSearch ? "/search" : "/shop"}${query}`, 302);
  });
  // spec §2.1; the app opens Login over the shop (docs/product.md §3).
  app.get("/login", hidden, async (request, reply) => {
    const query = new URLSearchParams(request.url.split("?")[1]);
    query.set("login", "1");
    return reply.redirect(`/shop?${query.toString()}`, 302);
  });
  accountPages(app, deps);
  for (const [url, { feed, page }] of Object.entries(pagesOf(deps)))
    app.get(url, hidden, (request, reply) => {
      const to = url === "/collections" ? vendorStoreOf(request.query as Record<string, unknown>) : null;
      return to ? reply.redirect(to, 302) : send(request, reply, feed, page);
    });
  discoveryRoutes(app, deps);
  app.get("/version.json", { config: { session: "none" }, schema: { hide: true } }, async (_request, reply) =>
    reply.header("cache-control", "no-cache").send({ build: shell.build }),
  );
  app.get("/*", hidden, async (request, reply) => {
    if (request.url.startsWith("/api/") || !(request.headers.accept ?? "text/html").includes("text/html"))
      return reply.callNotFound();
    return send(request, reply, false, (_request, boot) => notFoundHead(boot));
  });
}
