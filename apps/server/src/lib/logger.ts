import { hostname } from "node:os";

import { Second } from "@marketday/domain/time";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";

import { reasonOf, serializeError } from "./log-errors.ts";

/** Fields that are redacted in every log line (failures.md V11). */
const SECRET = [
  "password",
  "oldPassword",
  "newPassword",
  "token",
  "cookie",
  "authorization",
  "card",
  "number",
  "cvc",
  "clientSecret",
  "secret",
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Lines are buffered up to this size, or for half a second; an error flushes the buffer at once. */
const BUFFER = { length: 16_384, ms: 0.5 * Second.ms };
const ERROR = 50;

interface Lines {
  write(line: string): void;
  flush(): void;
}

/**
 * Standard output (1) or error (2), buffered to save system calls. pino's own buffer measures its whole content for every
 * line, so it is not used. Writes are synchronous, so that no line is lost on exit.
 */
function buffered(file: 1 | 2): Lines {
  const out = pino.destination({ dest: file, sync: true });
  let waiting = "";
  const flush = () => {
    if (waiting === "") return;
    out.write(waiting);
    waiting = "";
  };
  setInterval(flush, BUFFER.ms).unref();
  process.once("exit", flush);
  return {
    write(line) {
      waiting += line;
      if (waiting.length >= BUFFER.length) flush();
    },
    flush,
  };
}

/** Outputs of the loggers that write JSON. */
const outputs = new WeakMap<FastifyBaseLogger, Lines>();

/** Adds the masked reason as the message of an error that is logged without one. */
function withMessage(args: unknown[]): unknown[] {
  const [first, message] = args;
  if (message !== undefined || typeof first !== "object" || first === null) return args;
  const fields = first instanceof Error ? { err: first } : first;
  return "err" in fields && fields.err instanceof Error ? [fields, reasonOf(fields.err)] : args;
}

/**
 * One JSON line per event; formatted for people on a terminal.
 * @param file 2 for commands, whose standard output is their result
 */
export function createLogger(level: string, pretty: boolean, file: 1 | 2 = 1): FastifyBaseLogger {
  const options = {
    level,
    redact: { paths: SECRET, censor: "…" },
    serializers: { err: serializeError, error: serializeError },
  };
  if (pretty)
    return pino({
      ...options,
      hooks: {
        logMethod(args, method) {
          method.apply(this, withMessage(args) as typeof args);
        },
      },
      transport: { target: "pino-pretty", options: { ignore: "pid,hostname", translateTime: "HH:MM:ss" } },
    }) as FastifyBaseLogger;
  const out = buffered(file);
  const log = pino(
    {
      ...options,
      hooks: {
        logMethod(args, method, at) {
          method.apply(this, withMessage(args) as typeof args);
          if (at >= ERROR) out.flush();
        },
      },
    },
    out,
  ) as FastifyBaseLogger;
  outputs.set(log, out);
  return log;
}

/** Paths of mailed links with a secret part (failures.md F20). */
const SECRET_PATH =
  /^(\/password-reset|\/api\/auth\/reset|\/account\/data|\/account\/email|\/answer|\/farm|\/unsubscribe|\/admin\/invite|\/api\/admin\/invites)\/[^/]+/;

/** The path of a URL for logs: without its query and without the secret of a mailed link. */
export const pathForLog = (url: string): string => url.split("?", 1)[0]!.replace(SECRET_PATH, "$1/…");

/** Fields of a request's log line; none can contain a secret. */
export interface RequestLine {
  reqId: string;
  method: string;
  /** Without its query. */
  path: string;
  status: number;
  ms: number;
  /** Callers waiting for a database connection, when there are any. */
  db?: number;
}

/**
 * Writes a line for each request. JSON is concatenated directly: pino checks every field for its type and for secrets,
 * which takes as long as a response from the cache.
 */
export function requestLines(log: FastifyBaseLogger): (line: RequestLine) => void {
  const out = outputs.get(log);
  if (!out) return (line) => log.info(line, "request");
  if (!(log as pino.Logger).isLevelEnabled("info")) return () => undefined;
  const start = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())},"reqId":"`;
  return ({ reqId, method, path, status, ms, db }) => {
    const waiting = db === undefined ? "" : `,"db":${db}`;
    out.write(
      `{"level":30,"time":${Math.round(performance.timeOrigin + performance.now())},${start}${reqId}","method":"${method}","path":${JSON.stringify(path)},"status":${status},"ms":${ms}${waiting},"msg":"request"}\n`,
    );
  };
}

/**
 * Logger of one request, created on first use: most requests log nothing, and creating a pino child takes longer than
 * a response from the cache.
 */
class LazyLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  #created: FastifyBaseLogger | undefined;
  constructor(parent: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#parent = parent;
    this.#bindings = bindings;
  }
  get #log(): FastifyBaseLogger {
    return (this.#created ??= this.#parent.child(this.#bindings));
  }
  get level(): string {
    return this.#parent.level;
  }
  child(...args: Parameters<FastifyBaseLogger["child"]>): FastifyBaseLogger {
    return this.#log.child(...args);
  }
  fatal(...args: [object, string?]): void {
    this.#log.fatal(...args);
  }
  error(...args: [object, string?]): void {
    this.#log.error(...args);
  }
  warn(...args: [object, string?]): void {
    this.#log.warn(...args);
  }
  info(...args: [object, string?]): void {
    this.#log.info(...args);
  }
  debug(...args: [object, string?]): void {
    this.#log.debug(...args);
  }
  trace(...args: [object, string?]): void {
    this.#log.trace(...args);
  }
  silent(): void {}
}

/** For Fastify's `childLoggerFactory`. */
export const lazyChild = (parent: FastifyBaseLogger, bindings: Record<string, unknown>): FastifyBaseLogger =>
  new LazyLogger(parent, bindings);
