import type { FastifyInstance } from "fastify";
import { serializerCompiler } from "fastify-type-provider-zod";

import type { Deps } from "./deps.ts";
import { notFound } from "./lib/app-error.ts";
import type { Limits } from "./lib/limits.ts";
import { validatorCompiler } from "./lib/validate.ts";
import { signInRequired } from "./modules/identity/guards.ts";
import { orderAdminRoutes } from "./modules/orders/admin-routes.ts";
