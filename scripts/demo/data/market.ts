import { addDays, type CalendarDate, calendarDate, dateFromUtc } from "@marketday/domain/calendar-date";
import { cents } from "@marketday/domain/money";
import { addMs, Day } from "@marketday/domain/time";
import slugify from "@sindresorhus/slugify";

import { buildBundles } from "./bundles.ts";
import { buildCollections } from "./collections.ts";
import { blogPosts, contentPages, faqEntries } from "./content.ts";
import { buildDeliveries, buildRuns } from "./deliveries.ts";
import { hubPlans } from "./hubs.ts";
import { buildOffers, planSpecials, ribbonText, type Special } from "./offers.ts";
import { buildOrders } from "./orders.ts";
import { countyOutline, outlineWkt } from "./outline.ts";
import { buildPeople } from "./people.ts";
import { pictureRows, sharedPicture } from "./pictures.ts";
import { buildBanners, buildPosts } from "./posts.ts";
import { planProducts, type ProductPlan } from "./products.ts";
import { chance, hexOf } from "./random.ts";
import type { HubRow, LooseRow, OfferRow, PickupRow, ProductRow, VendorRow } from "./rows.ts";
import { addNewCredit, buildShopperThings, discountCodes } from "./shopper-things.ts";
import { buildSocial } from "./social.ts";
import { newVendors, vendorPlans } from "./vendors.ts";
import { type DemoZip, zipsInside } from "./zips.ts";

/** The rows of a table. */
export interface TableRows {
  table: string;
  rows: readonly object[];
}

/** The Monday, 00:00 UTC, of the week of an instant. The market is derived from it. */
export function weekOf(now: Date): { monday: CalendarDate; anchor: Date } {
  const back = (now.getUTCDay() + 6) % 7;
  const monday = addDays(dateFromUtc(now), -back);
  return { monday, anchor: new Date(`${monday}T00:00:00.000Z`) };
}

const escape = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
const paragraph = (...sentences: string[]): string => `<p>${sentences.map(escape).join(" ")}</p>`;

/** The meat processors by state. */
const processors: Readonly<Record<string, string>> = {
  IN: "Eleven Mile Locker, Danville, IN",
  OH: "Batavia Custom Meats, Batavia, OH",
  KS: "Tonganoxie Locker, Tonganoxie, KS",
  WI: "Ridge & River Locker, Spring Green, WI",
  CO: "Mummy Range Meats, Livermore, CO",
};

/** The closure of each hub: the week from the current one, and the reason. */
const closureWeeks: Readonly<Record<number, [week: number, reason: string]>> = {
  1: [5, "The packing house floor is being sealed"],
  2: [6, "Inventory week"],
  3: [5, "Staff week"],
  4: [7, "Ice fishing opener. No one would be home"],
  5: [6, "Winter break"],
  126: [5, "Guild meeting"],
};

function productRow(plan: ProductPlan, special: Special | undefined, anchor: Date): ProductRow {
  const { line, vendor } = plan;
  const isMeat = vendor.sells[0]?.kind === "meat" && line.tags.includes("meat");
  const ingredients =
    line.ingredients === null ? "" : `<p><strong>Ingredients:</strong> ${escape(line.ingredients)}.</p>`;
  return {
    id: plan.id,
    slug: plan.slug,
    vendor_id: vendor.id,
    title: line.title,
    description: paragraph(line.note, line.keep) + ingredients + `<p><em>${escape(vendor.signature)}</em></p>`,
    new_description: null,
    tags: [...line.tags, ...(vendor.state === "KS" ? ["kansas farms"] : [])],
    badge: plan.preOrderDate ? null : line.badge,
    ribbon_type: special?.ribbon ?? null,
    ribbon_text: special?.ribbon ? ribbonText(special.ribbon) : null,
    discount_notes:
      special && special.off > 0 ? (special.ribbon ? "Until this week's cutoff." : "While the harvest lasts.") : null,
    origin_country: line.originCountry ?? "USA",
    origin_state: line.originCountry ? null : vendor.state,
    origin_county: line.originCountry ? null : vendor.county,
    processor: isMeat ? (processors[vendor.state] ?? null) : null,
    ingredients: line.ingredients,
    storage: line.storage,
    created_at: addMs(anchor, -plan.listedDaysAgo * Day.ms).toISOString(),
  };
}

