import type { Banner, Cart, CartItem } from "@marketday/contracts/cart";
import { orderBanners } from "@marketday/domain/cart";
import { explainFulfillment, FULFILLMENT_PROBLEMS } from "@marketday/domain/fulfillment";
import { CART_LINES_MAX } from "@marketday/domain/limits";
import { cents, formatUsd, toDollars } from "@marketday/domain/money";
import { formatOrderBy } from "@marketday/domain/order";
import type { PricedCartLine } from "@marketday/domain/price-cart";
import { CODE_MESSAGES } from "@marketday/domain/promotion";
import { referralRefusal } from "@marketday/domain/referral";
import { formatSize } from "@marketday/domain/size";

import { serializePicture, serializePictureOrNull } from "../pictures/picture-row.ts";
import { amountOf, nameOfLine } from "../products/size-sql.ts";
import type { CartRow } from "./cart-sql.ts";
import type { CartView, Pictured } from "./load-view.ts";
import { priceStoredCart, type StoredLine } from "./price-stored-cart.ts";

/** A line that got fewer units than requested. */
export interface Capped {
  variant_id: number;
  wanted: number;
  left: number;
}

const banner = (id: string, type: Banner["type"], title: string, body = ""): Banner => ({
  id,
  type,
  title,
  body,
  action: null,
});

/** A line that the hub does not sell, unless one banner says it of all lines of its market. */
function unsoldBanner({ row }: StoredLine, { hub_name, other_market }: CartView, hubId: number | null): Banner[] {
  if (other_market?.lines.has(row.id)) return [];
  const title = `${nameOfLine(row)} is not sold in ${hub_name ?? "this market"}.`;
  const body =
    row.hub_id === hubId ? "It stays here until it is sold again." : "It stays here and returns with its market.";
  return [banner(`unsold-${row.id}`, "information", title, body)];
}

/** Lines of another market than the shopper's: both are named (docs/product.md §3 "Market of a session"). */
const marketBanner = ({ other_market: other }: CartView): Banner[] =>
  other ? [banner(`market-${other.id}`, "warning", other.title, other.body)] : [];

/** The shopper's market is not published any more, or for now. */
const closedBanner = ({ hub_name: name }: CartView, hubId: number | null): Banner[] =>
  hubId === null || name !== null
    ? []
    : [
        {
          ...banner(`closed-${hubId}`, "warning", "Your market is closed at the moment.", "Choose another market."),
          action: "/hubs",
        },
      ];

function lineBanners(line: PricedCartLine<StoredLine>, capped: Capped | undefined): Banner[] {
  const { row } = line.line;
  const name = nameOfLine(row);
  if (line.watching)
    return [
      banner(
        `sold-out-${row.id}`,
        "warning",
        `${name} is sold out.`,
        "We watch it for you and put it back when more arrives.",
      ),
    ];
  const banners: Banner[] = [];
  const left = line.quantity < row.quantity ? line.quantity : capped && capped.left > 0 ? capped.left : null;
  if (left !== null)
    banners.push(banner(`capped-${row.id}`, "warning", `Only ${left} left of ${name}.`, `We set it to ${left}.`));
  if (line.unitCents !== row.seen_price_cents)
    banners.push(
      banner(
        `price-${row.id}`,
        "information",
        `${name} is now ${formatUsd(line.unitCents)}.`,
        `It was ${formatUsd(cents(row.seen_price_cents))} when you added it.`,
      ),
    );
  return banners;
}

function serializeItem(line: PricedCartLine<StoredLine>, pictured: Pictured): CartItem {
  const { row } = line.line;
  const { picture = null, vendor_avatar: avatar = null } = pictured.get(row.variant_id) ?? {};
  return {
    id: row.id,
    quantity: line.quantity,
    price: toDollars(line.unitCents),
    subscription_interval: row.subscription_interval,
    watching: line.watching,
    isPublished: line.isPublished,
    fromBundleId: row.bundle_id,
    vendor: {
      id: row.vendor_id,
      slug: row.vendor_slug,
      name: row.vendor_name,
      city: row.vendor_city,
      state: row.vendor_state,
      avatar: serializePictureOrNull(avatar),
    },
    product: {
      id: row.product_id,
      slug: row.product_slug,
      title: row.product_title || "Title Missing",
      images: picture ? [serializePicture(picture)] : [],
      variant: {
        id: row.variant_id,
        title: row.variant_title,
        size: formatSize(row.product_title, row.variant_title, amountOf(row)),
        inventory: row.inventory,
        price: toDollars(cents(row.price_cents ?? 0)),
        salePrice: row.sale_price_cents === null ? null : toDollars(cents(row.sale_price_cents)),
        preOrderDate: row.pre_order_date,
      },
    },
    discount:
      line.bundleDiscountCents > 0
        ? { amount: toDollars(line.bundleDiscountCents), reason: row.bundle_title ?? "Bundle" }
        : null,
  };
}

