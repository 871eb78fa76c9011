import formbody from "@fastify/formbody";
import type { FastifyInstance, FastifyReply } from "fastify";

import type { Deps } from "../../deps.ts";
import { sendPlainPage } from "../../lib/plain-page.ts";
import { hubDirectory } from "../hubs/directory.ts";
import { answerByLink, readLink } from "./answer-by-link.ts";
import { answerMax } from "./answer-subject.ts";
import { type AnswerPage, openPage, closedPage, usedPage } from "./pages.ts";

type ByToken = { Params: { token: string } };

const hidden = { config: { session: "none" }, schema: { hide: true } } as const;
const NUL = /\0/;

/**
 * `/answer/{token}`: the page where a vendor answers (docs/product.md §10), without login, shop or script. The link is the
 * authorization: its signature and its row are checked.
 */
export const answerRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  await app.register(formbody, { bodyLimit: 16 * 1024 });
  const send = (reply: FastifyReply, { status, title, body }: AnswerPage) => sendPlainPage(reply, status, title, body);

  /** Vendors have no time zone: dates use the one of the market's first hub. */
  const zone = async () => (await hubDirectory(deps)).all()[0]?.time_zone ?? "UTC";

  app.get<ByToken>("/answer/:token", hidden, async (request, reply) => {
    const found = await readLink(deps, request.params.token, request.now);
    if (found.state === "open") return send(reply, openPage(found.link, found.details, await zone()));
    if (found.state === "used") return send(reply, usedPage(found.link, found.details, await zone()));
    return send(reply, closedPage(found.state));
  });

  app.post<ByToken>(
    "/answer/:token",
    { ...hidden, config: { ...hidden.config, byLink: true } },
    async (request, reply) => {
      const found = await readLink(deps, request.params.token, request.now);
      if (found.state === "used")
        return send(reply, { ...usedPage(found.link, found.details, await zone()), status: 409 });
      if (found.state !== "open") return send(reply, closedPage(found.state));
      const { link, details } = found;
      const { answer } = (request.body ?? {}) as { answer?: unknown };
      // Browsers send a line break as two characters and count it as one.
      const typed = typeof answer === "string" ? answer.replaceAll("\r\n", "\n").trim() : "";
      const max = answerMax(link.subject);
      const error =
        typed === "" || NUL.test(typed)
          ? "Write an answer"
          : typed.length > max
            ? `Your answer has ${typed.length} characters; ${max} is the most`
            : null;
      if (error)
        return send(
          reply,
          openPage(link, details, await zone(), { error, typed: typed.replaceAll("\0", "").slice(0, 2_000) }),
        );
      await answerByLink(deps, link, typed, request.now);
      // A reload does not submit again; if another request was faster, the page shows that it was answered.
      return reply.redirect(`/answer/${encodeURIComponent(request.params.token)}`, 303);
    },
  );
};
