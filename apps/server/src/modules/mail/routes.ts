import type { FastifyInstance } from "fastify";

import type { Deps } from "../../deps.ts";
import { html } from "../../lib/html.ts";
import { linkPage } from "../../lib/link-pages.ts";
import { sendPlainPage } from "../../lib/plain-page.ts";
import { EXAMPLE_POLICY, renderExample } from "./example.ts";
import { unsubscribeRecipient } from "./outbox-store.ts";
import { readUnsubscribeToken } from "./send-mail.ts";

type ByName = { Params: { name: string } };

/**
 * Unsubscribe pages, without login or script and with one-click unsubscribe (RFC 8058). Outside production also a preview of every
 * mail.
 */
export const mailRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  const { db, env, mailTemplates } = deps;
  const shop = html`<p><a href="/shop">Go to the market</a></p>`;
  const title = "This link does not work";

  linkPage(app, "/unsubscribe/:token", {
    show: async ({ token }) =>
      readUnsubscribeToken(token, env.sessionSecrets) === null
        ? { status: 404, title, body: html`<p>It may have been cut off in the email.</p>${shop}` }
        : {
            status: 200,
            title: "Unsubscribe",
            body: html`<p>Unsubscribe from ${env.marketName} reminders and news? You'll still get emails about your orders.</p>`,
            form: { button: "Unsubscribe" },
          },
    async submit({ token }) {
      const customerId = readUnsubscribeToken(token, env.sessionSecrets);
      if (customerId === null) return { status: 404, title, body: shop };
      await unsubscribeRecipient(db, customerId);
      const text = html`<p>You won't get reminders and news anymore. You can turn them on again in My Details.</p>`;
      return { status: 200, title: "Done", body: html`${text}${shop}` };
    },
  });

  if (env.production) return;
  app.get("/dev/mails", (_request, reply) => {
    const items = Object.entries(mailTemplates).map(
      ([name, { about, sort }]) =>
        html`<li><a href="/dev/mails/${name}">${name}</a> · <a href="/dev/mails/${name}.txt">plain</a><br>${about}${sort === "reminder" && " (can be stopped)"}</li>`,
    );
    return sendPlainPage(reply, 200, "Mails", html`<ul>${items}</ul>`);
  });
  app.get<ByName>("/dev/mails/:name", (request, reply) => {
    const [, name = "", plain] = /^([a-z-]+)(\.txt)?$/.exec(request.params.name) ?? [];
    const mail = renderExample(deps, name);
    if (!mail) return sendPlainPage(reply, 404, "No such mail", html`<p><a href="/dev/mails">All mails</a></p>`);
    if (plain) return reply.type("text/plain; charset=utf-8").send(`${mail.subject}\n\n${mail.text}`);
    return reply.type("text/html; charset=utf-8").header("content-security-policy", EXAMPLE_POLICY).send(mail.html);
  });
};
