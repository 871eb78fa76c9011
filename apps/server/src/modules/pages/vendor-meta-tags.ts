import type { Boot } from "@marketday/contracts/boot";
import type { Product } from "@marketday/contracts/products";
import type { Vendor } from "@marketday/contracts/vendors";
import { plainText } from "@marketday/domain/html-text";

import { html } from "../../lib/html.ts";
import { fallbackHtml, page, paragraph, pictureHtml, short } from "./meta-tags.ts";
import type { PageHead } from "./shell.ts";

const HEADING = "Browse Local Farms & Artisans";

/** The vendors of the hub, if it is known, by name. */
export function vendorsHead({ config }: Boot, vendors: readonly Vendor[]): PageHead {
  const items = vendors.map(
    (vendor) => html`<li><a href="/vendors/${vendor.slug}">${vendor.name}</a> ${place(vendor)}</li>`,
  );
  return page({
    title: `${HEADING} · ${config.marketName}`,
    description: `The farms and artisans who sell at ${config.marketName}, and what they bring this week.`,
    canonical: "/vendors",
    chunk: "src/features/vendors/vendors-page.tsx",
    fallback: fallbackHtml(HEADING, html`<ol>${items}</ol>`),
  });
}

const place = ({ city, state }: Vendor) => [city, state].filter(Boolean).join(", ");

const about = (vendor: Vendor, marketName: string) =>
  short(plainText(vendor.description) || `${vendor.name} of ${place(vendor)} sells at ${marketName}.`, 160);

const hero = ({ heroImage }: Vendor) =>
  heroImage !== null && pictureHtml(heroImage, "hero", { height: 192, priority: "first" });

/** A vendor, with structured data of a local business. */
export function vendorHead({ config }: Boot, vendor: Vendor, base: string): PageHead {
  const { slug, name, city, state, heroImage, avatar } = vendor;
  const description = about(vendor, config.marketName);
  const picture = heroImage ?? avatar;
  const image = picture ? `${picture.url}/960.jpg` : null;
  return page({
    title: `${name} · ${config.marketName}`,
    description,
    canonical: `/vendors/${slug}`,
    image,
    chunk: "src/features/vendors/vendor-panel.tsx",
    jsonLd: {
      "@context": "https://schema.org",
      "@type": "LocalBusiness",
      name,
      url: `${base}/vendors/${slug}`,
      description,
      ...(image && { image: base + image }),
      address: { "@type": "PostalAddress", addressLocality: city, addressRegion: state, addressCountry: "US" },
    },
    fallback: fallbackHtml(
      name,
      paragraph(place(vendor)),
      hero(vendor),
      paragraph(plainText(vendor.description)),
      html`<p><a href="/collections/vendor/${slug}">Shop all</a></p>`,
    ),
  });
}

/** A page of a vendor's products; each page has its own canonical URL. */
export function vendorStoreHead(
  { config }: Boot,
  vendor: Vendor,
  products: readonly Product[],
  number: number,
): PageHead {
  const { slug, name, heroImage } = vendor;
  const items = products.map((product) => html`<li><a href="/product/${product.slug}">${product.title}</a></li>`);
  return page({
    title: `All of ${name}${number > 1 ? `, page ${number}` : ""} · ${config.marketName}`,
    description: about(vendor, config.marketName),
    canonical: `/collections/vendor/${slug}${number > 1 ? `?page=${number}` : ""}`,
    image: heroImage ? `${heroImage.url}/960.jpg` : null,
    chunk: "src/features/vendors/vendor-store-panel.tsx",
    fallback: fallbackHtml(name, paragraph(place(vendor)), hero(vendor), html`<ol>${items}</ol>`),
  });
}
