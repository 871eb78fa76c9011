import type { Call, Endpoint, Input, Output } from "@marketday/contracts/endpoint";
import { REQUEST_DEADLINE_MS, UPLOAD_DEADLINE_MS } from "@marketday/domain/limits";

import { requestMessages } from "./messages.ts";
import { trackWrite } from "./query-client.ts";
import { toSearch } from "./to-search.ts";

/**
 * What a call throws. `status` is missing when there was no answer or none that could be read (spec §8 "Network or
 * parse failure"); `code` and `details` are the second element of the error body, `{ code, field?, … }`.
 */
export class ApiError extends Error {
  override name = "ApiError";
  declare readonly status: number | undefined;
  declare readonly code: string | undefined;
  declare readonly details: Record<string, unknown>;
  /** Seconds to wait, from `Retry-After`. */
  declare readonly retryAfter: number | undefined;

  constructor(
    message: string,
    about: { status?: number; details?: Record<string, unknown>; retryAfter?: number } = {},
  ) {
    super(message);
    this.status = about.status;
    this.details = about.details ?? {};
    this.code = typeof this.details["code"] === "string" ? this.details["code"] : undefined;
    this.retryAfter = about.retryAfter;
  }

  /** No response arrived: the network failed, not the server. */
  get isOffline(): boolean {
    return this.status === undefined;
  }
}

interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Goes out even when the page is being left; the body must stay under 64 kB. */
  keepalive?: boolean;
  /** Makes a repeated write answer like the first (docs/product.md §2). */
  idempotencyKey?: string;
  page?: number;
  rows?: number;
}

/** Which part of a list an answer is, from its paging headers (docs/product.md §2). */
export interface Paging {
  page: number;
  rows: number;
  total: number;
}

type Arguments<E extends Endpoint> =
  unknown extends Input<E> ? [input?: undefined, options?: CallOptions] : [input: Input<E>, options?: CallOptions];

interface LooseInput {
  params?: Record<string, string | number>;
  querystring?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
}

interface TransportOptions {
  /** The path that every call's URL is below, such as `/api`. */
  base: string;
  /** Further headers of a call. */
  headers?: (method: string) => Record<string, string>;
  /** Runs after each call that succeeded. */
  onSuccess?: (route: Call, querystring: LooseInput["querystring"]) => void;
  /** Runs before a call throws what the server refused. */
  onRefused?: (error: ApiError) => void;
}

/**
 * The calls of an app. A request that is not answered by its deadline is given up and counts as offline, so that nothing waits for
 * it forever (docs/product.md §17 "Requests"): whether the server acted on it is then unknown. Writes are counted while they run
 * (`hasUnsavedWork`).
 */
export function createTransport({ base, headers, onSuccess, onRefused }: TransportOptions) {
  const sessionEnds = new Set<() => void>();
  let hasExpired = false;

  async function request(route: Call, input: LooseInput, options: CallOptions) {
    const stop = new AbortController();
    const onAbort = () => stop.abort();
    if (options.signal?.aborted) stop.abort();
    options.signal?.addEventListener("abort", onAbort);
    const deadline = setTimeout(onAbort, input.body instanceof FormData ? UPLOAD_DEADLINE_MS : REQUEST_DEADLINE_MS);
    let response: Response;
    let body: unknown;
    try {
      response = await fetch(base + urlOf(route.url, input), {
        ...requestOf(route.method, input.body, options, headers?.(route.method)),
        signal: stop.signal,
      });
      body = await readBody(response);
    } catch (cause) {
      if (options.signal?.aborted) throw cause;
      throw new ApiError(requestMessages.network);
    } finally {
      clearTimeout(deadline);
      options.signal?.removeEventListener("abort", onAbort);
    }
    if (response.ok) {
      onSuccess?.(route, input.querystring);
      return { body, headers: response.headers };
    }
    const error = errorOf(response.status, body, response.headers.get("retry-after"));
    if (error.code === "session_expired") {
      hasExpired = true;
      for (const listener of sessionEnds) listener();
    }
    onRefused?.(error);
    throw error;
  }

  function send(route: Call, input: LooseInput = {}, options: CallOptions = {}) {
    const sent = request(route, input, options);
    return route.method === "GET" ? sent : trackWrite(sent);
  }

  return {
    /**
     * Calls an endpoint: `await call(calls.getHub, { params: { id: 4 } })`. Only the method and the URL are needed at run
     * time; the types of what goes in and comes out are the contract's. Throws `ApiError`.
     */
    call: async <E extends Endpoint>(route: Call<E>, ...[input, options]: Arguments<E>): Promise<Output<E>> =>
      (await send(route, input as LooseInput | undefined, options)).body as Output<E>,

    /** The same for a list, with the page it is. */
    callPaged: async <E extends Endpoint>(
      route: Call<E>,
      ...[input, options]: Arguments<E>
    ): Promise<{ rows: Output<E>; paging: Paging }> => {
      const { body, headers } = await send(route, input as LooseInput | undefined, options);
      return { rows: body as Output<E>, paging: readPaging(headers) };
    },

    /**
     * Runs when any call is, or was, answered with `session_expired`, the one code that ends the session in the app. Returns what
     * stops it.
     */
    onSessionExpired: (listener: () => void): (() => void) => {
      sessionEnds.add(listener);
      if (hasExpired) listener();
      return () => void sessionEnds.delete(listener);
    },
  };
}

/** `/hubs/:id/details` with its parameters and query filled in. */
export function urlOf(pattern: string, { params = {}, querystring = {} }: LooseInput = {}): string {
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(querystring))
    if (value !== undefined && value !== null) query.set(name, String(value));
  return `${path}${toSearch(query)}`;
}

function requestOf(method: string, body: unknown, options: CallOptions, further?: Record<string, string>): RequestInit {
  const headers: Record<string, string> = { accept: "application/json", ...further };
  const isForm = body instanceof FormData;
  // A form's own type names the boundary between its parts, which only the browser knows.
  if (body !== undefined && !isForm) headers["content-type"] = "application/json";
  if (options.idempotencyKey) headers["idempotency-key"] = options.idempotencyKey;
  if (options.page) headers["x-current-page"] = String(options.page);
  if (options.rows) headers["x-rows-per-page"] = String(options.rows);
  return {
    method,
    headers,
    credentials: "include",
    body: body === undefined ? null : isForm ? body : JSON.stringify(body),
    keepalive: !!options.keepalive,
  };
}

/** An answer that is no JSON is a failure without a status when it was a success, and just words when it was not. */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch (error) {
    if (response.ok) throw error;
    return undefined;
  }
}

/** spec §7: the message is the first element of an array body, or "API responded with {status}". */
export function errorOf(status: number, body: unknown, retryAfter: string | null = null): ApiError {
  const [message, details] = Array.isArray(body) ? body : [];
  return new ApiError(typeof message === "string" ? message : requestMessages.apiResponded(status), {
    status,
    details: isRecord(details) ? details : {},
    ...(retryAfter !== null && Number.isFinite(Number(retryAfter)) ? { retryAfter: Number(retryAfter) } : {}),
  });
}

function readPaging(headers: Headers): Paging {
  const number = (name: string, without: number) => {
    const value = Number(headers.get(name) ?? Number.NaN);
    return Number.isFinite(value) ? value : without;
  };
  return { page: number("x-current-page", 1), rows: number("x-rows-per-page", 0), total: number("x-total-results", 0) };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
