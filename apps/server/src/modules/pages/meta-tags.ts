import type { Boot } from "@marketday/contracts/boot";
import type { Product, Variant } from "@marketday/contracts/products";
import { plainText } from "@marketday/domain/html-text";
import { formatShopNote, weekOf } from "@marketday/domain/hub-week";
import { cents, formatUsd, fromDollars } from "@marketday/domain/money";
import { pictureSet, pictureSizes } from "@marketday/domain/picture";
import { showStars } from "@marketday/domain/review";
import { pickProducts } from "@marketday/domain/shop";

import { html, type Html } from "../../lib/html.ts";
import type { PageHead } from "./shell.ts";

/** At most `length` characters, with "…" where it was cut. */
export const short = (text: string, length: number) =>
  text.length > length ? `${text.slice(0, length - 1).trimEnd()}…` : text;

/** A page with status 200 and defaults. */
export const page = (part: Partial<PageHead> & Pick<PageHead, "title" | "description">): PageHead => ({
  status: 200,
  canonical: null,
  index: true,
  image: null,
  kind: "website",
  jsonLd: null,
  fallback: html``,
  chunk: null,
  ...part,
});

/** The static fallback of a page. */
export const fallbackHtml = (heading: string, ...body: (Html | false)[]) =>
  html`<main class="static-view"><h1>${heading}</h1>${body}</main>`;
export const paragraph = (text: string) => html`<p>${text}</p>`;

interface Picture {
  url: string;
  alt: string;
}

/**
 * A picture with the formats and sizes of the app, so that the app loads the same file.
 * @param priority `first` for the largest picture of the page, `lazy` for pictures below the fold
 */
export function pictureHtml(
  { url, alt }: Picture,
  sizes: keyof typeof pictureSizes,
  { height = 480, priority }: { height?: number; priority?: "first" | "lazy" } = {},
): Html {
  const source = (format: "avif" | "webp") =>
    html`<source type="image/${format}" srcset="${pictureSet(url, format)}" sizes="${pictureSizes[sizes]}">`;
  const hint = priority === "first" ? html` fetchpriority="high"` : priority === "lazy" && html` loading="lazy"`;
  return html`<picture>${source("avif")}${source("webp")}<img src="${url}/480.jpg" alt="${alt}" width="480" height="${height}"${hint}></picture>`;
}

/** "24 oz · $0.33 / oz": how much one buys. */
const sizeLine = ({ size, unitPrice }: Variant): string => [size, unitPrice].filter(Boolean).join(" · ");

/** A product tile: picture, title, price and size. */
function tile({ slug, title, images, variants }: Product, index: number): Html {
  const [picture] = images;
  const [variant] = variants;
  const image = picture
    ? pictureHtml({ ...picture, alt: "" }, "tile", { priority: index === 0 ? "first" : "lazy" })
    : html`<i></i>`;
  const price =
    variant && html`<b>${formatUsd(fromDollars(variant.salePrice ?? variant.price))}</b> ${sizeLine(variant)}`;
  return html`<li><a href="/product/${slug}">${image}<span>${title}</span></a>${price}</li>`;
}

/** The number of tiles of the static fallback. */
const FIRST_TILES = 6;

/** The shop: this week's market if the hub is known, else a description of the market. */
export function shopHead({ config, hub, feed, now }: Boot, base: string): PageHead {
  const description = `An online farmers market that delivers: local farms and artisans, one box a week. ${config.marketName}.`;
  const jsonLd = {
    "@context": "https://schema.org",
    "@type": "WebSite",
    name: config.marketName,
    url: `${base}/shop`,
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: `${base}/search?q={term}` },
      "query-input": "required name=term",
    },
  };
  const week = hub && weekOf(hub, new Date(now));
  if (!hub || !week)
    return page({
      title: config.marketName,
      description,
      canonical: "/shop",
      jsonLd,
      fallback: fallbackHtml(config.marketName, paragraph(description)),
    });
  const { heading, sentence } = formatShopNote(week, hub.name, formatUsd(fromDollars(hub.deliveryFee)));
  const [before, orderBy, after] = sentence;
  const tiles = pickProducts(feed ?? []).slice(0, FIRST_TILES);
  return page({
    title: `${hub.name} · ${config.marketName}`,
    description,
    canonical: "/shop",
    jsonLd,
    fallback: fallbackHtml(
      heading,
      html`<p>${before}<strong>${orderBy}</strong>${after}</p>`,
      tiles.length > 0 && html`<h2>Picked for this week</h2><ul>${tiles.map(tile)}</ul>`,
    ),
  });
}