/** Stock adjustments that add up to the units sold and the units in stock (failures.md V1). */
function adjustments(offers: readonly OfferRow[], sold: ReadonlyMap<number, number>, anchor: Date): LooseRow[] {
  const early = addMs(anchor, -13 * 7 * Day.ms).toISOString();
  return offers.flatMap((offer) => [
    ...((sold.get(offer.id) ?? 0) > 0
      ? [{ offer_id: offer.id, amount: sold.get(offer.id) ?? 0, reason: "Deliveries of past weeks", created_at: early }]
      : []),
    ...(offer.inventory > 0
      ? [
          {
            offer_id: offer.id,
            amount: offer.inventory,
            reason: "Delivery of the week",
            created_at: anchor.toISOString(),
          },
        ]
      : []),
  ]);
}

function vendorRow(plan: (typeof vendorPlans)[number], anchor: Date): VendorRow {
  const days = newVendors.has(plan.id) ? 3 : chance(`joined ${plan.id}`).int(520, 1900);
  return {
    id: plan.id,
    slug: slugify(plan.name),
    hash: hexOf(`printed link ${plan.name}`),
    name: plan.name,
    city: plan.city,
    state: plan.state,
    description: paragraph(plan.description),
    email: `${slugify(plan.name)}@stalls.example`,
    avatar_id: sharedPicture(`avatar-${plan.id}`).id,
    hero_id: sharedPicture(`hero-${plan.id}`).id,
    created_at: addMs(anchor, -days * Day.ms).toISOString(),
  };
}

/**
 * The demo market as rows (docs/product.md §13), in an order in which each row refers to earlier ones only. Apart from what
 * depends on the hour (order status, runs), it is the same for every `now` of a week. `hashes` are the password hashes of
 * the three shoppers, in their order.
 */
