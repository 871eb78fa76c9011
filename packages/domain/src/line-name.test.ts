import { expect, test } from "vitest";

import { lineName, formatVariant } from "./cart.ts";

test.for([
  ["Heirloom Tomatoes", "Pint", "Heirloom Tomatoes, Pint"],
  ["Pasture Eggs, Dozen", "Dozen", "Pasture Eggs, Dozen"],
  ["Pasture Eggs, Half Dozen", "Half dozen", "Pasture Eggs, Half Dozen"],
  ["Pasture Eggs, Dozen", "Two dozen", "Pasture Eggs, Dozen, Two dozen"],
  ["Cider, Half Gallon", "Half gallon", "Cider, Half Gallon"],
  ["Cider, Half Gallon", "Gallon", "Cider, Half Gallon, Gallon"],
  ["Eggs, 1 1/2 Dozen", "1/2 dozen", "Eggs, 1 1/2 Dozen, 1/2 dozen"],
  ["Whole Milk 1 Gallon", "Gallon", "Whole Milk 1 Gallon"],
  ["Eggs, 1 Dozen", "Dozen", "Eggs, 1 Dozen"],
  ["Eggs, 1.0 Dozen", "Dozen", "Eggs, 1.0 Dozen"],
  ["Eggs, 1.5 Dozen", "Dozen", "Eggs, 1.5 Dozen, Dozen"],
  ["Eggs, 11 Dozen", "Dozen", "Eggs, 11 Dozen, Dozen"],
  ["Eggs, 1½ Dozen", "Dozen", "Eggs, 1½ Dozen, Dozen"],
  ["Eggs, 1 ½ Dozen", "½ dozen", "Eggs, 1 ½ Dozen, ½ dozen"],
  ["Vitamin B 1 L", "L", "Vitamin B 1 L"],
  ["Vitamin B 2 L", "L", "Vitamin B 2 L, L"],
  ["Behalf Gallon", "Gallon", "Behalf Gallon"],
  ["Shampoo Bar", "Bar", "Shampoo Bar"],
  ["Rhubarb", "Barb", "Rhubarb, Barb"],
  ["Eggs", "Eggs", "Eggs"],
  ["Eggs", "", "Eggs"],
  ["", "Dozen", "Dozen"],
] as const)("%s in %s is %s", ([product, variant, name]) => {
  expect(lineName(product, variant)).toBe(name);
  expect(lineName(product, formatVariant(product, variant))).toBe(name);
});
