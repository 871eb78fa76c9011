import multipart from "@fastify/multipart";
import { reportProblem as reportCall } from "@marketday/contracts/problems";
import { PROBLEM_PHOTO_BYTES_MAX, PROBLEM_PHOTOS_MAX } from "@marketday/domain/limits";
import { Second } from "@marketday/domain/time";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError, notFound } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireCustomer } from "../../plugins/session.ts";
import { receiveReport, tooLarge } from "./receive-report.ts";
import { reportProblem } from "./report-problem.ts";
import { ownsOrder } from "./store.ts";
import { takeUploadSlot } from "./upload-slots.ts";

/** Four photos of five megabytes, and what stands between them. */
const BODY_MAX = PROBLEM_PHOTOS_MAX * PROBLEM_PHOTO_BYTES_MAX + 64 * 1024;
/** The one call that takes files, with a size of its own (failures.md I1, I14). */
export const reportRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(multipart, {
      throwFileSizeLimit: false,
      limits: {
        fileSize: PROBLEM_PHOTO_BYTES_MAX,
        files: PROBLEM_PHOTOS_MAX,
        fields: 4,
        fieldSize: 8 * 1024,
        parts: 8,
      },
    });
    app.route({
      ...reportCall,
      bodyLimit: BODY_MAX,
      config: { bodyWithinMs: 60 * Second.ms },
      // Who may, and what it is, is settled before a byte of the body is read; the handler reads it itself.
      preParsing: async (request) => {
        requireCustomer(request.actor);
        if (!/^multipart\/form-data\s*;/i.test(request.headers["content-type"] ?? ""))
          throw new AppError(415, "Send a form with its files.", { code: "unsupported_media_type" });
        if (Number(request.headers["content-length"] ?? 0) > BODY_MAX) throw tooLarge();
      },
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        const { id: orderId } = request.params;
        if (!(await ownsOrder(deps.db, customerId, orderId))) throw notFound();
        const release = takeUploadSlot(customerId);
        try {
          await limits.upload.take(request.ip);
          await limits.problem.take(customerId);
          const report = await receiveReport(request, deps.env.dataDir, BODY_MAX);
          await reportProblem(app.contextOf(request), customerId, orderId, report);
        } finally {
          release();
        }
        return { success: true as const };
      },
    });
  };
