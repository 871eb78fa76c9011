import { type Db, query, raw, sql } from "@marketday/db";

import type { TextRow } from "./export-file.ts";
import { products } from "./kinds/products.ts";

/** The rows of a product in an exported file. */
export const findExportedProduct = (db: Db, slug: string): Promise<TextRow[]> =>
  query<TextRow>(db, sql`select * from (${raw(products.exported)}) e where e.slug = ${slug}`);
