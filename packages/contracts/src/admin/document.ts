import { z } from "zod";

import { adminEndpoint } from "./endpoint.ts";

/** OpenAPI 3.1 of the admin API. */
export const getAdminDocument = adminEndpoint({
  method: "GET",
  url: "/openapi.json",
  access: "signed_in",
  schema: { response: { 200: z.record(z.string(), z.unknown()) } },
});
