import type { Boot } from "@marketday/contracts/boot";
import type { Hub, HubMap } from "@marketday/contracts/hubs";
import { isWeekday, weekdayBefore } from "@marketday/domain/calendar-date";
import { formatUsd, fromDollars } from "@marketday/domain/money";

import { html } from "../../lib/html.ts";
import { fallbackHtml, page, paragraph } from "./meta-tags.ts";
import type { PageHead } from "./shell.ts";

/** "1AM Wednesday" for a Thursday market. */
const orderBy = (deliveryDay: string) =>
  isWeekday(deliveryDay) ? `1AM ${weekdayBefore(deliveryDay)}` : "the day before";

const facts = ({ deliveryDay, deliveryFee }: Hub) =>
  `Delivers on ${deliveryDay}s, order by ${orderBy(deliveryDay)}, ${formatUsd(fromDollars(deliveryFee))} flat.`;

/** All markets with delivery day, cutoff and fee. */
export function hubsHead({ config }: Boot, hubs: readonly Hub[]): PageHead {
  const description = `The markets of ${config.marketName}: where each delivers, on which day and for how much.`;
  const items = hubs.map((hub) => html`<li><a href="/hubs/${hub.id}">${hub.name}</a> ${facts(hub)}</li>`);
  return page({
    title: `Markets · ${config.marketName}`,
    description,
    canonical: "/hubs",
    chunk: "src/features/hubs/hubs-page.tsx",
    fallback: fallbackHtml("Markets", paragraph(description), html`<ol>${items}</ol>`),
  });
}

const mapSvg = ({ viewBox, counties, states, boundary }: HubMap, label: string) =>
  html`<svg viewBox="${viewBox}" role="img" aria-label="${label}"><path d="${counties}"/><path d="${states}"/><path d="${boundary}"/></svg>`;

/** A market with its map and area. */
export function hubHead({ config }: Boot, hub: Hub, map: HubMap, base: string): PageHead {
  const counties = map.labels.filter(({ served }) => served !== null);
  const names = counties.map(({ name }) => name).join(", ");
  const description = `${hub.name} in ${hub.city}, ${hub.state}. ${facts(hub)}${names ? ` Serves ${names}.` : ""}`;
  return page({
    title: `${hub.name} · ${config.marketName}`,
    description: description.length > 160 ? `${description.slice(0, 159).trimEnd()}…` : description,
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
      paragraph(facts(hub)),
      map.boundary !== "" && mapSvg(map, `Map of where ${hub.name} delivers`),
      names !== "" && paragraph(`Serves ${names}.`),
      hub.accessibleZipCodes.length > 0 && paragraph(`Zip codes: ${hub.accessibleZipCodes.join(", ")}.`),
    ),
  });
}
