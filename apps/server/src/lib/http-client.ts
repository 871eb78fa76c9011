import { Second } from "@marketday/domain/time";

/** What somebody else's service answered. */
export interface HttpAnswer {
  status: number;
  /** Parsed; undefined when it was no JSON. */
  json: unknown;
}

/**
 * Asks a service that is not ours (failures.md E5): two seconds, 64 kB, no redirect. `url` comes from a setting or from
 * us, never from a request. Rejects when it is slow, away or talks too much.
 */
export async function httpFetch(
  url: string,
  init: RequestInit,
  { timeoutMs = 2 * Second.ms, maxBytes = 64 * 1024 }: { timeoutMs?: number; maxBytes?: number } = {},
): Promise<HttpAnswer> {
  const response = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new Error(`an answer of more than ${maxBytes} bytes`);
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
