import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

import { parseWkt, validatePolygon } from "@marketday/domain/geo";
import { cents } from "@marketday/domain/money";
import { vendorColor } from "@marketday/domain/picture";
import { orderTotal } from "@marketday/domain/pricing";
import { pictureId } from "@marketday/server/modules/pictures/import-pictures";
import sharp from "sharp";
import { describe, expect, test } from "vitest";

import { motifBody } from "../drawing/compose.ts";
import { drawPicture } from "../drawing/draw.ts";
import { recipeSize } from "../drawing/recipe.ts";
import { hubPlans } from "./hubs.ts";
import { buildMarket, weekOf } from "./market.ts";
import { isListed } from "./offers.ts";
import { pictureFile, picturePath, sharedPictures } from "./pictures.ts";
import { planProducts } from "./products.ts";
import { allRecipes } from "./recipes.ts";
import type {
  DeliveryRow,
  HubRow,
  OfferRow,
  OrderItemRow,
  OrderRow,
  PictureRow,
  ProductRow,
  VariantRow,
  VendorRow,
} from "./rows.ts";
import { vendorPlans } from "./vendors.ts";
import { conversations, endorsementWords, openQuestions, questionWords, reviewWords } from "./words.ts";

const now = new Date("2026-11-18T15:00:00Z");
const tables = new Map(buildMarket(now, ["a", "b", "c"]).map(({ table, rows }) => [table, rows]));
const rowsOf = <T>(table: string): T[] => (tables.get(table) ?? []) as T[];
const hash = (of: unknown): string => createHash("sha256").update(JSON.stringify(of)).digest("hex");

describe("demo market of a week", () => {
  test("demo: two calls with the same instant return the same rows", () => {
    expect(hash(buildMarket(now, ["a"]))).toBe(hash(buildMarket(now, ["a"])));
  });

  test("demo: any instant of a week returns the same rows, except those that depend on the hour", () => {
    const hourly = new Set(["payment", "test_charge", "delivery_run", "ledger_transaction", "ledger_entry", "review"]);
    const stableRows = (at: Date): string =>
      hash(
        buildMarket(at, ["a"])
          .filter(({ table }) => !hourly.has(table))
          .map(({ table, rows }) =>
            table === "orders" ? rows.map((row) => ({ ...row, status: "", closed_at: "" })) : rows,
          ),
      );
    expect(stableRows(new Date("2026-11-16T00:00:00Z"))).toBe(stableRows(new Date("2026-11-22T23:59:59Z")));
    expect(stableRows(new Date("2026-11-23T00:00:00Z"))).not.toBe(stableRows(now));
  });

  test("demo: weeks begin on Monday, UTC", () => {
    expect(weekOf(new Date("2026-11-22T23:59:59Z")).monday).toBe("2026-11-16");
    expect(weekOf(new Date("2026-11-23T00:00:00Z")).monday).toBe("2026-11-23");
  });
});

