import { Second } from "@marketday/domain/time";

/** Response of a third-party service. */
export interface HttpResponse {
  status: number;
  /** Parsed body; undefined when it is not JSON. */
  json: unknown;
}

/**
 * Sends a request to a third-party service (failures.md E5): two seconds, 64 kB, no redirect. `url` comes from a setting or
 * the code, never from a request. Rejects when the service is slow or unavailable or its response is too large.
 */
export async function httpFetch(
  url: string,
  init: RequestInit,
  { timeoutMs = 2 * Second.ms, maxBytes = 64 * 1024 }: { timeoutMs?: number; maxBytes?: number } = {},
): Promise<HttpResponse> {
  const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // Leaving the loop cancels the download.
    if (size > maxBytes) throw new Error(`a response of more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  let json: unknown;
  try {
    json = JSON.parse(Buffer.concat(chunks).toString("utf8"));
  } catch {
    json = undefined;
  }
  return { status: response.status, json };
}
