import { answerSurvey as answerCall, getSurvey, type SurveyChoice } from "@marketday/contracts/surveys";
import { chooseSurvey } from "@marketday/domain/survey";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { requireCustomer } from "../../plugins/session.ts";
import { answerSurvey } from "./answer-survey.ts";
import { findFacts, findOrderVendors } from "./store.ts";

export const surveyRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getSurvey,
      handler: async ({ actor, params, now }): Promise<SurveyChoice> => {
        const facts = await findFacts(deps.db, requireCustomer(actor), params.id);
        if (!facts) throw notFound();
        const type = facts.is_answered
          ? null
          : chooseSurvey({
              answered: facts.answered.map((answer) => ({ type: answer.type, at: new Date(answer.at) })),
              hasHandle: facts.has_handle,
              hasSubscriptions: facts.has_subscriptions,
              now,
            });
        if (type === null) return { type: null, questionId: null };
        return {
          type,
          questionId: type.toLowerCase(),
          ...(type === "MarketingSource" && { vendors: await findOrderVendors(deps.db, params.id) }),
        };
      },
    });
    app.route({
      ...answerCall,
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const { vendorId, comment, ...answer } = request.body;
        await answerSurvey(app.contextOf(request), customerId, {
          ...answer,
          orderId: request.params.id,
          vendorId: vendorId ?? null,
          comment: comment ?? null,
        });
        return { success: true as const };
      },
    });
  };
