import { unavailable } from "../../lib/app-error.ts";
import type { CustomerId } from "../../lib/context.ts";

/** Uploads that one process reads and decodes at the same time (failures.md M15). */
const MAX_UPLOADS = 4;
/** Of those, one customer's. */
const MAX_PER_CUSTOMER = 2;

const RETRY_AFTER_S = 5;

const uploading: CustomerId[] = [];

/**
 * Takes one of this process's upload slots before a body is read; call the result to release it, once.
 * All taken: 503 `busy` with Retry-After.
 */
export function takeUploadSlot(customerId: CustomerId): () => void {
  const own = uploading.filter((id) => id === customerId).length;
  if (uploading.length >= MAX_UPLOADS || own >= MAX_PER_CUSTOMER)
    throw unavailable("Many photos are coming in right now. Please try again in a moment.", "busy", RETRY_AFTER_S);
  uploading.push(customerId);
  return () => void uploading.splice(uploading.indexOf(customerId), 1);
}
