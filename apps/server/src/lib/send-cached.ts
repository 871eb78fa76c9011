import { promisify } from "node:util";
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from "node:zlib";

import type { FastifyReply, FastifyRequest } from "fastify";

import type { Cached } from "./cache.ts";

/** Below this a smaller body saves no packet. */
const WORTH_COMPRESSING = 1024;
const SHORT = 8192;
const BROTLI = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

const ENCODINGS = ["br", "gzip"] as const;
type Encoding = (typeof ENCODINGS)[number] | "identity";
const compressNow = { br: (json: string) => brotliCompressSync(json, BROTLI), gzip: (json: string) => gzipSync(json) };
const [brotliLater, gzipLater] = [promisify(brotliCompress), promisify(gzip)];
const compressLater = { br: (json: string) => brotliLater(json, BROTLI), gzip: (json: string) => gzipLater(json) };

/** The best a header takes; browsers send the same few texts over and over, so the answers are kept. */
const chosen = new Map<string, Encoding>();

const encodingOf = (header: string | string[] | undefined): Encoding => {
  if (typeof header !== "string") return "identity";
  let encoding = chosen.get(header);
  if (encoding === undefined) {
    const taken = new Set(
      header.split(",").flatMap((part) => {
        const [name, ...parameters] = part.split(";").map((piece) => piece.trim().toLowerCase());
        return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
      }),
    );
    encoding = ENCODINGS.find((name) => taken.has(name)) ?? "identity";
    if (chosen.size < 100) chosen.set(header, encoding);
  }
  return encoding;
};

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
    // One shopper's own is compressed for this answer alone, and off the event loop.
    if (!encoded) return compressLater[encoding](json).then((bytes) => reply.send(bytes) as never);
    encoded[encoding] ??= compressNow[encoding](json);
    return void reply.send(encoded[encoding]);
  }
  // A short text leaves in one piece with its head; a long one is not encoded anew each time.
  if (!encoded || json.length < SHORT) return void reply.send(json);
  encoded.identity ??= Buffer.from(json);
  return void reply.send(encoded.identity);
}

/**
 * Answers with JSON that is ready: no serialising, 304 for who has it already. What all shoppers see alike is kept
 * compressed, so that each change is compressed once and not once a request. What is there at once is sent at once: a
 * handler that gives this back makes no promise then, and Fastify waits for none.
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
 * The same where a promise is under way already: an async handler that answered with nothing would be taken at its word,
 * and what is still being compressed would arrive empty.
 */
export function answerCached(request: FastifyRequest, reply: FastifyReply, cached: Cached<unknown>): never {
  // Fastify waits for an answer that is still being compressed, and hears of it when that fails.
  Promise.resolve(sendNow(request, reply, cached)).catch((error: unknown) => reply.send(error));
  return reply as never;
}
