import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import { linkPage, logVendorLink } from "../../lib/link-pages.ts";
import { closedPage, harvestPage } from "./pages.ts";
import { readForm, rejectChanged } from "./read-form.ts";
import { type HarvestState, readHarvest } from "./read-harvest.ts";
import { isReported, reportHarvest } from "./report-harvest.ts";

/** Bytes: three short fields for each of a thousand items. */
const BODY_MAX = 96 * 1024;
/** Times that a report is read against what is stored: others may change that between reading and storing. */
const ATTEMPTS = 3;

/**
 * `/farm/{token}`: the page where a vendor sees, confirms and lowers what they bring to one delivery day (docs/product.md §10), without
 * login, shop or script. The link is the authorization: its signature and its row are checked.
 */
export const harvestRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  const logUse = (request: FastifyRequest, found: HarvestState) =>
    logVendorLink(
      request,
      found.state,
      "link" in found && {
        linkId: found.link.id,
        vendorId: found.link.vendor.id,
        subject: `delivery:${found.link.delivery.id}`,
      },
    );
  /** A reload of what is opened next does not submit again. */
  const reopen = (reply: FastifyReply, token: string) => reply.redirect(`/farm/${encodeURIComponent(token)}`, 303);

  linkPage(app, "/farm/:token", {
    bodyMax: BODY_MAX,
    async show({ token, request: { now }, request }) {
      const found = await readHarvest(deps, token, now);
      logUse(request, found);
      const { env } = deps;
      return "harvest" in found ? harvestPage(found.harvest, { env, now }) : closedPage(found.state, { env });
    },
    async submit({ token, fields, request: { now }, request, reply }) {
      const page = { env: deps.env, now };
      for (let attempt = 1; ; attempt++) {
        const found = await readHarvest(deps, token, now);
        if (attempt === 1) logUse(request, found);
        if (!("harvest" in found)) return closedPage(found.state, page);
        const { harvest, link } = found;
        const form = readForm(fields, harvest);
        if ("rejected" in form) return harvestPage(harvest, page, form.rejected);
        if (isReported(harvest, form.report)) return reopen(reply, token);
        const { slug, name } = link.vendor;
        try {
          await reportHarvest({ deps, now, actor: { type: "vendor", slug, name } }, harvest, form.report);
          return reopen(reply, token);
        } catch (error) {
          // Someone else changed something in between: it is read again, and the form is held against that.
          if (!(error instanceof AppError) || error.status >= 500) throw error;
          if (attempt === ATTEMPTS) return harvestPage(harvest, page, rejectChanged(fields, harvest).rejected);
        }
      }
    },
  });
};
