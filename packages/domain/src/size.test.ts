import { expect, test } from "vitest";

import { formatSize, formatSized, hasSize } from "./size.ts";

/** Product, variant, unit, measure and its amount, then the size, and the whole name. */
const cases = [
  // A size that the variant's title has is not repeated by unit or measure.
  ["Maple Yogurt", "24 oz", "24 oz", "oz", 24, "24 oz", "Maple Yogurt, 24 oz"],
  ["Maple Yogurt", "24 oz", "24oz", null, null, "24 oz", "Maple Yogurt, 24 oz"],
  ["Beef Chili", "Quart", "quart", "oz", 32, "Quart", "Beef Chili, Quart"],
  ["Whole Milk", "Half gallon", "half gallon", "oz", 64, "Half gallon", "Whole Milk, Half gallon"],
  ["Duck Breast", "Two, 14 oz", "14 oz", "oz", 14, "Two, 14 oz", "Duck Breast, Two, 14 oz"],
  ["Goat Cheese", "Round", "Round, 5 oz", null, null, "Round, 5 oz", "Goat Cheese, Round, 5 oz"],
  // What the title does not say, the unit or the measure does.
  ["Goat Cheese", "Round", "5 oz", null, null, "Round, 5 oz", "Goat Cheese, Round, 5 oz"],
  ["Goat Cheese", "Round", null, "oz", 5, "Round, 5 oz", "Goat Cheese, Round, 5 oz"],
  ["Heirloom Tomatoes", "Pint", "12 oz", "oz", 12, "Pint, 12 oz", "Heirloom Tomatoes, Pint, 12 oz"],
  ["Country Sourdough", "Loaf", "loaf", "lb", 1.5, "Loaf, 1.5 lb", "Country Sourdough, Loaf, 1.5 lb"],
  ["Saffron", "Jar", null, "oz", 1 / 3, "Jar, 0.33 oz", "Saffron, Jar, 0.33 oz"],
  // One piece is a size, and says nothing beside another.
  ["Strawberry Jam", "Each", "8 oz", null, null, "8 oz", "Strawberry Jam, 8 oz"],
  ["Strawberry Jam", "One", null, "oz", 8, "8 oz", "Strawberry Jam, 8 oz"],
  ["Brown Eggs", "Half dozen", "6", null, null, "Half dozen", "Brown Eggs, Half dozen"],
  ["Bell Peppers", "Each", "each", null, null, "Each", "Bell Peppers, Each"],
  ["Bell Peppers", "Each", null, null, null, "Each", "Bell Peppers, Each"],
  // A title that is none is not shown.
  ["Strawberry Jam", "Default Title", "8 oz", null, null, "8 oz", "Strawberry Jam, 8 oz"],
  ["Strawberry Jam", "Default", null, null, null, "", "Strawberry Jam"],
  ["Strawberry Jam", " ", "", "", 0, "", "Strawberry Jam"],
  ["Strawberry Jam", "-", null, "oz", -1, "", "Strawberry Jam"],
  ["Strawberry Jam", "strawberry jam", "jar", null, null, "jar", "Strawberry Jam, jar"],
  // What the product's title says is not repeated.
  ["Strawberry Jam", "Strawberry Jam", null, null, null, "", "Strawberry Jam"],
  ["Pasture Eggs, Dozen", "Dozen", "dozen", null, null, "", "Pasture Eggs, Dozen"],
  ["Mixed Pint", "Pint", "pint", "oz", 12, "", "Mixed Pint"],
  ["Shampoo Bar", "Bar", null, "oz", 4, "4 oz", "Shampoo Bar, 4 oz"],
  ["Cider, Half Gallon", "Gallon", "gallon", "oz", 128, "Gallon", "Cider, Half Gallon, Gallon"],
  ["Honey, 12 oz", "Default Title", "oz", null, null, "", "Honey, 12 oz"],
  ["Whole Milk 1 Gallon", "Gallon", "gallon", null, null, "", "Whole Milk 1 Gallon"],
  // An amount that rounds to none is not shown.
  ["Saffron", "Jar", null, "oz", 0.001, "Jar", "Saffron, Jar"],
  // A fraction is an amount.
  ["Butter", "½ lb", null, "oz", 8, "½ lb", "Butter, ½ lb"],
  ["Butter", "Half lb", null, "oz", 8, "Half lb", "Butter, Half lb"],
  ["Butter", "1½ lb", "½ lb", null, null, "1½ lb", "Butter, 1½ lb"],
] as const;

