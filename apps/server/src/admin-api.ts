import type { FastifyInstance } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";

import type { Deps } from "./deps.ts";
import { notFound } from "./lib/app-error.ts";
import type { Limits } from "./lib/limits.ts";
import { validatorCompiler } from "./lib/validate.ts";
import { adminInboxRoutes } from "./modules/admin-inbox/routes.ts";
import { auditRoutes } from "./modules/audit-log/admin-routes.ts";
import { bulkRoutes } from "./modules/bulk/routes.ts";
import { customerRoutes } from "./modules/customers/routes.ts";
import { doorRoutes } from "./modules/door/routes.ts";
import { signInRequired } from "./modules/identity/guards.ts";
import { payoutRoutes } from "./modules/ledger/routes.ts";
import { offerRoutes } from "./modules/offers/routes.ts";
import { orderListRoutes } from "./modules/order-list/routes.ts";
import { orderActionRoutes } from "./modules/orders/admin-action-routes.ts";
import { orderAdminRoutes } from "./modules/orders/admin-routes.ts";
import { orderChangeRoutes } from "./modules/orders/change-routes.ts";
import { settingsRoutes } from "./modules/settings/routes.ts";
import { shortRoutes } from "./modules/shorts/routes.ts";
import { actionRoutes } from "./modules/staff-actions/routes.ts";
import { securityRoutes } from "./modules/staff-sign-in/security-routes.ts";
import { signInRoutes } from "./modules/staff-sign-in/sign-in-routes.ts";
import { staffRoutes } from "./modules/staff/admin-routes.ts";
import { todayRoutes } from "./modules/today/routes.ts";
import { weekAdminRoutes } from "./modules/week/admin-routes.ts";
import { arrivalRoutes } from "./modules/week/arrival-routes.ts";
import { adminDocs } from "./plugins/docs.ts";
import { sendError } from "./plugins/errors.ts";
import { eventRoutes } from "./plugins/live-events.ts";

/** The admin API, `/api/admin`: one line per module. Every route is an `adminEndpoint`, which says who may call it. */
export async function adminApi(api: FastifyInstance, { deps, limits }: { deps: Deps; limits: Limits }): Promise<void> {
  api.setValidatorCompiler(validatorCompiler);
  api.setSerializerCompiler(serializerCompiler);
  // An unknown call tells no one without a session which calls there are.
  api.setNotFoundHandler(async (request, reply) => {
    if (!(await api.findKeyOwner(request)) && !(await api.recheckStaffSession(request))) throw signInRequired();
    return sendError(notFound(), request, reply);
  });
  await adminDocs(api);
  await api.register(eventRoutes);
  await api.register(signInRoutes(deps, limits));
  await api.register(securityRoutes(deps, limits));
  await api.register(actionRoutes(deps));
  await api.register(orderActionRoutes(deps));
  await api.register(orderAdminRoutes(deps));
  await api.register(offerRoutes(deps));
  await api.register(orderListRoutes(deps));
  await api.register(orderChangeRoutes(deps));
  await api.register(payoutRoutes());
  await api.register(settingsRoutes(deps));
  await api.register(shortRoutes());
  await api.register(staffRoutes(deps));
  await api.register(todayRoutes());
  await api.register(weekAdminRoutes(deps));
  await api.register(doorRoutes(deps));
  await api.register(customerRoutes(deps));
  await api.register(arrivalRoutes());
  await api.register(adminInboxRoutes(deps));
  await api.register(auditRoutes());
  await api.register(bulkRoutes(deps));
}
