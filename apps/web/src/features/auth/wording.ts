import { ApiError } from "@marketday/client/transport.ts";

import { messages } from "../../lib/messages.ts";

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
