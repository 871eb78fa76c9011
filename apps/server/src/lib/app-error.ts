/** What stands beside the message on the wire: `["message", { code, field?, … }]` (docs/product.md §2). */
export interface ErrorDetails {
  code: string;
  field?: string;
  [extra: string]: unknown;
}

/** An expected refusal. Thrown by guards and routes; the error plugin turns it into the array body. */
export class AppError extends Error {
  override name = "AppError";
  readonly status: number;
  readonly details: ErrorDetails;
  readonly headers: Record<string, string>;

  constructor(status: number, message: string, details: ErrorDetails, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** 404, the same for unknown and not yours. */
export const notFound = () => new AppError(404, "Not found.", { code: "not_found" });

/** 401: no session, or a guest's, where an account is needed (docs/product.md §3). */
export const loginRequired = (message = "Please login to continue.") =>
  new AppError(401, message, { code: "login_required" });

/** 401: the session ended or ran out; the app logs out on this code alone. */
export const sessionExpired = () =>
  new AppError(401, "Your session has expired. Please login to continue.", { code: "session_expired" });

/** 429 with how long to wait, in whole seconds. */
export const rateLimited = (seconds: number) =>
  new AppError(
    429,
    "Too many tries. Please wait a minute.",
    { code: "rate_limited" },
    { "retry-after": String(Math.max(1, Math.ceil(seconds))) },
  );

/** 503: something we need is away; nothing happened. */
export const unavailable = (message: string, code: string, seconds = 2) =>
  new AppError(503, message, { code }, { "retry-after": String(seconds) });