describe("hubs", () => {
  test("demo: outlines are valid, with six decimals and at most 120 points, and each hub serves its zip and pickup points", () => {
    const zips = rowsOf<{ hub_id: number; zip_code: string }>("hub_zip");
    for (const hub of rowsOf<HubRow>("hub")) {
      for (const wkt of hub.boundaries) {
        const result = validatePolygon(parseWkt(wkt));
        expect(result).toMatchObject({ ok: true });
        expect(result.ok && result.polygon).toEqual(parseWkt(wkt));
        expect(parseWkt(wkt).coordinates[0]?.length).toBeLessThanOrEqual(121);
        expect(wkt).not.toMatch(/\.\d{7}/);
      }
      const own = new Set(zips.filter((zip) => zip.hub_id === hub.id).map((zip) => zip.zip_code));
      expect(own.size).toBeGreaterThan(30);
      expect(own.has(hub.zip_code)).toBe(true);
      for (const point of hubPlans.find((plan) => plan.id === hub.id)?.pickups ?? [])
        expect(own.has(point.zipCode)).toBe(true);
    }
  });

  test("demo: some zips are served by two hubs", () => {
    const zips = rowsOf<{ zip_code: string }>("hub_zip").map((row) => row.zip_code);
    expect(new Set(zips).size).toBeLessThan(zips.length);
  });

  test("demo: each hub has twelve past and at least eleven upcoming deliveries at any hour of the week", () => {
    for (const hub of hubPlans) {
      const days = rowsOf<DeliveryRow>("delivery").filter((day) => day.hub_id === hub.id);
      expect(days.filter((day) => day.cutoff_at > "2026-11-22T23:59:59Z").length).toBeGreaterThanOrEqual(11);
      expect(days.filter((day) => day.day < "2026-11-16").length).toBe(12);
    }
  });

  test.for(["2027-01-04", "2027-02-15", "2027-04-05", "2027-06-07", "2027-08-02", "2027-10-04"])(
    "demo: in the week of %s each hub lists at least 200 products",
    (monday) => {
      const plans = planProducts(weekOf(new Date(`${monday}T12:00:00Z`)).monday).filter(isListed);
      for (const hub of hubPlans) {
        expect(plans.filter((plan) => plan.vendor.hubIds.includes(hub.id)).length).toBeGreaterThanOrEqual(200);
      }
    },
  );
});

test("demo: on the last evening of its week there are still new products and a new vendor to show", () => {
  const newSince = "2026-11-15T22:00:00Z";
  const offers = rowsOf<OfferRow>("offer");
  const vendorOf = new Map(rowsOf<ProductRow>("product").map((product) => [product.id, product.vendor_id]));
  const productOf = new Map(rowsOf<VariantRow>("variant").map((variant) => [variant.id, variant.product_id]));
  const firstListed = new Map<number, string>();
  for (const offer of offers) {
    const vendor = vendorOf.get(productOf.get(offer.variant_id) ?? 0) ?? 0;
    const earliest = firstListed.get(vendor);
    if (!earliest || offer.published_at < earliest) firstListed.set(vendor, offer.published_at);
  }
  expect(offers.filter((offer) => offer.published_at > newSince).length).toBeGreaterThanOrEqual(10);
  expect([...firstListed.values()].some((at) => at > "2026-11-15T00:00:00Z")).toBe(true);
});

