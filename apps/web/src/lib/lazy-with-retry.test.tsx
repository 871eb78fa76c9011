import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";

vi.stubGlobal("addEventListener", () => undefined);
const { lazyWithRetry } = await import("./lazy-with-retry.tsx");
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const Panel = () => null;
type Chunk = { default: typeof Panel };

/** A part of the page whose code arrives when the test resolves it. */
function chunk() {
  const { promise, resolve } = Promise.withResolvers<Chunk>();
  const load = vi.fn(() => promise);
  const Content = lazyWithRetry(load);
  let isOver = false;
  void Content.load().then(() => (isOver = true));
  return { Content, load, arrive: () => resolve({ default: Panel }), isOver: () => isOver };
}

describe("lazy chunk", () => {
  test("one that never arrives has failed after 15 s", { tags: ["fail:M10"] }, async () => {
    const { isOver } = chunk();
    await vi.advanceTimersByTimeAsync(REQUEST_DEADLINE_MS - 1);
    expect(isOver()).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver()).toBe(true);
  });

  test("one that arrives after its deadline is rendered without another request", { tags: ["fail:M10"] }, async () => {
    const { Content, load, arrive } = chunk();
    await vi.advanceTimersByTimeAsync(REQUEST_DEADLINE_MS);
    arrive();
    await vi.advanceTimersByTimeAsync(0);
    expect(Content({})).toMatchObject({ type: Panel });
    expect(load).toHaveBeenCalledTimes(1);
  });

  test("one that arrives in time leaves no timer", async () => {
    const { isOver, arrive } = chunk();
    arrive();
    await vi.advanceTimersByTimeAsync(0);
    expect(isOver()).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });
});
