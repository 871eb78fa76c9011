import { listQuestions, postQuestion } from "@marketday/contracts/questions";
import { ROWS_DEFAULT } from "@marketday/domain/limits";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import type { Limits } from "../../lib/limits.ts";
import { pageOf, setPageHeaders } from "../../lib/paging.ts";
import { askQuestion } from "./ask-question.ts";
import { loadQuestions } from "./load-questions.ts";

export const questionRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...listQuestions,
      handler: async (request, reply) => {
        const page = pageOf(request, request.query, ROWS_DEFAULT);
        const { questions, total } = await loadQuestions(deps, request.actor, request.params.id, page);
        setPageHeaders(reply, page, total);
        return questions;
      },
    });

    app.route({
      ...postQuestion,
      handler: async (request, reply) => {
        await askQuestion(app.contextOf(request), limits, request.params.id, request.body.question);
        const page = { page: 1, rows: ROWS_DEFAULT, offset: 0 };
        const { questions, total } = await loadQuestions(deps, request.actor, request.params.id, page);
        setPageHeaders(reply, page, total);
        return questions;
      },
    });
  };
