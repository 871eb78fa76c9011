import type { Multipart } from "@fastify/multipart";
import { type ReportedItem, ReportedItems } from "@marketday/contracts/problems";
import { PROBLEM_MESSAGE_MAX } from "@marketday/domain/limits";
import { cleanText } from "@marketday/domain/text";
import type { FastifyRequest } from "fastify";
import pLimit from "p-limit";

import { AppError } from "../../lib/app-error.ts";
import { deletePhotos, reencodePhoto, storeUpload } from "./photos.ts";

const invalid = (message: string, field: string) => new AppError(400, message, { code: "invalid", field });

/** 400 for items that are not of the order's box. */
export const itemsNotFound = () => invalid("We can't find these items in the order. Please tick them again.", "items");

/** 413 for photos above the size limits. */
export const tooLarge = () =>
  new AppError(413, "Those photos are too large. Each may have up to 5 MB.", { code: "too_large", field: "photos" });

/** A report with its photos re-encoded and stored on disk. */
export interface ReceivedReport {
  message: string;
  items: ReportedItem[];
  /** File names of the photos. */
  files: string[];
}

/** A process re-encodes one photo at a time: 40 megapixels take 160 MB of memory. */
const oneAtATime = pLimit(1);

function readMessage(text: string): string {
  const message = cleanText(text);
  if (message === "") throw invalid("Tell us what went wrong", "message");
  if (message.length > PROBLEM_MESSAGE_MAX) throw invalid(`At most ${PROBLEM_MESSAGE_MAX} characters`, "message");
  return message;
}

function readItems(text: string): ReportedItem[] {
  try {
    return ReportedItems.parse(JSON.parse(text));
  } catch {
    throw itemsNotFound();
  }
}

/**
 * The parts of a form, in order. The body is counted as it arrives: 413 at the first byte above `bytesMax`, and the part that is
 * being read is destroyed (failures.md I1).
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
  // Paused, the listener does not start the flow: the body flows when the parser is attached.
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
 * Reads the form: `message`, `items` and at most four `photos`. Each photo is streamed to a file and re-encoded before the next
 * is read, so that none is held in memory. After a rejected part the rest is skipped, so that the browser finishes sending and
 * shows the error.
 * @throws AppError, 413 for a body above `bytesMax`; no file is left then
 */
export async function receiveReport(
  request: FastifyRequest,
  dataDir: string,
  bytesMax: number,
): Promise<ReceivedReport> {
  const files: string[] = [];
  let message: string | null = null;
  let items: ReportedItem[] = [];
  let rejection: unknown = null;
  try {
    for await (const part of partsWithin(request, bytesMax)) {
      if (part.type === "field") {
        if (rejection !== null || typeof part.value !== "string") continue;
        try {
          if (part.fieldname === "message") message = readMessage(part.value);
          if (part.fieldname === "items") items = readItems(part.value);
        } catch (error) {
          rejection = error;
        }
      } else if (rejection !== null) part.file.resume();
      else if (part.fieldname !== "photos") {
        part.file.resume();
        rejection = invalid("Photos could not be read. Please choose them again.", "photos");
      } else {
        const { file: upload, size } = await storeUpload(dataDir, part.file);
        try {
          if (part.file.truncated) rejection = tooLarge();
          // A form without a selected file sends an empty file.
          else if (size > 0) files.push(await oneAtATime(() => reencodePhoto(dataDir, upload)));
        } catch (error) {
          rejection = error;
        } finally {
          await deletePhotos(dataDir, [upload]);
        }
      }
    }
    if (rejection !== null) throw rejection;
    return { message: message ?? readMessage(""), items, files };
  } catch (error) {
    await deletePhotos(dataDir, files);
    throw error;
  }
}
