import { z } from "zod";

import { Banner } from "./cart.ts";
import { endpoint } from "./endpoint.ts";

/** spec §7.8: the hub's banners; `[]` without a session. */
export const listBanners = endpoint({
  method: "GET",
  url: "/banners/",
  schema: { response: { 200: z.array(Banner) } },
});
