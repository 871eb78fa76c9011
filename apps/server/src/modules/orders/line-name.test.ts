import { query, sql } from "@marketday/db";
import { lineName } from "@marketday/domain/cart";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { lineNameSql } from "./find-orders.ts";

const { db } = await buildTestApp();

test("line name: it is the same in SQL and in the domain", async () => {
  const products = [
    "Pasture Eggs, Dozen",
    "Cider, Half Gallon",
    "Eggs, 1 1/2 Dozen",
    "Whole Milk 1 Gallon",
    "Whole Milk 11 Gallon",
    "Eggs, 1.0 Dozen",
    "Eggs, 1½ Dozen",
    "Eggs, 1 ½ Dozen",
    "Vitamin B 1 L",
    "Vitamin B 2 L",
    "Behalf Gallon",
    "Shampoo Bar",
  ];
  const variants = ["Dozen", "dozen", "Gallon", "Half gallon", "1/2 dozen", "½ dozen", "L", "Bar", "Shampoo bar", ""];
  const lines = products.flatMap((product_title) =>
    variants.map((variant_title) => ({ product_title, variant_title })),
  );
  const rows = await query<{ name: string }>(
    db,
    sql`select ${lineNameSql("")} as name
        from rows from (jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as (product_title text, variant_title text))
          with ordinality as l (product_title, variant_title, place)
        order by place`,
  );
  expect(rows.map(({ name }) => name)).toEqual(
    lines.map(({ product_title: product, variant_title: variant }) => lineName(product, variant)),
  );
});
