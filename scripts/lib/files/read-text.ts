import { createReadStream } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";

import { EXIT, CliError } from "../cli/exit.ts";

/** Bytes of a text that a person wrote. */
const TEXT_MAX = 100_000;

/**
 * A short text from a file, or from standard input (`-`), which Ctrl-C interrupts.
 * @throws CliError when it cannot be read, is not UTF-8, or is far too long
 */
export async function readText(path: string, signal: AbortSignal): Promise<string> {
  const name = path === "-" ? "Standard input" : path;
  const stream: Readable = path === "-" ? process.stdin : createReadStream(path);
  const parts: Buffer[] = [];
  let size = 0;
  try {
    for await (const part of addAbortSignal(signal, stream)) {
      parts.push(part as Buffer);
      size += (part as Buffer).length;
      if (size > TEXT_MAX)
        throw new CliError(EXIT.input, `${name} is longer than ${TEXT_MAX.toLocaleString("en-US")} bytes.`);
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined || !/^E[A-Z]+$/.test(code)) throw error;
    throw new CliError(EXIT.input, `${name} cannot be read: ${message}`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts)).replaceAll("\r\n", "\n").trim();
  } catch {
    throw new CliError(EXIT.input, `${name} is not UTF-8 text. Save it as UTF-8.`);
  }
}
