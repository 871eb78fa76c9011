import {
  autoComplete as autoCompleteCall,
  searchHubVendors,
  searchProducts as searchProductsCall,
  searchVendors as searchVendorsCall,
} from "@marketday/contracts/search";
import { SEARCH_ROWS } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { answerCached, sendCached } from "../../lib/send-cached.ts";
import { autoComplete, searchProducts, searchVendors } from "./load-search.ts";

export const searchRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...autoCompleteCall,
      compress: false,
      handler: (request, reply) => sendCached(request, reply, autoComplete(deps, request.actor, request.params.q)),
    });

    app.route({
      ...searchProductsCall,
      compress: false,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, SEARCH_ROWS);
        const result = await searchProducts(deps, request.actor, request.params.q, page);
        setPageHeaders(reply, page, result.value.totalResults);
        return answerCached(request, reply, result);
      },
    });

    app.route({
      ...searchHubVendors,
      compress: false,
      handler: (request, reply) =>
        sendCached(request, reply, searchVendors(deps, request.actor, request.params.q, "hub")),
    });
    app.route({
      ...searchVendorsCall,
      compress: false,
      handler: (request, reply) =>
        sendCached(request, reply, searchVendors(deps, request.actor, request.params.q, "all")),
    });
  };
