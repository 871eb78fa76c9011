import type { FastifyInstance } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";

import type { Deps } from "./deps.ts";
import type { Limits } from "./lib/limits.ts";
import { validatorCompiler } from "./lib/validate.ts";
import { securityRoutes } from "./modules/staff-sign-in/security-routes.ts";
import { signInRoutes } from "./modules/staff-sign-in/sign-in-routes.ts";
import { staffRoutes } from "./modules/staff/admin-routes.ts";
import { todayRoutes } from "./modules/today/routes.ts";
import { weekAdminRoutes } from "./modules/week/admin-routes.ts";

/** The admin API, `/api/admin`: one line per module. Every route is an `adminEndpoint`, which says who may call it. */
export async function adminApi(api: FastifyInstance, { deps, limits }: { deps: Deps; limits: Limits }): Promise<void> {
  api.setValidatorCompiler(validatorCompiler);
  api.setSerializerCompiler(serializerCompiler);
  await api.register(weekAdminRoutes(deps));
  await api.register(signInRoutes(deps, limits));
  await api.register(securityRoutes(deps, limits));
  await api.register(staffRoutes(deps));
  await api.register(todayRoutes());
}
