import type { Boot } from "@marketday/contracts/boot";
import type { Bundle } from "@marketday/contracts/bundles";
import { BUNDLES_INTRO } from "@marketday/domain/bundle";
import { plainText } from "@marketday/domain/html-text";
import { formatUsd, fromDollars } from "@marketday/domain/money";

import { html } from "../../lib/html.ts";
import { fallbackHtml, page, paragraph, pictureHtml, short } from "./meta-tags.ts";
import type { PageHead } from "./shell.ts";

/** The hub's bundles, if it is known. */
export function bundlesHead({ config }: Boot, bundles: readonly Bundle[]): PageHead {
  const items = bundles.map(
    ({ slug, title, total }) => html`<li><a href="/bundles/${slug}">${title}</a> ${formatUsd(fromDollars(total))}</li>`,
  );
  return page({
    title: `Bundles · ${config.marketName}`,
    description: `A meal, a week or a season at once, from the stalls of ${config.marketName}.`,
    canonical: "/bundles",
    chunk: "src/features/bundles/bundles-page.tsx",
    fallback: fallbackHtml("Bundles", paragraph(BUNDLES_INTRO), html`<ol>${items}</ol>`),
  });
}

/** ", 5 lb": how much one of a bundle's product is; empty without a hub. */
function sizeIn({ variants, variantId }: Bundle["products"][number]): string {
  const size = variants.find(({ id }) => id === variantId)?.size;
  return size ? `, ${size}` : "";
}

/** A bundle with its products; as an offer if the hub is known. */
export function bundleHead({ config }: Boot, bundle: Bundle, base: string): PageHead {
  const { slug, title, image, total, products } = bundle;
  const description = short(plainText(bundle.description) || products.map((product) => product.title).join(", "), 160);
  const cover = image ?? products.flatMap(({ images }) => images)[0];
  const picture = cover ? `${cover.url}/960.jpg` : null;
  const items = products.map(
    (product) =>
      html`<li>${product.quantity} × <a href="/product/${product.slug}">${product.title}</a>${sizeIn(product)}</li>`,
  );
  return page({
    title: `${title} · ${config.marketName}`,
    description,
    canonical: `/bundles/${slug}`,
    image: picture,
    chunk: "src/features/bundles/bundle-panel.tsx",
    jsonLd: {
      "@context": "https://schema.org",
      "@type": "Product",
      name: title,
      description,
      ...(picture && { image: base + picture }),
      brand: { "@type": "Brand", name: config.marketName },
      // Without a hub the products have no price.
      ...(total > 0 && {
        offers: {
          "@type": "Offer",
          priceCurrency: "USD",
          price: (fromDollars(total) / 100).toFixed(2),
          availability: `https://schema.org/${products.some(({ available }) => available) ? "InStock" : "OutOfStock"}`,
        },
      }),
    },
    fallback: fallbackHtml(
      title,
      total > 0 && paragraph(formatUsd(fromDollars(total))),
      cover !== undefined && pictureHtml(cover, "product", { priority: "first" }),
      paragraph(plainText(bundle.description)),
      html`<ol>${items}</ol>`,
    ),
  });
}
