import { deviceName } from "@marketday/domain/device";
import type { FastifyInstance, FastifyRequest } from "fastify";

import type { Limits } from "../../lib/limits.ts";
import type { LoginAttempt } from "../../lib/login-limits.ts";
import { ProofRefused, recordRefusal, type RefusedAction } from "./refusal.ts";

/**
 * Runs the work of a request and records it when it is refused. The response does not wait for that: it takes as long for a known
 * person as for an unknown one (failures.md F16).
 */
export async function recordingRefusals<T>(
  app: FastifyInstance,
  request: FastifyRequest,
  action: RefusedAction,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ProofRefused)
      app.afterResponse(
        recordRefusal(
          app.contextOf(request),
          action,
          error.refused,
          deviceName(request.headers["user-agent"] ?? ""),
        ).catch((cause: unknown) => request.log.error({ err: cause }, "a refused sign-in could not be recorded")),
      );
    throw error;
  }
}

/**
 * Runs the check of a password or recovery code within its limits: by address, network, account and in total. With a `device` there are
 * separate tries, so that no stranger locks the person out.
 * @throws AppError 429 before anything is hashed
 */
export async function limited<T>(limits: Limits, attempt: LoginAttempt, work: () => Promise<T>): Promise<T> {
  await limits.staffLogin.check(attempt);
  const result = await work().catch(async (error: unknown) => {
    if (error instanceof ProofRefused) await limits.staffLogin.failed(attempt);
    throw error;
  });
  await limits.staffLogin.succeeded(attempt);
  return result;
}
