import { calendarDate, dateInZone, formatLong } from "@marketday/domain/calendar-date";
import { formatOrderBy } from "@marketday/domain/order";
import { itemTitle } from "@marketday/domain/sheets";

import type { MailContent } from "../../lib/mail-template.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { fromData, type MailTemplates, SAMPLE_NOW } from "../mail/template.ts";
import { VendorChange } from "../orders/vendor-change-sql.ts";
import { nameOfLine } from "../products/size-sql.ts";
import { findHarvestLink, isRevoked } from "./harvest-links.ts";
import { type BackInStock, findAbout, findBack, type ReminderAbout } from "./remind-store.ts";
import { findVendorList, type VendorList } from "./snapshot-store.ts";

/** A day before the cutoff: the customer has items in the cart and no order. */
const orderBySoon = (about: ReminderAbout, now: Date): MailContent => ({
  subject: `Order by ${formatOrderBy(about.cutoff_at, about.time_zone, now)}`,
  heading: "Your cart is waiting",
  parts: [
    `Orders of ${about.market} for ${formatLong(calendarDate(about.day), dateInZone(now, about.time_zone))} close at ${formatOrderBy(about.cutoff_at, about.time_zone, now)}. What is in your cart is not ordered yet.`,
  ],
  link: { label: "Open your cart", path: "/cart" },
});

/** A sold-out item is in stock again and back in the cart. */
const backInStock = (back: BackInStock, now: Date): MailContent => ({
  subject: `${nameOfLine(back)} is back`,
  heading: "Back in stock",
  parts: [
    `${nameOfLine(back)} from ${back.vendor} is in stock again at ${back.market}. It is back in your cart.`,
    ...(back.inventory <= 5 ? [`There ${back.inventory === 1 ? "is 1" : `are ${back.inventory}`} left.`] : []),
    ...(back.cutoff_at ? [`Order by ${formatOrderBy(back.cutoff_at, back.time_zone, now)}.`] : []),
  ],
  link: { label: "Open your cart", path: "/cart" },
});

/** Orders of a day have closed: the units that the vendor brings. `token`: of the link to confirm them; null: none. */
function vendorOrder(list: VendorList, token: string | null, now: Date): MailContent {
  const day = formatLong(calendarDate(list.day), dateInZone(now, list.time_zone));
  const units = list.lines.reduce((sum, line) => sum + line.quantity, 0);
  return {
    subject: `${list.market}: ${units === 1 ? "1 item" : `${units} items`} to bring for ${day}`,
    heading: `${list.vendor}, here is your order`,
    parts: [
      `Orders of ${list.market} for ${day} have closed. Please bring:`,
      {
        rows: list.lines.map((line) => [itemTitle(line), String(line.quantity)]),
        total: ["Items in all", String(units)],
      },
      ...(list.version > 1 ? [`This is version ${list.version} of the day's list and replaces the ones before.`] : []),
      ...(token === null
        ? []
        : [
            "Please confirm what you’re bringing, or tell us if it’s less. Anyone who has the link can do that, until the end of that day.",
          ]),
    ],
    ...(token !== null && { link: { label: "Confirm your items", path: `/farm/${token}` } }),
  };
}

/** Orders of a closed day were canceled or reduced: the items of which the vendor brings less. */
function vendorChange(
  { vendor, market, day: date, timeZone, lines }: VendorChange,
  _market: string,
  now: Date,
): MailContent {
  const day = formatLong(calendarDate(date), dateInZone(now, timeZone));
  return {
    subject: `${market}: bring less for ${day}`,
    heading: `${vendor}, your order has changed`,
    parts: [
      `Some orders of ${market} for ${day} were canceled or changed. Please bring less of:`,
      {
        rows: lines.map((line) => [itemTitle(line), `${line.after === 0 ? "none" : line.after} (was ${line.before})`]),
      },
      "Everything else stays as on the list we emailed you.",
    ],
  };
}

/** A made-up reminder, for the preview. */
export const sampleAbout: ReminderAbout = {
  first_name: "Rosa",
  market: "Carmel market",
  time_zone: "America/Indiana/Indianapolis",
  hub_id: 1,
  day: "2026-11-26",
  cutoff_at: new Date("2026-11-25T06:00:00Z"),
  auto_checkout_at: new Date("2026-11-23T18:00:00Z"),
  is_automatic: true,
  is_ordered: false,
  is_closed: false,
};

/** Made-up goods of a vendor, for the preview of mails. */
export const sampleGoods = [
  { product: "Carrots", variant: "Small", unit: "8 oz", quantity: 12 },
  { product: "Free-range eggs", variant: "Large", unit: "dozen", quantity: 2 },
];

/** A made-up item that is in stock again, for the preview of mails. */
export const sampleBack = {
  product_title: "Wild blueberries",
  variant_title: "Pint",
  unit: "11 oz",
  measure: null,
  measure_amount: null,
  vendor: "Sugar Creek Farm",
  product_id: 1,
  inventory: 4,
  market: sampleAbout.market,
  cutoff_at: sampleAbout.cutoff_at,
  time_zone: sampleAbout.time_zone,
};

const sampleVendor = { vendor: "Sugar Creek Farm", market: sampleAbout.market, day: sampleAbout.day };
const sampleZone = sampleAbout.time_zone;

/** Mails of the weekly cycle: reminders to customers, quantities to vendors. */
export const weekMails: MailTemplates = {
  "order-by-soon": {
    about: "A day before orders close, to customers with a cart and no order",
    sort: "reminder",
    content: async ({ db }, { deliveryId, customerId }, now) => {
      const about = await findAbout(db, Number(deliveryId), Number(customerId));
      return about && !about.is_ordered && !about.is_closed && now < about.cutoff_at ? orderBySoon(about, now) : null;
    },
    sample: () => orderBySoon(sampleAbout, SAMPLE_NOW),
  },
  "back-in-stock": {
    about: "A sold-out item of the cart is in stock again",
    sort: "reminder",
    content: async ({ db }, { variantId, customerId }, now) => {
      const back = await findBack(db, Number(variantId), Number(customerId), now);
      return back && back.inventory > 0 ? backInStock(back, now) : null;
    },
    sample: () => backInStock(sampleBack, SAMPLE_NOW),
  },
  "vendor-order": {
    about: "The orders of a delivery day have closed: the items that a vendor brings, and the link to confirm them",
    sort: "always",
    content: async ({ db, env }, { snapshotId, vendorId, linkId }, now) => {
      const list = await findVendorList(db, Number(snapshotId), Number(vendorId));
      if (!list) return null;
      const link = typeof linkId === "string" ? await findHarvestLink(db, linkId) : null;
      const isLive = link !== null && !isRevoked(link);
      return vendorOrder(list, isLive ? vendorTokens("harvest", env.sessionSecrets).sign(link.id) : null, now);
    },
    sample: () =>
      vendorOrder({ ...sampleVendor, time_zone: sampleZone, version: 1, lines: sampleGoods }, "example", SAMPLE_NOW),
  },
  "vendor-change": fromData(
    "An order was canceled or reduced after the vendor was sent the list",
    VendorChange,
    vendorChange,
    {
      ...sampleVendor,
      timeZone: sampleZone,
      lines: sampleGoods.map(({ quantity, ...item }) => ({ ...item, before: quantity, after: quantity - 2 })),
    },
  ),
};
