import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";

/** OpenAPI 3.1 from the contracts at `/api/openapi.json`, readable at `/api/docs` (docs/product.md §2). Register before routes. */
export async function docs(api: FastifyInstance): Promise<void> {
  await api.register(swagger, {
    openapi: {
      openapi: "3.1.1",
      info: {
        title: "Marketday",
        version: "1",
        description:
          'The portal API. Errors are `["message", { code, field? }]`. Lists carry `x-current-page`, `x-rows-per-page` and `x-total-results`.',
      },
      servers: [{ url: "/" }],
      components: { securitySchemes: { session: { type: "apiKey", in: "cookie", name: "mkt_session" } } },
      security: [{ session: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
  await api.register(swaggerUi, { routePrefix: "/docs", staticCSP: false });
  api.get("/openapi.json", { config: { session: "none" }, schema: { hide: true } }, async (_request, reply) =>
    reply.header("cache-control", "no-cache").send(api.swagger()),
  );
}