describe("products", () => {
  const products = rowsOf<ProductRow>("product");

  test("demo: the picture of a product names it, and no two names share one picture", () => {
    const words = (text: string) =>
      new Set((text.toLowerCase().match(/\p{L}{3,}/gu) ?? []).map((word) => word.replace(/(ies|es|s|y)$/, "")));
    const alts = new Map(rowsOf<PictureRow>("picture").map((picture) => [picture.id, picture.alt]));
    const firstOf = new Map(
      rowsOf<{ product_id: number; position: number; picture_id: string }>("product_picture")
        .filter(({ position }) => position === 0)
        .map((row) => [row.product_id, alts.get(row.picture_id) ?? ""]),
    );
    const unlike = products
      .map(({ id, title }) => ({ title, alt: firstOf.get(id) ?? "" }))
      .filter(({ title, alt }) => ![...words(title)].some((word) => words(alt).has(word)));
    expect(unlike).toEqual([]);
    const names = Map.groupBy(
      allRecipes.filter(({ key }) => !key.startsWith("avatar-")),
      ({ recipe }) => JSON.stringify(recipe),
    );
    expect([...names.values()].filter((same) => same.length > 1)).toEqual([]);
  });

  test("demo: there are 1,200 products of 60 vendors, each with a picture, a price and a description", () => {
    expect([products.length, rowsOf<VendorRow>("vendor").length]).toEqual([1200, 60]);
    const pictures = new Map(rowsOf<PictureRow>("picture").map((picture) => [picture.id, picture]));
    const shown = new Map(
      rowsOf<{ product_id: number; picture_id: string }>("product_picture").map((row) => [
        row.product_id,
        row.picture_id,
      ]),
    );
    const variants = Map.groupBy(rowsOf<VariantRow>("variant"), (variant) => variant.product_id);
    for (const product of products) {
      expect(pictures.get(shown.get(product.id) ?? "")?.alt).toBeTruthy();
      expect(variants.get(product.id)?.length).toBeGreaterThanOrEqual(1);
      expect(variants.get(product.id)?.length).toBeLessThanOrEqual(4);
      expect(product.description).toMatch(/^<p>.{20}/);
      expect(product.description).not.toMatch(/lorem|undefined|null|<(?!\/?(p|em|strong)>)/i);
    }
  });

  test("demo: slugs are unique and differ from path names", () => {
    for (const table of ["product", "vendor", "collection", "bundle", "blog_post"]) {
      const slugs = rowsOf<{ slug: string }>(table).map((row) => row.slug);
      expect(new Set(slugs).size).toBe(slugs.length);
      expect(slugs.filter((slug) => /^\d+$|^(vendor|subscribed|search)$|[^a-z0-9-]/.test(slug))).toEqual([]);
    }
  });

  test("demo: some products are on sale, scarce, sold out or pre-ordered; a sale price is below the price", () => {
    const offers = rowsOf<OfferRow>("offer");
    const share = (fits: (offer: OfferRow) => boolean): number => offers.filter(fits).length / offers.length;
    expect(share((offer) => offer.sale_price_cents !== null)).toBeGreaterThan(0.05);
    expect(share((offer) => offer.sale_price_cents !== null)).toBeLessThan(0.15);
    expect(share((offer) => offer.inventory === 0)).toBeGreaterThan(0.02);
    expect(share((offer) => offer.inventory > 0 && offer.inventory < 5)).toBeGreaterThan(0.04);
    expect(rowsOf<VariantRow>("variant").filter((variant) => variant.pre_order_date).length).toBeGreaterThan(8);
    expect(offers.filter((offer) => (offer.sale_price_cents ?? 0) >= offer.price_cents)).toEqual([]);
  });

  test("demo: no vegetarian product contains animal rennet or meat, no vegan one milk, eggs or honey", () => {
    const wrong = products.filter(({ tags, ingredients }) => {
      const text = ingredients ?? "";
      if (tags.includes("vegetarian") && /(?<!vegetarian )\brennet|\b(lard|beef|pork|chicken|anchovy)\b/i.test(text))
        return true;
      return (
        tags.includes("vegan") && /\b(milk|cream|egg|eggs|honey|cheese)\b/i.test(text.replace(/coconut milk/gi, ""))
      );
    });
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });

  test("demo: no gluten free product contains wheat, rye or barley", () => {
    const wrong = products.filter(
      ({ tags, ingredients }) =>
        tags.includes("gluten free") && /\b(wheat|rye|barley|spelt)\b/i.test(ingredients ?? ""),
    );
    expect(wrong.map(({ title }) => title)).toEqual([]);
  });
});

