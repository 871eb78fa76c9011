import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";

/**
 * The build that the server serves now; null when it does not answer within 15 s (failures.md M10), or with something else, as
 * the sign-in page of a hotel's network does.
 */
export async function readVersion(): Promise<string | null> {
  try {
    const signal = AbortSignal.timeout(REQUEST_DEADLINE_MS);
    const response = await fetch("/version.json", { cache: "no-store", signal });
    if (!response.ok) return null;
    const { build } = (await response.json()) as { build?: unknown };
    return typeof build === "string" ? build : null;
  } catch {
    return null;
  }
}
