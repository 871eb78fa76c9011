import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import { getAdminDocument } from "@marketday/contracts/admin/document";
import type { FastifyContextConfig, FastifyInstance } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";

type Transformed = ReturnType<typeof jsonSchemaTransformObject>;
/** What both versions of OpenAPI have of a document. */
interface Made {
  paths?: unknown;
  components?: { schemas?: Record<string, unknown> };
}

/** The names of the components that a part of a document refers to, and those that they refer to. */
function namesIn(part: unknown, schemas: Record<string, unknown>, found = new Set<string>()): Set<string> {
  for (const [, name = ""] of JSON.stringify(part ?? null).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
    if (found.has(name)) continue;
    found.add(name);
    namesIn(schemas[name], schemas, found);
  }
  return found;
}

/** The document with the components that its paths refer to: the registry of schemas has those of both documents. */
const withOwnComponents: typeof jsonSchemaTransformObject = (document): Transformed => {
  const made = jsonSchemaTransformObject(document) as Made;
  const schemas = made.components?.schemas ?? {};
  const names = namesIn(made.paths, schemas);
  const own = Object.fromEntries(Object.entries(schemas).filter(([name]) => names.has(name)));
  return { ...made, components: { ...made.components, schemas: own } } as Transformed;
};

const openApiOf = (title: string, description: string, cookie: string) => ({
  openapi: "3.1.1",
  info: { title, version: "1", description },
  servers: [{ url: "/" }],
  components: { securitySchemes: { session: { type: "apiKey" as const, in: "cookie" as const, name: cookie } } },
  security: [{ session: [] }],
});

/** OpenAPI 3.1 from the contracts at `/api/openapi.json`, readable at `/api/docs` (docs/product.md §2). Register before routes. */
export async function docs(api: FastifyInstance): Promise<void> {
  await api.register(swagger, {
    openapi: openApiOf(
      "Marketday",
      'The portal API. Errors are `["message", { code, field? }]`. Lists carry `x-current-page`, `x-rows-per-page` and `x-total-results`.',
      "mkt_session",
    ),
    transform: jsonSchemaTransform,
    transformObject: withOwnComponents,
  });
  await api.register(swaggerUi, { routePrefix: "/docs", staticCSP: false });
  api.get("/openapi.json", { config: { session: "none" }, schema: { hide: true } }, async (_request, reply) =>
    reply.header("cache-control", "no-cache").send(api.swagger()),
  );
}

const WHERE = {
  hub: "in the market of the path",
  any: "in at least one market; only data of those markets is returned",
  all: "in every market",
};

/** Who may call a route of the admin API, in a sentence for its description. */
function describeAccess({ access, stepUp, idempotent }: FastifyContextConfig): string {
  const who =
    access === "public" || access === undefined
      ? "Without a session."
      : access === "signed_in"
        ? "Any person of the staff."
        : `Needs \`${access.permission}\`${access.or === undefined ? "" : ` or \`${access.or}\``} ${WHERE[access.where]}.`;
  return [
    who,
    ...(stepUp ? ["Needs a proof of identity of the last five minutes."] : []),
    ...(idempotent ? ["Takes `Idempotency-Key`."] : []),
  ].join(" ");
}

/** An API key (docs/product.md §18), as the second security scheme of the admin API. */
const KEY_SCHEME = {
  type: "http" as const,
  scheme: "bearer",
  description: "An API key, created under Security in the back office: `Authorization: Bearer mkt_…`.",
};

/** How a route of the admin API may be called. */
function securityOf({ access, stepUp }: FastifyContextConfig): { [scheme: string]: string[] }[] {
  if (access === "public") return [];
  return access === "signed_in" || stepUp ? [{ session: [] }] : [{ session: [] }, { apiKey: [] }];
}

/** OpenAPI 3.1 of the admin API at `/api/admin/openapi.json`, for the staff. Register before routes. */
export async function adminDocs(api: FastifyInstance): Promise<void> {
  const openapi = openApiOf(
    "Marketday admin",
    'The admin API. Errors are `["message", { code, field? }]`. Each call says who may call it.',
    "mkt_staff",
  );
  const securitySchemes = { ...openapi.components.securitySchemes, apiKey: KEY_SCHEME };
  await api.register(swagger, {
    openapi: { ...openapi, components: { securitySchemes } },
    transform: (document) => {
      const made = jsonSchemaTransform(document);
      const { config } = document.route;
      if (!config?.access || !made.schema) return made;
      return { ...made, schema: { ...made.schema, description: describeAccess(config), security: securityOf(config) } };
    },
    transformObject: withOwnComponents,
  });
  api.route({ ...getAdminDocument, handler: async (_request, reply) => reply.send(api.swagger() as never) });
}
