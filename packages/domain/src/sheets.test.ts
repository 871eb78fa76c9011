import fc from "fast-check";
import { expect, test } from "vitest";

import type { DeliveryAddress } from "./address.ts";
import { planLoads, planStops } from "./loads.ts";
import { cents, zeroCents } from "./money.ts";
import {
  type Box,
  type BoxLine,
  compareDays,
  itemTitle,
  labelsOf,
  packLists,
  STORAGES,
  toteAddress,
  vendorSheets,
} from "./sheets.ts";

const door: DeliveryAddress = {
  address: "12 Main Street",
  address2: "",
  city: "Carmel",
  state: "IN",
  zipCode: "46032",
  instructions: "",
};
const depot = {
  name: "Depot",
  address: "1 Station Road",
  city: "Carmel",
  state: "IN",
  zipCode: "46032",
  hours: "4 to 7",
};

/** Twelve products of four vendors; a variant is always the same product, of the same vendor, packed the same way. */
const line = (variantId: number, quantity: number): BoxLine => ({
  orderItemId: 0,
  vendorId: variantId % 4,
  vendor: `Vendor ${variantId % 4}`,
  variantId,
  product: `Product ${variantId}`,
  variant: "Each",
  unit: null,
  storage: STORAGES[variantId % 3]!,
  bundle: variantId % 5 === 0 ? "Breakfast" : null,
  quantity,
});
const box = (tote: number, lines: readonly BoxLine[], rest: Partial<Box> = {}): Box => ({
  tote,
  orderId: 100_000_000 + tote,
  name: `Shopper ${tote}`,
  phone: "",
  door,
  pickup: null,
  notes: "",
  dueCents: zeroCents,
  lines,
  ...rest,
});
const boxes = fc
  .array(
    fc.array(fc.record({ variant: fc.nat({ max: 11 }), quantity: fc.integer({ min: 1, max: 9 }) }), {
      minLength: 1,
      maxLength: 8,
    }),
    { maxLength: 25 },
  )
  .map((all) =>
    all.map((lines, place) =>
      box(
        place + 1,
        lines.map(({ variant, quantity }) => line(variant, quantity)),
        place % 3 === 0 ? { door: null, pickup: depot } : {},
      ),
    ),
  );
/** Nowhere in particular: the routes are sorted by zip and street. */
const map = { start: { lat: 40, lng: -86 }, pointOf: () => null };
const loadsOf = (day: readonly Box[], drivers: number) =>
  planLoads({ boxes: day, plan: planStops(day, { ...map, drivers, previous: null }) }, map);
/** What differs between two versions whose routes are not planned. */
const compare = (before: readonly Box[], after: readonly Box[]) =>
  compareDays({ boxes: before, plan: null }, { boxes: after, plan: null });
const units = (lines: readonly { quantity: number }[]) => lines.reduce((all, { quantity }) => all + quantity, 0);

test("what vendors bring is what was ordered, is what goes into the totes, is what is packed", () => {
  fc.assert(
    fc.property(boxes, (day) => {
      const ordered = Map.groupBy(
        day.flatMap(({ lines }) => lines),
        ({ variantId }) => variantId,
      );
      const sheets = vendorSheets(day);
      const items = sheets.flatMap((sheet) => sheet.items.map((item) => ({ ...item, vendorId: sheet.vendorId })));
      expect(items.map(({ variantId }) => variantId).toSorted((a, b) => a - b)).toEqual(
        [...ordered.keys()].toSorted((a, b) => a - b),
      );
      for (const item of items) {
        const lines = ordered.get(item.variantId)!;
        expect(item).toMatchObject({ quantity: units(lines), vendorId: lines[0]!.vendorId });
        expect(units(item.totes)).toBe(item.quantity);
        expect(new Set(item.totes.map(({ tote }) => tote)).size).toBe(item.totes.length);
      }
      for (const sheet of sheets) expect(sheet.quantity).toBe(units(sheet.items));
      // The other way round: by tote, however the boxes are sorted.
      const lists = packLists(day.toReversed());
      expect(lists.map((list) => list.box.tote)).toEqual(day.map(({ tote }) => tote));
      for (const { box: each, parts } of lists) {
        expect(units(parts)).toBe(units(each.lines));
        for (const part of parts) {
          expect(part.quantity).toBe(units(part.lines));
          for (const packed of part.lines) {
            expect(packed.storage).toBe(part.storage);
            const filled = items.find(({ variantId }) => variantId === packed.variantId)!;
            expect(filled.totes.find(({ tote }) => tote === each.tote)?.quantity).toBe(packed.quantity);
          }
        }
      }
    }),
  );
});

