import * as calls from "@marketday/contracts/calls";

import { ApiError, errorOf, urlOf } from "../../lib/api.ts";
import { messages } from "../../lib/messages.ts";

/** Sends a report with its photos, the one form that is not JSON. Throws ApiError. */
export async function sendReport(orderId: number, message: string, photos: readonly Blob[]): Promise<void> {
  const body = new FormData();
  body.set("message", message);
  for (const photo of photos) body.append("photos", photo, "photo.jpg");
  let response: Response;
  try {
    response = await fetch(urlOf(calls.reportProblem.url, { params: { id: orderId } }), {
      method: calls.reportProblem.method,
      body,
      credentials: "include",
      headers: { accept: "application/json" },
    });
  } catch {
    throw new ApiError(messages.network);
  }
  if (!response.ok) throw errorOf(response.status, await response.json().catch(() => undefined));
}
