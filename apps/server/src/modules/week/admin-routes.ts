import { createSheets, getDay, getSheetFile } from "@marketday/contracts/admin/days";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError } from "../../lib/app-error.ts";
import { html } from "../../lib/html.ts";
import { sendPlainPage } from "../../lib/plain-page.ts";
import { readDay } from "./read-day.ts";
import { readMadeVersion, readSheets } from "./read-sheets.ts";
import { serializeDay } from "./serialize-day.ts";
import { SheetFolders } from "./sheet-folders.ts";
import { sheetJob, sheetJobOf, sheetNamesOf } from "./sheet-job.ts";

const TYPES: Record<string, string> = {
  pdf: "application/pdf",
  csv: "text/csv; charset=utf-8",
  zpl: "application/zpl; charset=utf-8",
};

/** The delivery days of the admin app: their facts, making their sheets, and each file of these. */
export const weekAdminRoutes =
  (deps: Deps): FastifyPluginAsyncZod =>
  async (app) => {
    const folders = new SheetFolders(deps);

    app.route({
      ...getDay,
      handler: async (request) => {
        const { hub, date } = request.params;
        return serializeDay(await readDay(app.contextOf(request), hub, date), date, request.now);
      },
    });

    app.route({
      ...createSheets,
      handler: async (request) => {
        const ctx = app.contextOf(request);
        const { hub, date } = request.params;
        const readCurrent = async () => serializeDay(await readDay(ctx, hub, date), date, request.now);
        const made = await readSheets(ctx, { hub, day: date, ...request.body }).catch(async (error: unknown) => {
          if (!(error instanceof AppError) || error.details.code !== "conflict") throw error;
          throw new AppError(error.status, error.message, { ...error.details, current: await readCurrent() });
        });
        // Made now, so that printing does not wait. A full disk leaves the version: its files are made when they are printed.
        const { plan } = made.day;
        if (plan && sheetNamesOf(made).length > 0)
          await folders.prepare(sheetJob(deps, { ...made, day: { ...made.day, plan } }));
        return readCurrent();
      },
    });

    app.route({
      ...getSheetFile,
      handler: async (request, reply) => {
        const { hub: key, date, version, file: name } = request.params;
        const made = await readMadeVersion(app.contextOf(request), { hub: key, day: date, version });
        const { file, size } = await folders.open(sheetJobOf(deps, made, name), name);
        const [stem, ending = ""] = name.split(/\.(?=[^.]+$)/);
        const disposition = ending === "pdf" ? "inline" : "attachment";
        return reply
          .type(TYPES[ending]!)
          .headers({
            "content-length": size,
            "content-disposition": `${disposition}; filename="${made.hub.slug}-${date}-v${version}-${stem}.${ending}"`,
            "cache-control": "no-store",
            // The policy of data forbids what the browser's viewer of PDF is made of.
            "content-security-policy": "frame-ancestors 'none'",
          })
          .send(file.createReadStream());
      },
      // A file opens in a tab, where a person reads what went wrong.
      errorHandler: (error, request, reply) => {
        if (!(error instanceof AppError) || request.headers["sec-fetch-dest"] !== "document") throw error;
        void sendPlainPage(reply, error.status, "This sheet can’t be shown", html`<p>${error.message}</p>`);
      },
    });
  };
