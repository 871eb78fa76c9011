import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import { html, type Html } from "./html.ts";
import { sendPlainPage } from "./plain-page.ts";

/** A page without script. */
export interface LinkPage {
  status: number;
  title: string;
  body: Html;
  /** Posted to the page's own address. Without it the link does nothing any more. */
  form?: { fields?: Html; button: string };
  /** Below the form. */
  footer?: Html;
}

interface LinkRequest {
  token: string;
  /** The form's fields; empty for a button alone, and for one-click requests of mail programs. */
  fields: Record<string, unknown>;
  request: FastifyRequest;
  reply: FastifyReply;
}
type LinkHandler = (request: LinkRequest) => Promise<LinkPage | FastifyReply>;

/** Bytes of a form with at most one text. */
const TEXT_BODY_MAX = 16 * 1024;

const bodyOf = ({ body, form, footer }: LinkPage): Html =>
  form
    ? html`${body}\n<form method="post">${form.fields}<button>${form.button}</button></form>${footer}`
    : html`${body}${footer}`;

/**
 * Registers the page of a link in mails. Opening it changes nothing, because programs open links too: `show` reads, and the form's
 * button posts to `submit`. The link is the authorization: no session is read, and forms of any origin are accepted.
 * Every HTML form of the server is rendered and received here, with what browsers and mail programs send (RFC 8058 §3.2):
 * `application/x-www-form-urlencoded`, empty for a button alone, or `multipart/form-data`, whose fields are ignored.
 * @param url ends with `/:token`
 * @param bodyMax bytes of a form
 */
export function linkPage(
  app: FastifyInstance,
  url: `/${string}/:token`,
  { show, submit, bodyMax = TEXT_BODY_MAX }: { show: LinkHandler; submit: LinkHandler; bodyMax?: number },
): void {
  const handle = (handler: LinkHandler) => async (request: FastifyRequest, reply: FastifyReply) => {
    const { token } = request.params as { token: string };
    const fields = (request.body ?? {}) as Record<string, unknown>;
    const result = await handler({ token, fields, request, reply });
    return "title" in result ? sendPlainPage(reply, result.status, result.title, bodyOf(result)) : result;
  };
  const schema = { hide: true };
  void app.register(async (scope) => {
    await scope.register(formbody, { bodyLimit: bodyMax });
    scope.addContentTypeParser(
      "multipart/form-data",
      { parseAs: "string", bodyLimit: bodyMax },
      (_request, _body, done) => done(null, {}),
    );
    scope.get(url, { schema, config: { session: "none" } }, handle(show));
    scope.post(url, { schema, config: { session: "none", byLink: true } }, handle(submit));
  });
}

/** Logs a use of a vendor's link by its number, which opens nothing without the signature (docs/failures.md N6). */
export function logVendorLink(
  { log, method }: FastifyRequest,
  state: string,
  link: { linkId: string; vendorId: number; subject: string } | false,
): void {
  log.info({ ...link, state, method }, "vendor link");
}
