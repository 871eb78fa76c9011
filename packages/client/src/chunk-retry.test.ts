import { afterEach, expect, test, vi } from "vitest";

import { onChunkRetry, reportRecovered } from "./chunk-retry.ts";

const reportError = vi.fn();
vi.stubGlobal("reportError", reportError);
afterEach(() => reportError.mockClear());

test("an error from which React recovered is reported, or what caused it", () => {
  const cause = new Error("No such vendor.");
  reportRecovered(new Error("Recovered.", { cause }));
  reportRecovered("a text");
  expect(reportError.mock.calls).toEqual([[cause], ["a text"]]);
});

test("a chunk that failed and is shown with Retry is not reported, whether React wraps its error or not", () => {
  const failure = new TypeError("Failed to fetch");
  onChunkRetry(failure, () => undefined);
  reportRecovered(failure);
  reportRecovered(new Error("Recovered.", { cause: failure }));
  expect(reportError).not.toHaveBeenCalled();
});
