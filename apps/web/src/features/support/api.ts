import * as calls from "@marketday/contracts/calls";
import type { ReportedItem } from "@marketday/contracts/problems";

import { call } from "../../lib/api.ts";

interface Report {
  message: string;
  items: readonly ReportedItem[];
  photos: readonly Blob[];
}

/** Sends a report with its photos, the one form that is not JSON. Throws ApiError. */
export async function sendReport(orderId: number, { message, items, photos }: Report): Promise<void> {
  const body = new FormData();
  body.set("message", message);
  body.set("items", JSON.stringify(items));
  for (const photo of photos) body.append("photos", photo, "photo.jpg");
  // The contract leaves the form to the server's reader of uploads, so its type has no body.
  const input = { params: { id: orderId }, body };
  await call(calls.reportProblem, input);
}
