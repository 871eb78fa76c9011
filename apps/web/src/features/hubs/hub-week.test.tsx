import type { Hub } from "@marketday/contracts/hubs";
import { formatShopNote, weekOf } from "@marketday/domain/hub-week";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";

import { HubWeek } from "./hub-week.tsx";

const hub = {
  name: "Carmel",
  timeZone: "America/Indiana/Indianapolis",
  nextDeliveryDate: "2026-11-30",
  cutoff: "2026-11-28T06:00:00.000Z",
  deliveryFee: 6.99,
} as Hub;

test.each([
  ["open", "2026-11-27T12:00:00Z"],
  ["closed", "2026-11-29T12:00:00Z"],
])("the choice of a market says of an %s week what the shop says", (_, instant) => {
  const now = new Date(instant);
  const html = renderToStaticMarkup(<HubWeek hub={hub} now={now} />);
  const [before, orderBy, after] = formatShopNote(weekOf(hub, now)!, hub.name, "$6.99").sentence;
  expect(html.replaceAll(/<\/?span>/g, "")).toContain(`${before}<strong>${orderBy}</strong>${after}`);
});

test.each([
  ["open", "2026-11-27T12:00:00Z", "The market is open for Monday: 18 hours left, closes at 1AM tonight."],
  [
    "open and closes more than six days ahead",
    "2026-11-19T12:00:00Z",
    "The market is open for Monday, November 30: 8 days left to add, closes at 1AM Saturday, November 28.",
  ],
  ["closed", "2026-11-29T12:00:00Z", "Orders for this week are closed. The wagon is on its way for Monday."],
])(
  "a market's page says how a week that is %s stands, with the dates of delivery and cutoff, without the rules of its facts",
  (_, instant, words) => {
    const html = renderToStaticMarkup(<HubWeek hub={hub} now={new Date(instant)} brief />);
    expect(/<p[^>]*>(.*?)<\/p>/.exec(html)?.[1]?.replaceAll(/<[^>]+>/g, "")).toBe(words);
  },
);
