import {
  answerSurvey as answerCall,
  getSurvey,
  showSurvey as showCall,
  type SurveyChoice,
} from "@marketday/contracts/surveys";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { notFound } from "../../lib/app-error.ts";
import { requireCustomer } from "../identity/guards.ts";
import { answerSurvey, offeredSurvey, questionIdOf, showSurvey } from "./answer-survey.ts";
import { findFacts, findOrderVendors } from "./store.ts";

export const surveyRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({
      ...getSurvey,
      handler: async ({ actor, params, now }): Promise<SurveyChoice> => {
        const facts = await findFacts(deps.db, requireCustomer(actor), params.id);
        if (!facts) throw notFound();
        const type = offeredSurvey(facts, now);
        if (type === null) return { type: null, questionId: null };
        return {
          type,
          questionId: questionIdOf(type),
          ...(type === "MarketingSource" && { vendors: await findOrderVendors(deps.db, params.id) }),
        };
      },
    });
    app.route({
      ...showCall,
      handler: async (request) => {
        const survey = { orderId: request.params.id, ...request.body };
        return { show: await showSurvey(app.contextOf(request), requireCustomer(request.actor), survey) };
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