test("vendor sheet: items are listed dry, cold, frozen, then by name", () => {
  const item = (product: string, storage: BoxLine["storage"], variantId: number): BoxLine => ({
    ...line(variantId, 1),
    vendorId: 1,
    vendor: "Vendor 1",
    product,
    storage,
  });
  const lines = [
    item("Ice Cream", "frozen", 1),
    item("Apples", "dry", 2),
    item("Butter", "cold", 3),
    item("Walnuts", "dry", 4),
    item("Asparagus", "cold", 5),
  ];
  for (const order of [lines, lines.toReversed()])
    expect(vendorSheets([box(1, order)])[0]!.items.map(({ product }) => product)).toEqual([
      "Apples",
      "Walnuts",
      "Asparagus",
      "Butter",
      "Ice Cream",
    ]);
});

test("every box is carried once, to its door or its pickup point, with all it holds", () => {
  fc.assert(
    fc.property(boxes, fc.integer({ min: 1, max: 5 }), (day, drivers) => {
      const { routes, pickups, unknown } = loadsOf(day, drivers);
      const carried = [...routes.flatMap(({ stops }) => stops), ...pickups.flatMap((load) => load.boxes)];
      expect(unknown).toEqual([]);
      expect(carried.map((stop) => stop.box.tote).toSorted((a, b) => a - b)).toEqual(day.map(({ tote }) => tote));
      for (const stop of carried)
        expect(Object.values(stop.units).reduce((all, count) => all + count, 0)).toBe(units(stop.box.lines));
    }),
  );
});

test("sheets: boxes without a name are distinguished; pickups are sorted by last name", () => {
  const day = [
    box(1, [line(1, 1)], { door: null, pickup: depot, name: "Anna Zeller" }),
    box(2, [line(1, 1)], { door: null, pickup: depot, name: "Zoe Abel" }),
    box(3, [line(1, 1)], { door: null, name: "" }),
  ];
  const loads = loadsOf(day, 2);
  expect(loads.pickups.map((load) => load.boxes.map((each) => each.box.name))).toEqual([["Zoe Abel", "Anna Zeller"]]);
  expect(loads.unknown.map(({ tote }) => tote)).toEqual([3]);
  expect(loads.routes).toEqual([]);
});

test("cold and frozen things are packed apart and get their own label", () => {
  const [packed] = packLists([box(7, [line(2, 1), line(0, 2), line(1, 3), line(3, 1), line(0, 1)])]);
  expect(
    packed!.parts.map(({ storage, lines }) => [storage, lines.map(({ product, quantity }) => [product, quantity])]),
  ).toEqual([
    [
      "dry",
      [
        ["Product 0", 3],
        ["Product 3", 1],
      ],
    ],
    ["cold", [["Product 1", 3]]],
    ["frozen", [["Product 2", 1]]],
  ]);
  const [dry] = packLists([box(8, [line(0, 1)])]);
  expect(dry!.parts.map(({ storage }) => storage)).toEqual(["dry"]);
  const labels = labelsOf([packed!]);
  expect(labels.map(({ part, parts, storage }) => [part, parts, storage])).toEqual([
    [1, 3, "dry"],
    [2, 3, "cold"],
    [3, 3, "frozen"],
  ]);
  expect(toteAddress("https://market.example", labels[1]!.box)).toBe("HTTPS://MARKET.EXAMPLE/T/100000007");
});