/** Why auto-checkout did not order, and what to do until the cutoff (docs/product.md §9). */
function autoBanner({ auto_problem, auto_place, cutoff_at, time_zone }: CartView, now: Date): Banner[] {
  if (!auto_problem || !cutoff_at || !time_zone) return [];
  const until = formatOrderBy(cutoff_at, time_zone, now);
  const sentences: Record<string, string> = {
    nothing: `There was nothing to order. Fill your cart and check out by ${until}.`,
    choose_market: `Choose the market you want to order from, and check out by ${until}.`,
    place_changed: `We order it now for where you receive. It shows here soon, or check out by ${until}.`,
    no_card: `We have no card of yours. Check out by ${until} and save one.`,
    declined: `Your card was declined. Check out by ${until} with another one.`,
    unconfirmed: `Your bank needs to confirm this payment. Check out and confirm it by ${until}.`,
    failed: `Something went wrong on our side. Please check out by ${until}.`,
  };
  const noPlace = FULFILLMENT_PROBLEMS.find((problem) => problem === auto_problem);
  if (noPlace) {
    const { cause, action } = explainFulfillment(noPlace, { place: auto_place ?? "", market: "this market" });
    sentences[noPlace] =
      `${cause.charAt(0).toUpperCase()}${cause.slice(1)}. ${action} in My Subscriptions, or check out, by ${until}.`;
  }
  return [
    {
      ...banner("auto-checkout", "warning", "Automatic checkout did not order.", sentences[auto_problem]),
      action: auto_problem === "nothing" ? "/shop" : noPlace ? "/subscription" : null,
    },
  ];
}

/** Subscribed items are added while there is room; a banner reports when there is none. */
function fullBanner({ lines }: CartRow): Banner[] {
  if (lines.length < CART_LINES_MAX) return [];
  return [
    banner(
      "cart-full",
      "warning",
      "Your cart is full.",
      `It holds ${CART_LINES_MAX} different items. Items you are subscribed to are left out until you remove something.`,
    ),
  ];
}

/** The bank ended the authorization of an order, or declined a new one. The order stays; the banner explains what to do (failures.md B13). */
function holdBanner({ lost_hold }: CartView, now: Date): Banner[] {
  if (!lost_hold) return [];
  const until = formatOrderBy(new Date(lost_hold.cutoff_at), lost_hold.time_zone, now);
  return [
    {
      ...banner(
        `hold-lost-${lost_hold.order_id}`,
        "warning",
        lost_hold.is_unconfirmed
          ? `Your bank needs to confirm the payment of order ${lost_hold.order_id}.`
          : `Your bank no longer holds the money for order ${lost_hold.order_id}.`,
        `The order stays open. Your default card is charged when it closes, ${until}: please make sure that it works, or choose another one under Payment methods in More.`,
      ),
      action: "/more",
    },
  ];
}

/** Rows → the cart of spec §3, priced as of now. `capped`: lines that the write before it capped. */
export function serializeCart(row: CartView, hubId: number | null, now: Date, capped: readonly Capped[] = []): Cart {
  const pricedCart = priceStoredCart(row, hubId, now);
  const items = pricedCart.lines.map((line) => serializeItem(line, row.pictured));
  const quantity = pricedCart.lines.filter(({ counts }) => counts).reduce((sum, line) => sum + line.quantity, 0);
  const discounts: Cart["discounts"] = pricedCart.lines
    .filter(({ bundleDiscountCents }) => bundleDiscountCents > 0)
    .map((line) => ({
      quantity: line.quantity,
      code: "",
      amount: toDollars(line.bundleDiscountCents),
      reason: line.line.row.bundle_title ?? "Bundle",
      forCartItemId: line.line.id,
    }));
  if (pricedCart.codeDiscountCents > 0 && row.code)
    discounts.push({
      quantity,
      code: row.code.code,
      amount: toDollars(pricedCart.codeDiscountCents),
      reason: row.code.reason || row.code.code,
      forCartItemId: null,
    });
  if (pricedCart.referralDiscountCents > 0)
    discounts.push({
      quantity,
      code: "",
      amount: toDollars(pricedCart.referralDiscountCents),
      reason: "A friend sent you",
      forCartItemId: null,
    });
  const banners: Banner[] = [
    ...closedBanner(row, hubId),
    ...marketBanner(row),
    ...holdBanner(row, now),
    ...autoBanner(row, now),
    ...fullBanner(row),
    ...pricedCart.lines.flatMap((line) =>
      line.isPublished
        ? lineBanners(
            line,
            capped.find(({ variant_id }) => variant_id === line.line.variantId),
          )
        : unsoldBanner(line.line, row, hubId),
    ),
    ...(pricedCart.codeRefusal && row.code
      ? [banner(`code-${row.code.id}`, "warning", `${row.code.code}: ${CODE_MESSAGES[pricedCart.codeRefusal]}`)]
      : []),
    ...(row.referral_refused ? [banner("referral", "information", referralRefusal(row.referral_refused))] : []),
    ...row.banners,
  ];
  return {
    id: row.cart_id,
    revision: row.version,
    items,
    discounts,
    banners: orderBanners(banners),
    subtotal: toDollars(pricedCart.subtotalCents),
    subtotalBeforeDiscounts: toDollars(pricedCart.itemsCents),
    deliveryDate: row.delivery_day,
    cutoff: row.cutoff_at?.toISOString() ?? null,
    timeZone: row.time_zone,
    otherMarket: serializeOtherMarket(row.other_market),
  };
}

const serializeOtherMarket = (market: CartView["other_market"]): Cart["otherMarket"] => {
  if (!market) return null;
  const { lines: _lines, ...rest } = market;
  return rest;
};

/** The cart of a shopper who has none yet. */
export const emptyCart: Cart = {
  id: null,
  revision: 0,
  items: [],
  discounts: [],
  banners: [],
  subtotal: 0,
  subtotalBeforeDiscounts: 0,
  deliveryDate: null,
  cutoff: null,
  timeZone: null,
  otherMarket: null,
};
