import type { Boot } from "@marketday/contracts/boot";
import { GIFT_CARD_MAX, GIFT_CARD_MIN } from "@marketday/domain/limits";
import { type Cents, formatUsd } from "@marketday/domain/money";
import { wagonPassPrice } from "@marketday/domain/wagon-pass";

import { fallbackHtml, page, paragraph } from "./meta-tags.ts";
import type { PageHead } from "./shell.ts";

/** The format of structured data: "13.95". */
const decimal = (amount: Cents) => (amount / 100).toFixed(2);

/** Gift cards, an overlay of the shop (spec §2.1). */
export function giftCardHead({ config }: Boot): PageHead {
  const description = `Give local food: a ${config.marketName} gift card from ${formatUsd(GIFT_CARD_MIN)} to ${formatUsd(GIFT_CARD_MAX)}, sent by email on the day you choose.`;
  return page({
    title: `Gift cards · ${config.marketName}`,
    description,
    canonical: "/gift-card",
    chunk: "src/features/gift-cards/gift-card-overlay.tsx",
    jsonLd: {
      "@context": "https://schema.org",
      "@type": "Product",
      name: `${config.marketName} gift card`,
      description,
      offers: {
        "@type": "AggregateOffer",
        priceCurrency: "USD",
        lowPrice: decimal(GIFT_CARD_MIN),
        highPrice: decimal(GIFT_CARD_MAX),
        availability: "https://schema.org/InStock",
      },
    },
    fallback: fallbackHtml("Gift cards", paragraph(description)),
  });
}

/** The wagon pass with its two prices, an overlay of the shop (spec §2.1). */
export function wagonPassHead({ config }: Boot): PageHead {
  const [month, year] = [wagonPassPrice("monthly"), wagonPassPrice("yearly")];
  const description = `Free home delivery with every box: the wagon pass is ${formatUsd(month)} a month or ${formatUsd(year)} a year.`;
  const offer = (name: string, price: Cents) => ({
    "@type": "Offer",
    name,
    priceCurrency: "USD",
    price: decimal(price),
    availability: "https://schema.org/InStock",
  });
  return page({
    title: `Wagon pass · ${config.marketName}`,
    description,
    canonical: "/wagon-pass",
    chunk: "src/features/wagon-pass/wagon-pass-overlay.tsx",
    jsonLd: {
      "@context": "https://schema.org",
      "@type": "Product",
      name: `${config.marketName} wagon pass`,
      description,
      offers: [offer("Monthly", month), offer("Yearly", year)],
    },
    fallback: fallbackHtml("Wagon pass", paragraph(description)),
  });
}