/** A product, with structured data and share card. */
export function productHead({ config }: Boot, product: Product, base: string): PageHead {
  const [variant] = product.variants;
  const description = short(plainText(product.description) || `${product.title} from ${product.vendor.name}`, 160);
  const [picture] = product.images;
  const image = picture ? `${picture.url}/960.jpg` : null;
  const price = variant ? fromDollars(variant.salePrice ?? variant.price) : null;
  return page({
    title: `${product.title} · ${product.vendor.name} · ${config.marketName}`,
    description,
    canonical: `/product/${product.slug}`,
    image,
    kind: "product",
    chunk: "src/features/products/product-panel.tsx",
    jsonLd: {
      "@context": "https://schema.org",
      "@type": "Product",
      name: product.title,
      description,
      ...(image && { image: base + image }),
      brand: { "@type": "Brand", name: product.vendor.name },
      ...(variant &&
        price !== null && {
          offers: {
            "@type": "Offer",
            ...(variant.size && { name: variant.size }),
            priceCurrency: "USD",
            price: (price / 100).toFixed(2),
            availability: `https://schema.org/${product.isPreOrder ? "PreOrder" : variant.inventory > 0 ? "InStock" : "OutOfStock"}`,
          },
        }),
      ...(showStars(product.ratingCount, product.avgRating) && {
        aggregateRating: {
          "@type": "AggregateRating",
          ratingValue: product.avgRating,
          reviewCount: product.ratingCount,
        },
      }),
    },
    fallback: fallbackHtml(
      product.title,
      paragraph(product.vendor.name),
      picture !== undefined && pictureHtml(picture, "product", { priority: "first" }),
      price !== null &&
        variant !== undefined &&
        paragraph([formatUsd(cents(price)), sizeLine(variant)].filter(Boolean).join(" · ")),
      paragraph(description),
    ),
  });
}

/** A collection. */
export const collectionHead = ({ config }: Boot, title: string, slug: string): PageHead =>
  page({
    title: `${title} · ${config.marketName}`,
    description: `${title} from local farms and artisans, delivered with one weekly box.`,
    canonical: `/collections/${slug}`,
    chunk: "src/features/collections/collection-panel.tsx",
    fallback: fallbackHtml(title),
  });

/** All collections of the hub, if it is known. */
export function collectionsHead({ config, collections }: Boot): PageHead {
  const items = (collections ?? []).map(
    ({ slug, title }) => html`<li><a href="/collections/${slug}">${title}</a></li>`,
  );
  return page({
    title: `Collections · ${config.marketName}`,
    description: `Everything ${config.marketName} sells, by shelf.`,
    canonical: "/collections",
    chunk: "src/features/collections/collections-page.tsx",
    fallback: fallbackHtml("Collections", html`<ol>${items}</ol>`),
  });
}

/** Search results; not indexed, since they differ by hub. */
export function searchHead({ config }: Boot, query: unknown): PageHead {
  const term = typeof query === "string" ? short(query.replaceAll(/\s+/g, " ").trim(), 100) : "";
  return page({
    title: `${term ? `“${term}”` : "Search"} · ${config.marketName}`,
    description: `Search what local farms and artisans bring to ${config.marketName}.`,
    index: false,
    chunk: "src/features/search/search-page.tsx",
    fallback: fallbackHtml("Search", term !== "" && paragraph(`for “${term}”`)),
  });
}

/** The contact form. */
export const contactHead = ({ config }: Boot): PageHead =>
  page({
    title: `Contact us · ${config.marketName}`,
    description: `Write to ${config.marketName}: a person reads it.`,
    canonical: "/contact-us",
    fallback: fallbackHtml("Contact us", paragraph(`${config.supportEmail} · ${config.supportPhone}`)),
  });

/** A personal page or a frame; not indexed. */
export const privateHead = ({ config }: Boot, title: string): PageHead =>
  page({ title: `${title} · ${config.marketName}`, description: config.marketName, index: false });

/** The 404 page (spec §2.1 /404). */
export const notFoundHead = ({ config }: Boot): PageHead =>
  page({
    status: 404,
    title: `Page not found · ${config.marketName}`,
    description: config.marketName,
    index: false,
    fallback: fallbackHtml(
      "Page died of dysentery",
      html`<p><a href="/shop">Home</a> · <a href="/faq#contact">Contact help</a></p>`,
    ),
  });
