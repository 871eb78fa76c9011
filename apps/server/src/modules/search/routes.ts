import {
  autoComplete as autoCompleteCall,
  searchHubVendors,
  searchProducts as searchProductsCall,
  searchVendors as searchVendorsCall,
} from "@marketday/contracts/search";
import { SEARCH_ROWS } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { pageOf, setPageHeaders } from "../../plugins/paging.ts";
import { autoComplete, searchProducts, searchVendors } from "./load-search.ts";

export const searchRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({ ...autoCompleteCall, handler: async (request) => autoComplete(deps, request.actor, request.params.q) });

    app.route({
      ...searchProductsCall,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, SEARCH_ROWS);
        const result = await searchProducts(deps, request.actor, request.params.q, page);
        setPageHeaders(reply, page, result.totalResults);
        return result;
      },
    });

    app.route({
      ...searchHubVendors,
      handler: async (request) => searchVendors(deps, request.actor, request.params.q, "hub"),
    });
    app.route({
      ...searchVendorsCall,
      handler: async (request) => searchVendors(deps, request.actor, request.params.q, "all"),
    });
  };