test("item title: unit and variant are named where they do not repeat what is before them", () => {
  const title = (product: string, variant: string, unit: string | null) => itemTitle({ product, variant, unit });
  expect(title("Carrots", "Small", "8 oz")).toBe("Carrots, Small · 8 oz");
  expect(title("Carrots", "8 oz", "8 oz")).toBe("Carrots, 8 oz");
  expect(title("Eggs", "Dozen", null)).toBe("Eggs, Dozen");
  expect(title("Pasture Eggs, Dozen", "Dozen", "dozen")).toBe("Pasture Eggs, Dozen");
  expect(title("Milk", "Half gallon", "half gallon, 64 oz")).toBe("Milk, Half gallon · 64 oz");
  expect(title("Eggs", "", "dozen")).toBe("Eggs · dozen");
  expect(title("Eggs", "Eggs", "")).toBe("Eggs");
  // As in the cart: a placeholder is no title, and one piece says nothing beside a size.
  expect(title("Goat Cheese", "Default Title", "each")).toBe("Goat Cheese · each");
  expect(title("Goat Cheese", "Default Title", null)).toBe("Goat Cheese");
  expect(title("Goat Cheese", "Each", "8 oz")).toBe("Goat Cheese · 8 oz");
  expect(title("Goat Cheese", "Each", "each")).toBe("Goat Cheese, Each");
  expect(title("Goat Cheese", "1 lb", "lb")).toBe("Goat Cheese, 1 lb");
  expect(title("Goat Cheese", "Round, small", "jar, 12 oz")).toBe("Goat Cheese, Round, small · jar, 12 oz");
});

test("two versions: what was cancelled, came short, came in or goes elsewhere; nothing else", () => {
  const before = [
    box(1, [line(0, 2), line(1, 1)]),
    box(2, [line(0, 1)]),
    box(3, [line(4, 5), line(5, 1)]),
    box(4, [line(4, 1)]),
    box(5, [line(4, 2)]),
    box(7, [line(4, 2)]),
  ];
  const after = [
    box(1, [line(1, 1), line(0, 2)]),
    box(3, [line(4, 3)]),
    box(4, [line(4, 1)], { door: { ...door, address: "9 Elm Street" } }),
    box(5, [line(4, 1), line(4, 1)]),
    box(6, [line(2, 1)]),
    box(7, [line(4, 1)], { door: { ...door, address: "9 Elm Street" } }),
  ];
  expect(
    compare(before, after).map(({ tote, kind, lines }) => [
      tote,
      kind,
      ...lines.map((each) => `${each.product} ${each.before}→${each.after}`),
    ]),
  ).toEqual([
    [2, "cancelled", "Product 0 1→0"],
    [6, "added", "Product 2 0→1"],
    [3, "changed", "Product 4 5→3", "Product 5 1→0"],
    [7, "changed", "Product 4 2→1"],
    [4, "moved"],
    [7, "moved"],
  ]);
  expect(compare(before, before)).toEqual([]);
  // The items of a box are by vendor, then by name, in whatever order they were sold.
  const mixed = [line(7, 1), line(10, 1), line(6, 1), line(3, 1), line(2, 1)];
  expect(compare([box(1, mixed)], [])[0]!.lines.map(({ product }) => product.replace("Product ", ""))).toEqual([
    "10",
    "2",
    "6",
    "3",
    "7",
  ]);
  const dear = [{ ...before[1]!, dueCents: cents(895) }];
  expect(compare(dear, [{ ...box(2, [line(0, 2)]), dueCents: cents(1790) }])[0]!.due).toEqual({
    before: 895,
    after: 1790,
  });
  expect(compare(dear, [])[0]!.due).toEqual({ before: 895, after: 0 });
  // A box whose amount alone changed, because it was paid at the door, is listed after what was canceled or changed.
  const paid = compare([{ ...before[0]!, dueCents: cents(895) }, before[2]!, before[3]!], [before[0]!, after[1]!]);
  expect(paid.map(({ tote, kind }) => [tote, kind])).toEqual([
    [4, "cancelled"],
    [3, "changed"],
    [1, "collect"],
  ]);
});

test("sheets: changes from version to version add up to the change from the first", () => {
  fc.assert(
    fc.property(boxes, boxes, (before, after) => {
      const net = (changes: ReturnType<typeof compare>) =>
        changes.flatMap(({ lines }) => lines).reduce((all, each) => all + each.after - each.before, 0);
      const total = (day: readonly Box[]) => units(day.flatMap(({ lines }) => lines));
      expect(net(compare(before, after))).toBe(total(after) - total(before));
      expect(compare(after, after)).toEqual([]);
    }),
  );
});
