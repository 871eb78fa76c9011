import { listReviews, postReview as postCall } from "@marketday/contracts/reviews";
import { ROWS_DEFAULT } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Limits } from "../../lib/limits.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { loadReviews } from "./load-reviews.ts";
import { postReview } from "./post-review.ts";

export const reviewRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listReviews,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, ROWS_DEFAULT);
        const { reviews, total } = await loadReviews(deps, request.actor, request.params.id, page);
        setPageHeaders(reply, page, total);
        return reviews;
      },
    });

    app.route({
      ...postCall,
      handler: async (request, reply) => {
        await postReview(app.contextOf(request), limits, request.params.id, request.body);
        const page = { page: 1, rows: ROWS_DEFAULT, offset: 0 };
        const { reviews, total } = await loadReviews(deps, request.actor, request.params.id, page);
        setPageHeaders(reply, page, total);
        return reviews;
      },
    });
  };
