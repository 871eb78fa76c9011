import { answerSurvey as answerCall, getSurvey, type SurveyChoice } from "@marketday/contracts/surveys";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { requireCustomer } from "../identity/guards.ts";
import { answerSurvey, offeredSurvey, questionIdOf } from "./answer-survey.ts";
import { findFacts, findOrderVendors } from "./store.ts";

export const surveyRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getSurvey,
      handler: async ({ actor, params, now }): Promise<SurveyChoice> => {
        const facts = await findFacts(deps.db, requireCustomer(actor), params.id);
        if (!facts) throw notFound();
        const type = facts.is_answered ? null : offeredSurvey(facts, now);
        if (type === null) return { type: null, questionId: null };
        return {
          type,
          questionId: questionIdOf(type),
          ...(type === "MarketingSource" && { vendors: await findOrderVendors(deps.db, params.id) }),
        };
      },
    });
    app.route({
      ...answerCall,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const { type, questionId, response, value, vendorId, comment } = request.body;
        await answerSurvey(app.contextOf(request), customerId, {
          type,
          questionId,
          response: response ?? value ?? "",
          orderId: request.params.id,
          vendorId: vendorId ?? null,
          comment: comment ?? null,
        });
        return { success: true as const };
      },
    });
  };
