import multipart from "@fastify/multipart";
import { reportProblem as reportCall } from "@marketday/contracts/problems";
import { PROBLEM_MESSAGE_MAX, PROBLEM_PHOTO_BYTES_MAX, PROBLEM_PHOTOS_MAX } from "@marketday/domain/limits";
import { Second } from "@marketday/domain/time";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";

import { AppError } from "../../lib/app-error.ts";
import type { Limits } from "../../lib/limits.ts";
import { requireCustomer } from "../../plugins/session.ts";
import { reportProblem } from "./report-problem.ts";

/** Four photos of five megabytes, and what stands between them. */
const BODY_MAX = PROBLEM_PHOTOS_MAX * PROBLEM_PHOTO_BYTES_MAX + 64 * 1024;
const invalid = (message: string, field: string) => new AppError(400, message, { code: "invalid", field });

/** Reads the form: `message`, and at most four `photos`. */
async function read(request: FastifyRequest): Promise<{ message: string; photos: Buffer[] }> {
  if (!request.isMultipart())
    throw new AppError(415, "Send a form with its files.", { code: "unsupported_media_type" });
  let message = "";
  const photos: Buffer[] = [];
  for await (const part of request.parts()) {
    if (part.type === "file") {
      const bytes = await part.toBuffer();
      if (part.fieldname !== "photos") throw invalid("There is no such file field.", part.fieldname);
      // A form without a choice sends an empty file.
      if (bytes.length > 0) photos.push(bytes);
    } else if (part.fieldname === "message" && typeof part.value === "string")
      message = part.value.replaceAll("\r\n", "\n").trim();
  }
  if (message === "") throw invalid("Tell us what went wrong", "message");
  if (message.length > PROBLEM_MESSAGE_MAX || message.includes("\0"))
    throw invalid(`At most ${PROBLEM_MESSAGE_MAX} characters`, "message");
  return { message, photos };
}

/** The one call that takes files, with a size of its own (failures.md I1, I14). */
export const reportRoutes =
  (limits: Limits): FastifyPluginAsyncZod =>
  async (app) => {
    await app.register(multipart, {
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
      // Who may is asked before a byte of a photo is read.
      preParsing: async (request) => {
        requireCustomer(request.actor);
        if (Number(request.headers["content-length"] ?? 0) > BODY_MAX)
          throw new AppError(413, "That is too much at once.", { code: "too_large" });
      },
      handler: async (request) => {
        const customerId = requireCustomer(request.actor);
        await limits.problem.take(customerId);
        await reportProblem(app.contextOf(request), customerId, request.params.id, await read(request));
        return { success: true as const };
      },
    });
  };
