import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, gzip, gzipSync } from "node:zlib";

import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";

import { BROTLI } from "./brotli.ts";
import type { Cached } from "./cache.ts";

/** Bytes; compressing a shorter body saves no packet. */
const WORTH_COMPRESSING = 1024;
const SHORT = 8192;

type Encoding = "br" | "gzip" | "identity";
const ENCODINGS: Encoding[] = ["br", "gzip"];
const compressNow = { br: (json: string) => brotliCompressSync(json, BROTLI), gzip: (json: string) => gzipSync(json) };
const [brotliLater, gzipLater] = [promisify(brotliCompress), promisify(gzip)];
const compressLater = { br: (json: string) => brotliLater(json, BROTLI), gzip: (json: string) => gzipLater(json) };

/** The best encoding that the client accepts. */
export const encodingOf = (header: string | string[] | undefined): Encoding =>
  typeof header === "string" ? (negotiate(header, ENCODINGS) ?? "identity") : "identity";

const matches = (header: string, etag: string): boolean =>
  header === etag ||
  header === "*" ||
  header.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === etag.slice(2));

function sendNow(
  request: FastifyRequest,
  reply: FastifyReply,
  { etag, encoded, json }: Cached<unknown>,
): Promise<void> | void {
  void reply.headers({ etag, "cache-control": "private, no-cache", vary: "accept-encoding, cookie" });
  const known = request.headers["if-none-match"];
  if (known !== undefined && matches(known, etag)) return void reply.code(304).send();
  void reply.header("content-type", "application/json; charset=utf-8");
  const encoding = json.length > WORTH_COMPRESSING ? encodingOf(request.headers["accept-encoding"]) : "identity";
  if (encoding !== "identity") {
    void reply.header("content-encoding", encoding);
    // A body of one shopper is compressed for this response only, and off the event loop.
    if (!encoded) return compressLater[encoding](json).then((bytes) => reply.send(bytes) as never);
    encoded[encoding] ??= compressNow[encoding](json);
    return void reply.send(encoded[encoding]);
  }
  // A short text is sent in one piece with its head; the bytes of a long one are cached.
  if (!encoded || json.length < SHORT) return void reply.send(json);
  encoded.identity ??= Buffer.from(json);
  return void reply.send(encoded.identity);
}

/**
 * Sends serialized JSON, or 304 when the client has it. Bodies that are the same for all shoppers are cached compressed.
 * A cached body is sent synchronously: a handler that returns this result returns no promise then, so Fastify awaits nothing.
 */
export function sendCached(
  request: FastifyRequest,
  reply: FastifyReply,
  cached: Cached<unknown> | Promise<Cached<unknown>>,
): Promise<void> | void {
  if (!(cached instanceof Promise)) return sendNow(request, reply, cached);
  return cached.then((ready) => answerCached(request, reply, ready));
}

/**
 * Sends serialized JSON from an async handler. Returns `reply`: if the handler resolved to undefined, Fastify would send an
 * empty body while the JSON is still being compressed.
 */
export function answerCached(request: FastifyRequest, reply: FastifyReply, cached: Cached<unknown>): never {
  // A failed compression is sent as an error response.
  Promise.resolve(sendNow(request, reply, cached)).catch((error: unknown) => reply.send(error));
  return reply as never;
}
