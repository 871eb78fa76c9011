import { listCollectionProducts, listCollections } from "@marketday/contracts/collections";
import { COLLECTION_ROWS } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Cached } from "../../lib/cache.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { answerCached, sendCached } from "../../lib/send-cached.ts";
import { type CollectionProducts, loadCollectionProducts, loadCollections } from "./load-collections.ts";

export const collectionRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listCollections,
      compress: false,
      handler: (request, reply) => sendCached(request, reply, loadCollections(deps, request.actor, request.now)),
    });

    app.route({
      ...listCollectionProducts,
      compress: false,
      handler: (request, reply) => {
        const page = pageOf(request, request.query, COLLECTION_ROWS);
        const setHeaders = (cached: Cached<CollectionProducts>) => setPageHeaders(reply, page, cached.value.totalRows);
        const cached = loadCollectionProducts(deps, request.actor, request.params.id, page);
        if (cached instanceof Promise)
          return cached.then((ready) => {
            setHeaders(ready);
            return answerCached(request, reply, ready);
          });
        setHeaders(cached);
        return sendCached(request, reply, cached);
      },
    });
  };
