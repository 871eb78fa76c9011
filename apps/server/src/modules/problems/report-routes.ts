import multipart from "@fastify/multipart";
import { reportProblem as reportCall } from "@marketday/contracts/problems";
import { PROBLEM_PHOTO_BYTES_MAX, PROBLEM_PHOTOS_MAX } from "@marketday/domain/limits";
import { Second } from "@marketday/domain/time";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import type { Deps } from "../../deps.ts";
import { AppError, notFound, unavailable } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import type { CustomerId } from "../identity/context.ts";
import { requireCustomer } from "../identity/guards.ts";
import { receiveReport, tooLarge } from "./receive-report.ts";
import { reportProblem } from "./report-problem.ts";
import { ownsOrder } from "./store.ts";

/** Four photos of five megabytes, and the multipart headers. */
const BODY_MAX = PROBLEM_PHOTOS_MAX * PROBLEM_PHOTO_BYTES_MAX + 64 * 1024;
/** The maximum of uploads that one process reads and decodes at the same time (failures.md M15). */
const MAX_UPLOADS = 4;
/** The maximum per customer. */
const MAX_PER_CUSTOMER = 2;

const RETRY_AFTER_S = 5;

const uploading: CustomerId[] = [];

/**
 * Takes one of the process's upload slots before a body is read. Call the result once to release it.
 * 503 `busy` with Retry-After if all slots are taken.
 */
export function takeUploadSlot(customerId: CustomerId): () => void {
  const ofCustomer = uploading.filter((id) => id === customerId).length;
  if (uploading.length >= MAX_UPLOADS || ofCustomer >= MAX_PER_CUSTOMER)
    throw unavailable("Many photos are coming in right now. Please try again in a moment.", "busy", RETRY_AFTER_S);
  uploading.push(customerId);
  return () => void uploading.splice(uploading.indexOf(customerId), 1);
}

/** The one call that accepts files, with its own size limit (failures.md I1, I14). */
export const reportRoutes =
  (deps: Deps, limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(multipart, {
      throwFileSizeLimit: false,
      limits: {
        fileSize: PROBLEM_PHOTO_BYTES_MAX,
        files: PROBLEM_PHOTOS_MAX,
        fields: 4,
        fieldSize: 16 * 1024,
        parts: 8,
      },
    });
    app.route({
      ...reportCall,
      bodyLimit: BODY_MAX,
      config: { bodyWithinMs: 60 * Second.ms },
      // Session, content type and size are checked before the body is read; the handler reads the body.
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
