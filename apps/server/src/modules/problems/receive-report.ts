import type { Multipart } from "@fastify/multipart";
import { PROBLEM_MESSAGE_MAX } from "@marketday/domain/limits";
import type { FastifyRequest } from "fastify";

import { AppError } from "../../lib/app-error.ts";
import { dropPhotos, redraw, storeUpload } from "./photos.ts";

const invalid = (message: string, field: string) => new AppError(400, message, { code: "invalid", field });

/** 413 for a photo above its limit. */
export const tooLarge = () =>
  new AppError(413, "Those photos are too large. Each may have up to 5 MB.", { code: "too_large", field: "photos" });

/** A report as it was sent, its photos already redrawn and on disk. */
export interface ReceivedReport {
  message: string;
  /** Names of its photos' files. */
  files: string[];
}

/** Photos are redrawn one after the other in a process: one of 40 megapixels takes 160 MB while it is open. */
let redrawing: Promise<unknown> = Promise.resolve();
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const mine = redrawing.then(work, work);
  redrawing = mine.catch(() => undefined);
  return mine;
}

function readMessage(text: string): string {
  const message = text.replaceAll("\r\n", "\n").trim();
  if (message === "") throw invalid("Tell us what went wrong", "message");
  if (message.length > PROBLEM_MESSAGE_MAX || message.includes("\0"))
    throw invalid(`At most ${PROBLEM_MESSAGE_MAX} characters`, "message");
  return message;
}

/**
 * The parts of a form, in order. A body that sends no length is counted as it arrives: 413 at the first byte above `bytesMax`,
 * and what is still being read of it is given up (failures.md I1).
 */
async function* partsWithin(request: FastifyRequest, bytesMax: number): AsyncGenerator<Multipart> {
  const { raw } = request;
  const exceeded = Promise.withResolvers<never>();
  exceeded.promise.catch(() => undefined);
  let current: Multipart | undefined;
  let bytes = 0;
  const count = (chunk: Buffer): void => {
    bytes += chunk.length;
    if (bytes <= bytesMax) return;
    raw.off("data", count);
    raw.unpipe();
    raw.pause();
    if (current?.type === "file") current.file.once("error", () => undefined).destroy(tooLarge());
    exceeded.reject(tooLarge());
  };
  // Paused, a listener starts nothing: the body flows when the parser is attached.
  raw.pause();
  raw.on("data", count);
  const parts = request.parts();
  for (;;) {
    const next = await Promise.race([parts.next(), exceeded.promise]);
    if (next.done) return;
    current = next.value;
    yield next.value;
  }
}

/**
 * Reads the form: `message`, and at most four `photos`. Each is streamed to a file and redrawn before the next is
 * read, so that none is held in memory. After a refused photo the rest is skipped, so that the browser finishes sending and shows why.
 * Throws `AppError`, 413 for a body above `bytesMax`; no file is left then.
 */
export async function receiveReport(
  request: FastifyRequest,
  dataDir: string,
  bytesMax: number,
): Promise<ReceivedReport> {
  const files: string[] = [];
  let message = "";
  let refusal: unknown = null;
  try {
    for await (const part of partsWithin(request, bytesMax)) {
      if (part.type === "field") {
        if (part.fieldname === "message" && typeof part.value === "string") message = part.value;
      } else if (refusal !== null) part.file.resume();
      else if (part.fieldname !== "photos") {
        part.file.resume();
        refusal = invalid("Photos could not be read. Please choose them again.", "photos");
      } else {
        const { file: upload, size } = await storeUpload(dataDir, part.file);
        try {
          if (part.file.truncated) refusal = tooLarge();
          // A form without a choice sends an empty file.
          else if (size > 0) files.push(await inTurn(() => redraw(dataDir, upload)));
        } catch (error) {
          refusal = error;
        } finally {
          await dropPhotos(dataDir, [upload]);
        }
      }
    }
    if (refusal !== null) throw refusal;
    return { message: readMessage(message), files };
  } catch (error) {
    await dropPhotos(dataDir, files);
    throw error;
  }
}
