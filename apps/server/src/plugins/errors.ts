import type { Socket } from "node:net";

import { isCustomerDeleted, isUnavailable, sqlState } from "@marketday/db";
import { PROBLEM_PHOTOS_MAX } from "@marketday/domain/limits";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import fp from "fastify-plugin";

import { AppError, notFound, sessionExpired, unavailable } from "../lib/app-error.ts";
import { dataHeaders } from "./security.ts";

const TOO_LARGE = "That file or message is too large.";
const NOT_UNDERSTOOD = "That request is not understood.";

/** Messages for people, by a library's error code. */
const MESSAGE_BY_CODE: Record<string, string> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: "Send JSON.",
  FST_ERR_CTP_BODY_TOO_LARGE: TOO_LARGE,
  FST_FILES_LIMIT: `You can add up to ${PROBLEM_PHOTOS_MAX} photos.`,
  FST_REQ_FILE_TOO_LARGE: "That photo is too large. Each may have up to 5 MB.",
};
/** Messages by status, for unknown codes. */
const MESSAGE_BY_STATUS: Record<number, string> = {
  400: NOT_UNDERSTOOD,
  404: "Not found.",
  408: "That took too long. Please try again.",
  413: TOO_LARGE,
  415: "That kind of file or message is not accepted.",
};

/** Whether a file could not be written: disk full, quota exceeded or read-only (failures.md M15). */
const isDiskFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && ["ENOSPC", "EDQUOT", "EROFS"].includes(String(error.code));

/** Converts an error to the error of its response (docs/product.md §2 Errors); null for an unexpected one. */
function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  // A NUL character, which Postgres stores neither in text (22021) nor in JSON (22P05).
  if (["22021", "22P05"].includes(sqlState(error) ?? ""))
    return new AppError(400, "That text contains a character we can't store. Please remove it and try again.", {
      code: "invalid",
    });
  if (isCustomerDeleted(error)) return sessionExpired();
  if (isDiskFull(error))
    return unavailable("We can't save that right now. Please try again in a few minutes.", "disk_full", 60);
  if (isUnavailable(error)) return unavailable("Something went wrong. Please try again in a moment.", "unavailable");
  const { statusCode, code } = (error ?? {}) as Partial<FastifyError>;
  if (statusCode && statusCode >= 400 && statusCode < 500)
    return new AppError(
      statusCode,
      MESSAGE_BY_CODE[code ?? ""] ?? MESSAGE_BY_STATUS[statusCode] ?? "That did not work. Please try again.",
      {
        code: statusCode === 413 ? "too_large" : statusCode === 415 ? "unsupported_media_type" : "invalid",
      },
    );
  return null;
}

export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = toAppError(error);
  if (known && known.status < 500) {
    request.log.info({ status: known.status, code: known.details.code }, known.message);
  } else {
    request.log.error({ err: error }, "request failed");
  }
  const status = known?.status ?? 500;
  const body = known
    ? [known.message, status >= 500 ? { ...known.details, requestId: request.id } : known.details]
    : ["Something went wrong.", { code: "internal", requestId: request.id }];
  void reply
    .code(status)
    .headers(known?.headers ?? {})
    .header("cache-control", "no-store")
    .type("application/json; charset=utf-8")
    .send(JSON.stringify(body));
}

/**
 * Responds to invalid HTTP and to headers that are too long or too slow (failures.md I2, I11): the same array body as for
 * other errors, then closes the connection, so that following bytes are not parsed as another request.
 */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const [status, message, code] =
    error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      ? ["408 Request Timeout", "That took too long.", "too_slow"]
      : error.code === "HPE_HEADER_OVERFLOW"
        ? ["431 Request Header Fields Too Large", "That file or message is too large.", "too_large"]
        : ["400 Bad Request", "That request is not understood.", "invalid"];
  const body = JSON.stringify([message, { code }]);
  const headers = {
    ...dataHeaders(false),
    "content-type": "application/json; charset=utf-8",
    "content-length": Buffer.byteLength(body),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (socket.writable) socket.write([`HTTP/1.1 ${status}`, ...lines, "", body].join("\r\n"));
  socket.destroy(error);
}

/** Must be registered before any route, or a declared 400 schema would turn errors into 500. */
export default fp(
  async (app: FastifyInstance) => {
    app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
    app.setNotFoundHandler((request, reply) => sendError(notFound(), request, reply));
  },
  { name: "errors" },
);
