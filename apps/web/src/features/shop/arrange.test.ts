import type { FeedCard } from "@marketday/contracts/feed";
import type { Product } from "@marketday/contracts/products";
import { expect, test } from "vitest";

import { product as plain } from "../products/product.fixture.ts";
import { arrangeFeed, ribbonText, verbLine } from "./arrange.ts";

const product = (id: number, inventory = 5): Product =>
  plain(id, [
    {
      id,
      title: "",
      inventory,
      price: 5,
      salePrice: null,
      isSubscribed: false,
      preOrderDate: null,
      size: "",
      unitPrice: null,
    },
  ]);
let cards = 0;
const card = (type: FeedCard["type"], more: Partial<FeedCard> = {}): FeedCard => ({
  id: `c${++cards}`,
  type,
  title: "",
  subtitle: "",
  avatar: null,
  avatarLabel: "",
  text: "",
  textImage: null,
  product: null,
  vendor: null,
  created: "2026-11-01T00:00:00Z",
  ...more,
});
const ids = (products: Product[]) => products.map(({ id }) => id);

test("picks come first, what is sold out last, nothing twice", () => {
  const { picks } = arrangeFeed([
    card("new-item", { product: product(1) }),
    card("staff-pick", { product: product(2, 0) }),
    card("staff-pick", { product: product(3) }),
    card("on-sale", { product: product(3) }),
  ]);
  expect(ids(picks)).toEqual([3, 1, 2]);
});

test("a rail needs four things that are not in the grid", () => {
  const many = Array.from({ length: 12 }, (_, index) => card("staff-pick", { product: product(index + 1) }));
  const sales = [20, 21, 22, 23].map((id) => card("on-sale", { product: product(id) }));
  expect(arrangeFeed([...many, ...sales]).rails).toMatchObject([{ id: "deals" }]);
  expect(arrangeFeed([...many, ...sales.slice(1)]).rails).toEqual([]);
});

test("no card is lost: each is a tile or stands as a card", { tags: ["spec:2.4-63"] }, () => {
  const feed = Object.keys(verbLine).flatMap((type, place) => [
    card(type as FeedCard["type"], { product: product(100 + place) }),
    card(type as FeedCard["type"], { text: "A text", product: product(200 + place) }),
  ]);
  const { picks, rails, cards: shown } = arrangeFeed(feed);
  const tiles = new Set([...ids(picks), ...rails.flatMap(({ products }) => ids(products))]);
  for (const one of feed) expect(shown.includes(one) || (one.product !== null && tiles.has(one.product.id))).toBe(true);
  expect(shown.filter(({ text }) => text !== "")).toHaveLength(9);
});

test("a product that no market sells here never becomes a tile of the grid", () => {
  const elsewhere = { ...product(1), variants: [] };
  expect(arrangeFeed([card("staff-pick", { product: elsewhere })]).picks).toEqual([]);
});

test("a staff card's product has the card's ribbon, unless it has its own", { tags: ["spec:1-01"] }, () => {
  const own = { ...product(2), ribbonText: "Grandma's favourite", ribbonType: "staff-pick" };
  const feed = [
    card("staff-flash-sale", { product: product(1) }),
    card("staff-pick", { product: own }),
    card("new-item", { product: product(3) }),
    card("on-sale", { product: product(1) }),
  ];
  const { picks } = arrangeFeed(feed);
  expect(picks.map(({ id, ribbonType, ribbonText }) => [id, ribbonType, ribbonText])).toEqual([
    [2, "staff-pick", "Grandma's favourite"],
    [1, "staff-flash-sale", "Flash sale"],
    [3, null, null],
  ]);
  expect(feed.map(ribbonText)).toEqual(["Flash sale", "Grandma's favourite", "New this week", "On sale"]);
});
