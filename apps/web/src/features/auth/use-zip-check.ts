import { ZIP_LENGTH } from "@marketday/domain/limits";
import { useEffect, useState } from "react";

import { hubsServing } from "./api.ts";

export type ZipState = "incomplete" | "checking" | "supported" | "unsupported" | "unknown";

/**
 * Whether a market delivers to a zip, requested when it has five digits. `unknown` when the request failed: then the
 * server decides on registering.
 */
export function useZipCheck(zipCode: string): ZipState {
  const [answer, setAnswer] = useState<{ zipCode: string; state: ZipState } | null>(null);
  useEffect(() => {
    if (zipCode.length !== ZIP_LENGTH) return;
    const stop = new AbortController();
    hubsServing(zipCode, stop.signal).then(
      (hubs) => setAnswer({ zipCode, state: hubs.length > 0 ? "supported" : "unsupported" }),
      () => !stop.signal.aborted && setAnswer({ zipCode, state: "unknown" }),
    );
    return () => stop.abort();
  }, [zipCode]);
  if (zipCode.length !== ZIP_LENGTH) return "incomplete";
  return answer?.zipCode === zipCode ? answer.state : "checking";
}
