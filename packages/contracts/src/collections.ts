import { z } from "zod";

import { IdOrSlugParams, PageQuery, Picture } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { Product } from "./products.ts";

const collectionFields = {
  id: z.number().int(),
  slug: z.string(),
  title: z.string(),
  image: Picture.nullable(),
  /** As a chip. */
  showInCollections: z.boolean(),
  /** As a special collection in the top nav. */
  showInMainMenu: z.boolean(),
  newItemsCount: z.number().int(),
};

/** spec §3 Collection; children have the same fields and no children of their own. */
export const Collection = z
  .object({ ...collectionFields, children: z.array(z.object(collectionFields)) })
  .meta({ id: "Collection" });
export type Collection = z.infer<typeof Collection>;

/** spec §7.8: collections that hold something in the hub; `[]` without a session. */
export const listCollections = endpoint({
  method: "GET",
  url: "/collections",
  schema: { response: { 200: z.array(Collection) } },
});

/** spec §7.8: 18 a page. Unknown: 404. */
export const listCollectionProducts = endpoint({
  method: "GET",
  url: "/collections/:id/products",
  schema: {
    params: IdOrSlugParams,
    querystring: PageQuery,
    response: { 200: z.object({ payload: z.array(Product), totalRows: z.number().int() }) },
  },
});
