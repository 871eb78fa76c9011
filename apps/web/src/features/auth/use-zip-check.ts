import { ApiError } from "@marketday/client/transport.ts";
import { ZIP_LENGTH } from "@marketday/domain/limits";
import { useQuery } from "@tanstack/react-query";

import { homeDeliveryQuery } from "../hubs/home-delivery.ts";

export type ZipState = "incomplete" | "checking" | "supported" | "unsupported" | "unknown";

/**
 * Whether there is a market for a zip: the shopper's own, also where it does not deliver to that zip, else one that does. Requested
 * when it has five digits. `unknown` when the request failed: then the server decides on registering.
 */
export function useZipCheck(zipCode: string): ZipState {
  const { data, error } = useQuery(homeDeliveryQuery(zipCode));
  if (zipCode.length !== ZIP_LENGTH) return "incomplete";
  if (data) return "supported";
  if (!error) return "checking";
  return error instanceof ApiError && error.status === 404 ? "unsupported" : "unknown";
}
