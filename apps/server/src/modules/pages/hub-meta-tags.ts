import type { Boot } from "@marketday/contracts/boot";
import type { Hub, HubMap } from "@marketday/contracts/hubs";
import { areaByState, areaSentence, formatArea, hubFacts, HUBS_INTRO } from "@marketday/domain/hub-facts";
import { formatUsd, fromDollars } from "@marketday/domain/money";

import { html } from "../../lib/html.ts";
import { fallbackHtml, page, paragraph, short } from "./meta-tags.ts";
import type { PageHead } from "./shell.ts";

/** "Delivers on Thursdays, order by 1AM Wednesday, $8.95 flat." */
function formatFacts({ deliveryDay, deliveryFee }: Hub): string {
  const { delivers, orderBy, fee } = hubFacts(deliveryDay, formatUsd(fromDollars(deliveryFee)));
  return `Delivers on ${delivers}, ${orderBy === null ? "" : `order by ${orderBy}, `}${fee}.`;
}

/** All markets with delivery day, cutoff and fee. */
export function hubsHead({ config }: Boot, hubs: readonly Hub[]): PageHead {
  const items = hubs.map((hub) => html`<li><a href="/hubs/${hub.id}">${hub.name}</a> ${formatFacts(hub)}</li>`);
  return page({
    title: `Markets · ${config.marketName}`,
    description: `The markets of ${config.marketName}: where each delivers, on which day and for how much.`,
    canonical: "/hubs",
    chunk: "src/features/hubs/hubs-page.tsx",
    fallback: fallbackHtml("Markets", paragraph(HUBS_INTRO), html`<ol>${items}</ol>`),
  });
}

const mapSvg = ({ viewBox, counties, states, boundary }: HubMap, label: string) =>
  html`<svg viewBox="${viewBox}" role="img" aria-label="${label}"><path d="${counties}"/><path d="${states}"/><path d="${boundary}"/></svg>`;

/** A market with its map and area. */
export function hubHead({ config }: Boot, hub: Hub, map: HubMap, base: string): PageHead {
  const counties = map.labels.filter(({ served }) => served !== null);
  const areas = areaByState(map.labels);
  const description = `${hub.name} in ${hub.city}, ${hub.state}. ${formatFacts(hub)} ${areaSentence(areas)}`.trim();
  return page({
    title: `${hub.name} · ${config.marketName}`,
    description: short(description, 160),
    canonical: `/hubs/${hub.id}`,
    chunk: "src/features/hubs/hub-page.tsx",
    jsonLd: {
      "@context": "https://schema.org",
      "@type": "LocalBusiness",
      name: hub.name,
      url: `${base}/hubs/${hub.id}`,
      description: hub.description || description,
      parentOrganization: { "@type": "Organization", name: config.marketName, url: base },
      address: {
        "@type": "PostalAddress",
        addressLocality: hub.city,
        addressRegion: hub.state,
        postalCode: hub.zipCode,
        addressCountry: "US",
      },
      geo: { "@type": "GeoCoordinates", latitude: hub.lat, longitude: hub.lng },
      areaServed: [
        ...counties.map(({ name, state }) => ({ "@type": "AdministrativeArea", name: `${name}, ${state}` })),
        ...(counties.length === 0 && hub.accessibleZipCodes.length > 0
          ? [{ "@type": "DefinedRegion", addressCountry: "US", postalCode: hub.accessibleZipCodes }]
          : []),
      ],
    },
    fallback: fallbackHtml(
      hub.name,
      paragraph(formatFacts(hub)),
      map.boundary !== "" && mapSvg(map, `Map of where ${hub.name} delivers`),
      ...areas.map((area) => html`<p><strong>${area.state}</strong> ${formatArea(area)}</p>`),
      hub.accessibleZipCodes.length > 0 && paragraph(`Zip codes: ${hub.accessibleZipCodes.join(", ")}.`),
    ),
  });
}
