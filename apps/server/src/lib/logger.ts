import { hostname } from "node:os";

import { Second } from "@marketday/domain/time";
import type { FastifyBaseLogger } from "fastify";
import { pino } from "pino";

import { reasonOf, serializeError } from "./log-errors.ts";

/** What never reaches a log (failures.md V11). */
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
].flatMap((name) => [name, `*.${name}`, `*.*.${name}`]);

/** Lines gather to this size, or for half a second; an error takes all before it along at once. */
const TOGETHER = { length: 16_384, ms: 0.5 * Second.ms };
const ERROR = 50;

interface Lines {
  write(line: string): void;
  flush(): void;
}

/**
 * Standard output (1) or error (2) without a system call for each line. Gathered here and not by the destination, which measures all
 * that waits again with each line. Written at once and not behind our back, so that nothing is lost on exit.
 */
function gathered(file: 1 | 2): Lines {
  const out = pino.destination({ dest: file, sync: true });
  let waiting = "";
  const flush = () => {
    if (waiting === "") return;
    out.write(waiting);
    waiting = "";
  };
  setInterval(flush, TOGETHER.ms).unref();
  process.once("exit", flush);
  return {
    write(line) {
      waiting += line;
      if (waiting.length >= TOGETHER.length) flush();
    },
    flush,
  };
}

/** Where the loggers that write JSON write it. */
const outputs = new WeakMap<FastifyBaseLogger, Lines>();

/** An error without words of its own: its reason is the line's message, masked as in the error itself. */
function withMessage(args: unknown[]): unknown[] {
  const [first, message] = args;
  if (message !== undefined || typeof first !== "object" || first === null) return args;
  const fields = first instanceof Error ? { err: first } : first;
  return "err" in fields && fields.err instanceof Error ? [fields, reasonOf(fields.err)] : args;
}

/**
 * One JSON line per event; easy to read on a terminal.
 * @param file 2 for commands, whose standard output is their answer
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
  const out = gathered(file);
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

/** The parts of an address that open something to whoever reads them: links of mails (failures.md F20). */
const SECRET_PATH =
  /^(\/password-reset|\/api\/auth\/reset|\/account\/data|\/account\/email|\/answer|\/unsubscribe)\/[^/]+/;

/** An address as it is logged: without its query and without the secret of a mailed link. */
export const pathForLog = (url: string): string => url.split("?", 1)[0]!.replace(SECRET_PATH, "$1/…");

/** What is said of each request; no field can hold a secret. */
export interface RequestLine {
  reqId: string;
  method: string;
  /** Without its query. */
  path: string;
  status: number;
  ms: number;
  /** Callers who wait for a connection, when there are some. */
  db?: number;
}

/**
 * Writes a line for each request. Where lines go to standard output it is put together by hand: pino's own way, which
 * looks at every field for its kind and for secrets, takes as long as answering from the cache.
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
 * A request's own logger, made when it says something: most requests say nothing, and looking for secrets in the name
 * of each took longer than answering it.
 */
class LazyLogger {
  readonly #parent: FastifyBaseLogger;
  readonly #bindings: Record<string, unknown>;
  #made: FastifyBaseLogger | undefined;
  constructor(parent: FastifyBaseLogger, bindings: Record<string, unknown>) {
    this.#parent = parent;
    this.#bindings = bindings;
  }
  get #log(): FastifyBaseLogger {
    return (this.#made ??= this.#parent.child(this.#bindings));
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
