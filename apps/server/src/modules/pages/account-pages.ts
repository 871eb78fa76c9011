import type { FastifyInstance } from "fastify";

import type { Deps } from "../../deps.ts";
import { escapeHtml, sendPlainPage } from "../../lib/plain-page.ts";
import { collectData, openExport } from "../account/export-account.ts";
import { undoEmailChange } from "../account/undo-email-change.ts";
import { bridgeTarget, crossBridge } from "../auth/bridge.ts";

const text = (value: unknown): string => (typeof value === "string" ? value.slice(0, 1000) : "");

/** Account routes that are not pages of the app: the web view bridge, undoing an email change, the data export. */
export function accountPages(app: FastifyInstance, deps: Deps): void {
  const config = { config: { session: "lenient" }, schema: { hide: true } } as const;

  app.get("/embed/bridge", config, async (request, reply) => {
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
        `<p>It works once, within a minute. <a href="/login?app=true">Login</a></p>`,
      );
    app.startSession(reply, session.sessionId, session.purpose);
    return reply.redirect(bridgeTarget(to), 302);
  });

  const undoPage = { ...config, config: { session: "none" } } as const;
  // The change needs a confirmation: link scanners of mail providers must not undo it.
  app.get("/account/email/:token", undoPage, async (_request, reply) =>
    sendPlainPage(
      reply,
      200,
      "Change your email back?",
      `<p>Your account gets this address again, everyone who is signed in is signed out, and we email you a link for a new password.</p><form method="post"><button type="submit">Change it back</button></form>`,
    ),
  );
  app.post(
    "/account/email/:token",
    { ...undoPage, config: { session: "none", byLink: true } },
    async (request, reply) => {
      const { token } = request.params as { token: string };
      const result = await undoEmailChange(deps, text(token), request.now);
      if (result.state === "restored") {
        for (const ended of result.endedSessions) app.dropSession(ended);
        return sendPlainPage(
          reply,
          200,
          "Your email is back",
          `<p>Everyone was signed out. Check your email for a link to choose a new password.</p>`,
        );
      }
      const help = `<a href="mailto:${escapeHtml(deps.env.supportEmail)}">${escapeHtml(deps.env.supportEmail)}</a>`;
      return result.state === "taken"
        ? sendPlainPage(
            reply,
            409,
            "Another account has this address now",
            `<p>Please write to ${help} and we'll sort it out.</p>`,
          )
        : sendPlainPage(
            reply,
            410,
            "This link no longer works",
            `<p>It works once, for 7 days. If you need help, write to ${help}.</p>`,
          );
    },
  );

  app.get("/account/data/:token", { ...config, config: { session: "none" } }, async (request, reply) => {
    const { token } = request.params as { token: string };
    const customerId = await openExport(deps.db, text(token), request.now);
    void reply.header("cache-control", "no-store");
    if (customerId === null) return reply.redirect("/account?data=expired", 302);
    return reply
      .header("content-disposition", 'attachment; filename="my-market-data.json"')
      .type("application/json; charset=utf-8")
      .send(JSON.stringify(await collectData(deps.db, deps.env.dataDir, customerId, request.now), null, 2));
  });
}
