/** Details next to the message in an error response: `["message", { code, field?, … }]` (docs/product.md §2). */
export interface ErrorDetails {
  code: string;
  field?: string;
  [extra: string]: unknown;
}

/** An expected error. Thrown by guards and routes; the error plugin turns it into the array body. */
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

/** 404, the same for an unknown row and one of another customer. */
export const notFound = () => new AppError(404, "Not found.", { code: "not_found" });

/** 401: no session, or a guest's, where an account is required (docs/product.md §3). */
export const loginRequired = (message = "Please login to continue.") =>
  new AppError(401, message, { code: "login_required" });

/** 401: the session ended or expired; the app logs out on this code only. */
export const sessionExpired = () =>
  new AppError(401, "Your session has expired. Please login to continue.", { code: "session_expired" });

/** 429 with the time to wait, in whole seconds. */
export const rateLimited = (seconds: number) =>
  new AppError(
    429,
    "Too many tries. Please wait a minute.",
    { code: "rate_limited" },
    { "retry-after": String(Math.max(1, Math.ceil(seconds))) },
  );

/** 503: a service that is required is unavailable; nothing was changed. */
export const unavailable = (message: string, code: string, seconds = 2) =>
  new AppError(503, message, { code }, { "retry-after": String(seconds) });

/** A receiver of messages (mail server, webhook) is unavailable: it would accept no other message either. */
export class ReceiverUnavailable extends Error {}
