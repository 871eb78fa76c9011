import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";
import { afterEach, describe, expect, test, vi } from "vitest";

import { readVersion } from "./version.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const rejectOnAbort = (signal: AbortSignal | null | undefined) =>
  new Promise<never>((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason as Error)));

/** The platform's own timer of a signal is not among the fake ones. */
function fakeTime() {
  vi.useFakeTimers();
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(new DOMException("", "TimeoutError")), ms);
    return stop.signal;
  });
}

describe("version", () => {
  test.for([
    [200, '{"build":"b7"}', "b7"],
    [200, '{"build":7}', null],
    [200, "<html>Sign in to the hotel</html>", null],
    [200, "null", null],
    [503, '{"build":"b7"}', null],
  ] as const)("a server that answers %i %s is taken for build %s", async ([status, body, build]) => {
    vi.stubGlobal("fetch", async () => new Response(body, { status }));
    expect(await readVersion()).toBe(build);
  });

  test("without a network the build is unknown", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    expect(await readVersion()).toBeNull();
  });

  test.for<[string, (url: string, request: RequestInit) => Promise<unknown>]>([
    ["no answer", (_, { signal }) => rejectOnAbort(signal)],
    ["an answer whose body never ends", async (_, { signal }) => ({ ok: true, json: () => rejectOnAbort(signal) })],
  ])("%s: the build is unknown after 15 s", { tags: ["fail:M10"] }, async ([, answer]) => {
    fakeTime();
    vi.stubGlobal("fetch", answer);
    let build: string | null | undefined;
    void readVersion().then((result) => (build = result));
    await vi.advanceTimersByTimeAsync(REQUEST_DEADLINE_MS - 1);
    expect(build).toBeUndefined();
    await vi.advanceTimersByTimeAsync(1);
    expect(build).toBeNull();
  });
});
