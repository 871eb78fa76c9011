import { ApiError } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";

/** The sentence for a failed login or registration: the server's own, which is the spec's where it has one. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : messages.network);

/** Done at the server, but the app could not go on with it (spec §8). */
class AfterLoginError extends Error {
  constructor(cause: unknown) {
    super(messages.afterLogin, { cause });
  }
}

/** Tells an action after the login from the login: only the latter has its own error message. */
export async function afterLogin(work: () => Promise<void> | void): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof ApiError && error.code === "session_expired" ? error : new AfterLoginError(error);
  }
}
