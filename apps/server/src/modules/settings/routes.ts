import { randomUUID } from "node:crypto";

import * as contracts from "@marketday/contracts/admin/settings";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { runChecks } from "../doctor/run-checks.ts";
import { groupFindings } from "./group-findings.ts";
import { listMailTexts, renderExample } from "./mail-texts.ts";
import { readEnvironment } from "./read-environment.ts";
import { readSystemHealth } from "./read-health.ts";
import { retryWork } from "./retry-work.ts";
import { sendTestMail } from "./test-mail.ts";

/** An example has inline styles: its document allows those, runs nothing, and is framed by the admin app only. */
const EXAMPLE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'";

/** Settings of the machine in the admin app: what it is set to, whether it is well, and its emails. */
export const settingsRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    app.route({ ...contracts.getEnvironment, handler: () => readEnvironment(deps.env) });
    app.route({ ...contracts.getSystemHealth, handler: () => readSystemHealth(deps) });
    app.route({
      ...contracts.runChecks,
      handler: async (request) => ({
        checkedAt: request.now.toISOString(),
        findings: groupFindings(await runChecks(app.contextOf(request))),
      }),
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
        testTo: request.staffSession!.actor.email,
      }),
    });
    app.route({
      ...contracts.getMailText,
      handler: (request) => {
        const { html: _html, ...mail } = renderExample(deps, request.params.name);
        return mail;
      },
    });
    app.route({
      ...contracts.getMailDocument,
      handler: (request, reply) =>
        reply
          .type("text/html; charset=utf-8")
          .headers({ "cache-control": "no-store", "content-security-policy": EXAMPLE_POLICY })
          .send(renderExample(deps, request.params.name).html),
    });
    app.route({
      ...contracts.sendTestMail,
      handler: (request) =>
        sendTestMail(app.contextOf(request), request.staffSession!.actor, {
          name: request.params.name,
          key: request.idempotency?.key ?? randomUUID(),
        }),
    });
  };
