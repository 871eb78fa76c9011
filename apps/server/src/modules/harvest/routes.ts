import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import { linkPage } from "../../lib/link-pages.ts";
import type { Context } from "../identity/context.ts";
import { closedPage, harvestPage, type Rejected } from "./pages.ts";
import { readForm } from "./read-form.ts";
import { type Harvest, type HarvestState, openItems, readHarvest } from "./read-harvest.ts";
import { reportHarvest } from "./report-harvest.ts";

/**
 * `/farm/{token}`: the page where a vendor sees, confirms and lowers what they bring to one delivery day (docs/product.md §10), without
 * login, shop or script. The link is the authorization: its signature and its row are checked.
 */
export const harvestRoutes = (deps: Deps) => async (app: FastifyInstance) => {
  /** Reads a link and logs its use: by its number, which opens nothing without the signature (docs/failures.md N6). */
  const readAndLog = async (token: string, request: FastifyRequest): Promise<HarvestState> => {
    const found = await readHarvest(deps, token, request.now);
    const about = "link" in found && {
      linkId: found.link.id,
      vendorId: found.link.vendor.id,
      subject: `delivery:${found.link.delivery.id}`,
    };
    request.log.info({ ...about, state: found.state, method: request.method }, "vendor link");
    return found;
  };

  /** The page after a form was refused: as things are now, with what was typed. */
  const refuse = async (token: string, request: FastifyRequest, rejected: (harvest: Harvest) => Rejected) => {
    const found = await readHarvest(deps, token, request.now);
    if (!("harvest" in found)) return closedPage(found.state);
    return harvestPage(found.harvest, request.now, rejected(found.harvest));
  };

  linkPage(app, "/farm/:token", {
    async show({ token, request }) {
      const found = await readAndLog(token, request);
      return "harvest" in found ? harvestPage(found.harvest, request.now) : closedPage(found.state);
    },
    async submit({ token, fields, request, reply }) {
      const found = await readAndLog(token, request);
      if (!("harvest" in found)) return closedPage(found.state);
      const { harvest, link } = found;
      if (harvest.hasArrived) return { ...harvestPage(harvest, request.now), status: 409 };
      const form = readForm(fields, openItems(harvest));
      if ("rejected" in form) return harvestPage(harvest, request.now, form.rejected);
      const { slug, name } = link.vendor;
      const ctx: Context = { deps, now: request.now, actor: { type: "vendor", slug, name } };
      try {
        await reportHarvest(ctx, harvest, form.report);
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error;
        return refuse(token, request, (current) => ({
          ...readForm(fields, openItems(current)).kept,
          status: 409,
          error: error.message,
          wrong: new Set(),
        }));
      }
      // A reload does not submit again.
      return reply.redirect(`/farm/${encodeURIComponent(token)}`, 303);
    },
  });
};
