import { getBlogPost, getContent, listBlogPosts, listFaq } from "@marketday/contracts/content";
import { BLOG_ROWS } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { answerCached, sendCached } from "../../lib/send-cached.ts";
import { loadContent, loadFaq, loadPost, loadPosts } from "./load-content.ts";

/** Content is the same for every visitor, so no route reads the session. */
export const contentRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getContent,
      handler: (request, reply) => sendCached(request, reply, loadContent(deps, request.params.slug)),
    });

    app.route({ ...listFaq, handler: (request, reply) => sendCached(request, reply, loadFaq(deps)) });

    app.route({
      ...listBlogPosts,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, BLOG_ROWS);
        const cached = await loadPosts(deps, request.query.category ?? null, page, request.now);
        setPageHeaders(reply, page, cached.value.totalRows);
        return answerCached(request, reply, cached);
      },
    });

    app.route({
      ...getBlogPost,
      handler: async (request, reply) =>
        answerCached(request, reply, await loadPost(deps, request.params.id, request.now)),
    });
  };