export function buildMarket(now: Date, hashes: readonly string[]): TableRows[] {
  const { monday, anchor } = weekOf(now);
  const outlines = new Map(hubPlans.map((hub) => [hub.id, countyOutline(hub.counties)]));
  const zipsOf = new Map<number, DemoZip[]>([...outlines].map(([id, polygons]) => [id, zipsInside(polygons)]));
  const hubs = hubPlans.map((hub): HubRow => ({
    id: hub.id,
    slug: hub.slug,
    name: hub.name,
    description: hub.description,
    delivery_day: hub.weekday,
    time_zone: hub.zone,
    delivery_fee_cents: hub.feeCents,
    tax_rate_ppm: hub.taxPpm,
    processing_ppm: hub.processingPpm,
    processing_fixed_cents: hub.processingFixedCents,
    commission_ppm: hub.commissionPpm,
    zip_code: hub.zipCode,
    city: hub.city,
    state: hub.state,
    lat: hub.lat,
    lng: hub.lng,
    boundaries: outlineWkt(outlines.get(hub.id) ?? []),
  }));
  const pickups = hubPlans
    .flatMap((hub) => hub.pickups.map(({ zipCode, ...point }) => ({ hub_id: hub.id, ...point, zip_code: zipCode })))
    .map((point, place): PickupRow => ({ id: place + 1, ...point }));
  const plain = buildDeliveries(monday, new Map());
  const closures = hubPlans.map((hub) => {
    const [week, reason] = closureWeeks[hub.id] ?? [5, ""];
    const day = plain.filter((delivery) => delivery.hub_id === hub.id && delivery.day >= monday)[week]?.day ?? monday;
    return { hub_id: hub.id, day, reason };
  });
  const deliveries = buildDeliveries(monday, new Map(closures.map(({ hub_id, day }) => [hub_id, calendarDate(day)])));

  const plans = planProducts(monday);
  const specials = planSpecials(plans, monday);
  const { variants, offers } = buildOffers(plans, specials, anchor);
  const { collections, members } = buildCollections(plans);
  const stocked = new Set(
    offers
      .filter((offer) => offer.is_published && offer.inventory > 4)
      .map((offer) => `${variants[offer.variant_id - 1]?.product_id} ${offer.hub_id}`),
  );
  const bundles = buildBundles(plans, variants, (productId, hubId) => stocked.has(`${productId} ${hubId}`));
  const { customers, addresses } = buildPeople(zipsOf, hashes, anchor);
  const codes = discountCodes.map((code) => ({
    ...code,
    amountCents: code.amountCents === null ? null : cents(code.amountCents),
  }));
  const book = buildOrders({
    plans,
    variants,
    offers,
    customers,
    addresses,
    pickups,
    deliveries,
    monday,
    anchor,
    now,
    codes,
  });
  addNewCredit(book, anchor);
  const social = buildSocial(plans, variants, customers, book, anchor);
  const things = buildShopperThings({
    plans,
    variants,
    offers,
    customers,
    deliveries,
    bundles: bundles.bundles,
    monday,
    anchor,
  });
  const listedAt = new Map(plans.map((plan) => [plan.id, addMs(anchor, -plan.listedDaysAgo * Day.ms).toISOString()]));
  const uses = Map.groupBy(book.discountUses, (use) => use.discount_code_id);

  return [
    { table: "picture", rows: pictureRows() },
    { table: "hub", rows: hubs },
    {
      table: "hub_zip",
      rows: [...zipsOf].flatMap(([hub_id, zips]) => zips.map(({ zipCode }) => ({ hub_id, zip_code: zipCode }))),
    },
    { table: "pickup_point", rows: pickups },
    { table: "hub_closure", rows: closures },
    { table: "delivery", rows: deliveries },
    { table: "delivery_run", rows: buildRuns(deliveries, now) },
    { table: "vendor", rows: vendorPlans.map((plan) => vendorRow(plan, anchor)) },
    { table: "product", rows: plans.map((plan) => productRow(plan, specials.get(plan.id), anchor)) },
    {
      table: "product_picture",
      rows: plans.flatMap(({ id, line }) =>
        [...new Set([line.picture, ...(id % 3 === 0 ? [line.scene] : [])])].map((picture, position) => ({
          product_id: id,
          position,
          picture_id: sharedPicture(picture).id,
        })),
      ),
    },
    { table: "variant", rows: variants },
    { table: "offer", rows: offers },
    { table: "stock_adjustment", rows: adjustments(offers, book.sold, anchor) },
    { table: "collection", rows: collections },
    {
      table: "collection_product",
      rows: members.map((member) => ({ ...member, added_at: listedAt.get(Number(member["product_id"])) })),
    },
    { table: "bundle", rows: bundles.bundles },
    { table: "bundle_hub", rows: bundles.hubs },
    { table: "bundle_item", rows: bundles.items },
    { table: "post", rows: buildPosts(plans, specials, anchor) },
    { table: "banner", rows: buildBanners() },
    { table: "customer", rows: customers },
    { table: "address", rows: addresses },
    { table: "payment_method", rows: things.paymentMethods },
    { table: "wagon_pass", rows: things.passes },
    {
      table: "discount_code",
      rows: discountCodes.map(({ id, code, reason, percentPpm, amountCents, minimumCents }) => ({
        id,
        code,
        reason,
        percent_ppm: percentPpm,
        amount_cents: amountCents,
        minimum_cents: minimumCents,
        uses: uses.get(id)?.length ?? 0,
      })),
    },
    { table: "test_charge", rows: book.charges },
    { table: "payment", rows: book.payments },
    { table: "orders", rows: book.orders },
    { table: "order_item", rows: book.items },
    { table: "discount_use", rows: book.discountUses },
    { table: "ledger_transaction", rows: book.transactions },
    { table: "ledger_entry", rows: book.entries },
    { table: "mail", rows: book.mails },
    { table: "subscription", rows: things.subscriptions },
    { table: "bundle_subscription", rows: things.bundleSubscriptions },
    { table: "cart", rows: things.carts },
    { table: "cart_item", rows: things.cartItems },
    { table: "review", rows: social.reviews },
    { table: "question", rows: social.questions },
    { table: "endorsement", rows: social.endorsements },
    { table: "follow", rows: social.follows },
    { table: "favorite_product", rows: social.favorites },
    { table: "thread", rows: social.threads },
    { table: "message", rows: social.messages },
    { table: "content_page", rows: contentPages() },
    { table: "blog_post", rows: blogPosts(monday) },
    { table: "faq_entry", rows: faqEntries() },
  ];
}
