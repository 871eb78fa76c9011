import { randomUUID } from "node:crypto";

import * as contracts from "@marketday/contracts/admin/settings";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { requireStaff } from "../identity/guards.ts";
import { EXAMPLE_POLICY } from "../mail/example.ts";
import { createCheckNow } from "./check-now.ts";
import { listMailTexts, readMailText, withoutLinks } from "./mail-texts.ts";
import { readEnvironment } from "./read-environment.ts";
import { readBackups, readSystemHealth } from "./read-health.ts";
import { retryWork } from "./retry-work.ts";
import { sendTestMail } from "./test-mail.ts";

/** Settings of the machine in the admin app: what it is set to, whether it is well, and its emails. */
export const settingsRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const checkNow = createCheckNow();
    app.route({ ...contracts.getBackups, handler: () => readBackups(deps) });
    app.route({ ...contracts.getEnvironment, handler: () => readEnvironment(deps.env) });
    app.route({ ...contracts.getSystemHealth, handler: () => readSystemHealth(deps) });
    app.route({
      ...contracts.runChecks,
      handler: (request) => checkNow(app.contextOf(request)),
    });
    app.route({
      ...contracts.retryWork,
      handler: async (request) => ({ retried: await retryWork(app.contextOf(request), request.body.work ?? null) }),
    });
    app.route({
      ...contracts.listMailTexts,
      handler: (request) => ({
        mails: listMailTexts(deps),
        from: deps.env.mailFrom,
        isSent: deps.env.smtpUrl !== null,
        testTo: requireStaff(request.actor).email,
      }),
    });
    app.route({
      ...contracts.getMailText,
      handler: (request) => {
        const { html: _html, ...mail } = readMailText(deps, request.params.name);
        return mail;
      },
    });
    app.route({
      ...contracts.getMailDocument,
      handler: (request, reply) =>
        reply
          .type("text/html; charset=utf-8")
          .headers({
            "cache-control": "no-store",
            "content-security-policy": `${EXAMPLE_POLICY}; frame-ancestors 'self'`,
          })
          .send(withoutLinks(readMailText(deps, request.params.name).html)),
    });
    app.route({
      ...contracts.sendTestMail,
      handler: (request) =>
        sendTestMail(app.contextOf(request), requireStaff(request.actor), {
          name: request.params.name,
          key: request.idempotency?.key ?? randomUUID(),
        }),
    });
  };
