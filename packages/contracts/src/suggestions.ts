import { z } from "zod";

import { IdOrSlugParams } from "./common.ts";
import { endpoint } from "./endpoint.ts";
import { Product } from "./products.ts";

/** spec §7.6: similar products in the hub, at most 8; `[]` without a session. */
export const listSuggestions = endpoint({
  method: "GET",
  url: "/products/:id/suggestions",
  schema: { params: IdOrSlugParams, response: { 200: z.array(Product) } },
});