describe("orders", () => {
  const orders = rowsOf<OrderRow>("orders");

  test("demo: the amounts of orders add up to the cent", { tags: ["fail:V3"] }, () => {
    const lines = Map.groupBy(rowsOf<OrderItemRow>("order_item"), (item) => item.order_id);
    for (const order of orders) {
      const of = lines.get(order.id) ?? [];
      const sum = (value: (item: OrderItemRow) => number): number => of.reduce((all, item) => all + value(item), 0);
      expect(sum((item) => item.quantity * item.unit_price_cents)).toBe(order.items_cents);
      expect(sum((item) => item.discount_cents)).toBe(order.discount_cents);
      expect(sum((item) => item.tax_cents)).toBe(order.tax_cents);
      expect(order.order_total_cents).toBe(
        orderTotal({
          itemsCents: cents(order.items_cents),
          tipCents: cents(order.tip_cents),
          processingFeeCents: cents(order.card_fee_cents + order.delivery_fee_cents),
          taxCents: cents(order.tax_cents),
          discountCents: cents(order.discount_cents),
        }),
      );
    }
  });

  test("demo: orders are placed before their cutoff, after their products were listed, and not in the future", () => {
    const cutoffs = new Map(rowsOf<DeliveryRow>("delivery").map((day) => [day.id, day.cutoff_at]));
    const listed = new Map(
      rowsOf<OfferRow>("offer").map((offer) => [`${offer.variant_id} ${offer.hub_id}`, offer.published_at]),
    );
    const lines = Map.groupBy(rowsOf<OrderItemRow>("order_item"), (item) => item.order_id);
    for (const order of orders) {
      expect(order.created_at < (cutoffs.get(order.delivery_id) ?? "")).toBe(true);
      expect(order.created_at <= now.toISOString()).toBe(true);
      for (const item of lines.get(order.id) ?? []) {
        expect((listed.get(`${item.variant_id} ${order.hub_id}`) ?? "9") <= order.created_at).toBe(true);
      }
    }
  });

  test("demo: orders have every status, and the new shopper has none", () => {
    expect(new Set(orders.map((order) => order.status))).toEqual(new Set(["closed", "pending", "open", "future"]));
    expect(orders.some((order) => order.customer_id === 3)).toBe(false);
    expect(orders.filter((order) => order.customer_id === 1).length).toBeGreaterThan(10);
  });
});

describe("pictures", () => {
  test("demo: every motif of a recipe exists", () => {
    const motifs = allRecipes.flatMap(({ recipe }) => ("motifs" in recipe ? recipe.motifs : []));
    expect(motifs.filter((motif) => !motifBody(motif).includes("<"))).toEqual([]);
  });

  test("demo: the committed pictures have the ids of imports and the text and size of their recipes", async () => {
    expect([...sharedPictures.keys()]).toEqual(allRecipes.map(({ key }) => key));
    for (const { key, alt, recipe } of allRecipes) {
      const bytes = readFileSync(picturePath(key));
      expect(sharedPictures.get(key)).toMatchObject({ id: pictureId(pictureFile(key), bytes), alt });
      expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", ...recipeSize(recipe) });
    }
  });

  test("demo: the committed pictures match what `build-pictures.ts` draws", async () => {
    const pixels = (bytes: Buffer) => sharp(bytes).resize(96).raw().toBuffer();
    for (const { key, recipe } of allRecipes.filter((_, place) => place % 40 === 0)) {
      const committed = await pixels(readFileSync(picturePath(key)));
      const drawn = await pixels(await drawPicture(recipe));
      const difference = committed.reduce((sum, value, i) => sum + Math.abs(value - (drawn[i] ?? 0)), 0);
      expect(difference / committed.length, key).toBeLessThan(1);
    }
  });

  test("demo: vendors use all eight colors", () => {
    expect(new Set(vendorPlans.map(({ id }) => vendorColor(id))).size).toBe(8);
  });
});

test("demo: reviews, questions and messages are within the length limits of the spec", () => {
  const comments = [...reviewWords.values()].flat().map(({ comment }) => comment);
  expect(
    Math.max(...[...comments, ...endorsementWords.map((words) => words.comment)].map((text) => text.length)),
  ).toBeLessThanOrEqual(250);
  expect(
    Math.max(
      ...[...questionWords.values()].flat().map(({ question }) => question.length),
      ...openQuestions.map((text) => text.length),
    ),
  ).toBeLessThanOrEqual(400);
  expect(Math.max(...conversations.flat().map((text) => text.length))).toBeLessThanOrEqual(250);
  expect(
    rowsOf<{ rating_halves: number }>("review").every(({ rating_halves }) => rating_halves >= 0 && rating_halves <= 10),
  ).toBe(true);
});