test.for(cases)("%s, %s, unit %s, measure %s %s: size %s", ([product, variant, unit, measure, amount, size, name]) => {
  const facts = { unit, measure, measureAmount: amount };
  expect(formatSize(product, variant, facts)).toBe(size);
  expect(formatSized(product, variant, facts)).toBe(name);
});

test.for([
  ["1 lb", "lb", "1 lb"],
  ["1 lb", "lbs", "1 lb"],
  ["2 lbs", "lb", "2 lbs"],
  ["1 pound", "lb.", "1 pound"],
  ["12 oz jar", "oz", "12 oz jar"],
  ["12 oz jar", "jars", "12 oz jar"],
  ["1 dozen", "dozen", "1 dozen"],
  ["1lb", "lb", "1lb"],
  ["½ lb", "lb", "½ lb"],
  ["Half gallon", "gal", "Half gallon"],
] as const)("%s and %s is %s, as title and unit and as unit and title", ([amount, word, size]) => {
  const none = { measure: null, measureAmount: null };
  expect(formatSize("Goat Cheese", amount, { unit: word, ...none })).toBe(size);
  expect(formatSize("Goat Cheese", word, { unit: amount, ...none })).toBe(size);
});

test.for([
  ["Pint", "pints"],
  ["3 lb bag", "3-lb bag"],
  ["Box", "boxes"],
  ["½ lb", "1/2 lb"],
  ["Per lb", "1 lb"],
  ["Per lb", "lb"],
] as const)("%s and %s are one size: the title", ([a, b]) => {
  const none = { measure: null, measureAmount: null };
  expect(formatSize("Goat Cheese", a, { unit: b, ...none })).toBe(a);
  expect(formatSize("Goat Cheese", b, { unit: a, ...none })).toBe(b === "lb" ? a : b);
});

test.for([
  ["Per lb", 1, "Per lb"],
  ["lb", 2, "2 lb"],
  ["Bag", 3, "Bag, 3 lb"],
] as const)("%s with a measure of %d lb is %s", ([variant, measureAmount, size]) => {
  expect(formatSize("Goat Cheese", variant, { unit: null, measure: "lb", measureAmount })).toBe(size);
  expect(formatSize("Goat Cheese", "", { unit: variant, measure: "lb", measureAmount })).toBe(size);
});

test.for([
  ["Large", "1 lb", "Large, 1 lb"],
  ["18 oz", "8 oz", "18 oz, 8 oz"],
  ["Glass", "Gla", "Glass, Gla"],
  ["1.5 lb", "5 lb", "1.5 lb, 5 lb"],
  ["1/2 lb", "2 lb", "1/2 lb, 2 lb"],
] as const)("%s and %s are two facts", ([variant, unit, size]) => {
  expect(formatSize("Goat Cheese", variant, { unit, measure: null, measureAmount: null })).toBe(size);
});

test("two products of one name and one title have different sizes by their unit or their measure", () => {
  const jam = (unit: string | null, measureAmount: number | null) =>
    formatSize("Strawberry Jam", "Jar", { unit, measure: "oz", measureAmount });
  expect(new Set([jam("8 oz", null), jam("12 oz", null), jam(null, 8.5), jam("jar", 16)]).size).toBe(4);
});

test.for([
  ["Strawberry Jam", "Each", null, null, false],
  ["Strawberry Jam", "Default Title", null, null, false],
  ["Strawberry Jam", "Strawberry jam", "", null, false],
  ["Strawberry Jam", "", null, null, false],
  ["Strawberry Jam", "1", null, null, false],
  ["Strawberry Jam", "Jar", null, null, true],
  ["Strawberry Jam", "Each", "8 oz", null, true],
  ["Strawberry Jam", "Each", null, 8, true],
  ["Bell Peppers", "Each", "each", null, true],
  ["Strawberry Jam, 8 oz", "Default", null, null, true],
  ["Pasture Eggs, Dozen", "Dozen", null, null, true],
] as const)("%s, %s, unit %s, %s oz: has a size %s", ([product, variant, unit, measureAmount, expected]) => {
  expect(hasSize(product, variant, { unit, measure: "oz", measureAmount })).toBe(expected);
});
