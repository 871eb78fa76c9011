import { raw } from "@marketday/db";

/** `lineName` of the domain as SQL, over the columns `product_title` and `variant_title` of a row. */
export const lineNameSql = (row: "" | "i.") =>
  raw(
    `${row}product_title || case when right(lower(' ' || ${row}product_title), length(${row}variant_title) + 1) = lower(' ' || ${row}variant_title) or ${row}variant_title = '' then '' else ', ' || ${row}variant_title end`,
  );
