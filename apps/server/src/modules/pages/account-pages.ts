import type { FastifyInstance } from "fastify";

import type { Deps } from "../../deps.ts";
import { html } from "../../lib/html.ts";
import { linkPage } from "../../lib/link-pages.ts";
import { sendPlainPage } from "../../lib/plain-page.ts";
import { collectData, isExportOpen, openExport } from "../account/export-account.ts";
import { undoEmailChange } from "../account/undo-email-change.ts";
import { bridgeTarget, crossBridge } from "../auth/bridge.ts";

const text = (value: unknown): string => (typeof value === "string" ? value.slice(0, 1000) : "");

/** Account routes that are not pages of the app: the web view bridge, undoing an email change, the data export. */
export function accountPages(app: FastifyInstance, deps: Deps): void {
  app.get(
    "/embed/bridge",
    // HEAD would use the token up.
    { config: { session: "lenient" }, schema: { hide: true }, exposeHeadRoute: false },
    async (request, reply) => {
      const { token, to } = request.query as Record<string, unknown>;
      // A link on a foreign page must not sign a shopper in to another account (failures.md F8).
      const site = request.headers["sec-fetch-site"];
      const isForeign = site !== undefined && site !== "none" && site !== "same-origin";
      const session = isForeign ? null : await crossBridge(deps.db, text(token), request.now);
      void reply.header("cache-control", "no-store");
      if (!session)
        return sendPlainPage(
          reply,
          401,
          "This link has been used",
          html`<p>It works once, within a minute. <a href="/login?app=true">Login</a></p>`,
        );
      app.startSession(reply, session.sessionId, session.purpose);
      return reply.redirect(bridgeTarget(to), 302);
    },
  );

  const help = html`<a href="mailto:${deps.env.supportEmail}">${deps.env.supportEmail}</a>`;
  linkPage(app, "/account/email/:token", {
    show: async () => ({
      status: 200,
      title: "Change your email back?",
      body: html`<p>Your account gets this address again, everyone who is signed in is signed out, the password stops working, and we email you a link for a new one.</p>`,
      form: { button: "Change it back" },
    }),
    async submit({ token, request }) {
      const result = await undoEmailChange(deps, token, request.now);
      if (result.state === "restored") {
        for (const ended of result.endedSessions) app.dropSession(ended);
        return {
          status: 200,
          title: "Your email is back",
          body: html`<p>Everyone was signed out, and the old password no longer works. Check your email for a link to choose a new password.</p>`,
        };
      }
      return result.state === "taken"
        ? {
            status: 409,
            title: "Another account has this address now",
            body: html`<p>Please write to ${help} and we'll sort it out.</p>`,
          }
        : {
            status: 410,
            title: "This link no longer works",
            body: html`<p>It works once, for 7 days. If you need help, write to ${help}.</p>`,
          };
    },
  });

  const expired = "/account?data=expired";
  linkPage(app, "/account/data/:token", {
    show: async ({ token, request, reply }) =>
      (await isExportOpen(deps.db, token, request.now))
        ? {
            status: 200,
            title: "Your data is ready",
            body: html`<p>Everything ${deps.env.marketName} keeps about you, as one file. You can download it once.</p>`,
            form: { button: "Download my data" },
          }
        : reply.redirect(expired, 303),
    async submit({ token, request, reply }) {
      const customerId = await openExport(deps.db, token, request.now);
      void reply.header("cache-control", "no-store");
      if (customerId === null) return reply.redirect(expired, 303);
      return reply
        .header("content-disposition", 'attachment; filename="my-market-data.json"')
        .type("application/json; charset=utf-8")
        .send(JSON.stringify(await collectData(deps.db, deps.env.dataDir, customerId, request.now), null, 2));
    },
  });
}
