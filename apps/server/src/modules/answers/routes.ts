import { cleanText } from "@marketday/domain/text";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Deps } from "../../deps.ts";
import { linkPage, logVendorLink } from "../../lib/link-pages.ts";
import { marketZone } from "../hubs/market-date.ts";
import { answerByLink, type LinkState, readLink } from "./answer-by-link.ts";
import { answerMax } from "./answer-subject.ts";
import { openPage, closedPage, type PageClock, usedPage } from "./pages.ts";

/**
 * `/answer/{token}`: the page where a vendor answers (docs/product.md §10), without login, shop or script. The link is the
 * authorization: its signature and its row are checked.
 */
export const answerRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  /** Vendors have no time zone. */
  const clockOf = async ({ now }: { now: Date }): Promise<PageClock> => ({ zone: await marketZone(deps), now });

  const readAndLog = async (token: string, request: FastifyRequest): Promise<LinkState> => {
    const found = await readLink(deps, token, request.now);
    const link = "link" in found && found.link;
    logVendorLink(
      request,
      found.state,
      link && { linkId: link.id, vendorId: link.vendor_id, subject: `${link.subject}:${link.subject_id}` },
    );
    return found;
  };

  linkPage(app, "/answer/:token", {
    async show({ token, request }) {
      const found = await readAndLog(token, request);
      if (found.state === "open") return openPage(found.link, found.details, await clockOf(request));
      if (found.state === "used") return usedPage(found.link, found.details, await clockOf(request));
      return closedPage(found.state);
    },
    async submit({ token, fields: { answer }, request, reply }) {
      const found = await readAndLog(token, request);
      if (found.state === "used")
        return { ...usedPage(found.link, found.details, await clockOf(request)), status: 409 };
      if (found.state !== "open") return closedPage(found.state);
      const { link, details } = found;
      // Browsers send a line break as two characters and count it as one.
      const typed = typeof answer === "string" ? cleanText(answer) : "";
      const max = answerMax(link.subject);
      const error =
        typed === ""
          ? "Write an answer"
          : typed.length > max
            ? `Your answer has ${typed.length} characters; ${max} is the most`
            : null;
      if (error) return openPage(link, details, await clockOf(request), { error, typed: typed.slice(0, 2_000) });
      await answerByLink(deps, link, typed, request.now);
      // A reload does not submit again; if another request was faster, the page shows that it was answered.
      return reply.redirect(`/answer/${encodeURIComponent(token)}`, 303);
    },
  });
};
