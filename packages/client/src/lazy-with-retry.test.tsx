import { REQUEST_DEADLINE_MS } from "@marketday/domain/limits";
import { act, Suspense, useEffect } from "react";
import { ErrorBoundary, type FallbackProps } from "react-error-boundary";
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import { createBareRoot } from "../test/root.ts";
import { useChunkRetry } from "./chunk-retry.ts";
import { useUnsaved } from "./unsaved-work.ts";

const ignore = () => undefined;
vi.stubGlobal("addEventListener", ignore);
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

describe("lazy chunk that stays lost", () => {
  const reload = vi.fn();
  beforeEach(() => {
    reload.mockClear();
    // React's own root, for components without elements: the browser tests have the elements.
    vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object });
    vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
    vi.stubGlobal("document", { querySelector: () => null, querySelectorAll: () => [] });
    vi.stubGlobal("location", { reload });
    vi.stubGlobal("fetch", async () => Response.json({ build: "1" }));
  });

  /** Presses Retry where its failure is shown. `isWriting`: a reload would lose something. */
  async function retry({ isWriting }: { isWriting: boolean }): Promise<void> {
    const Content = lazyWithRetry<object>(() => Promise.reject<Chunk>(new Error("Lost.")));
    let press: (() => void) | undefined;
    function Failed({ error, resetErrorBoundary }: FallbackProps) {
      const again = useChunkRetry(error, resetErrorBoundary);
      useEffect(() => {
        press = again;
      });
      return null;
    }
    function Page() {
      useUnsaved(isWriting);
      return (
        <ErrorBoundary FallbackComponent={Failed}>
          <Suspense>
            <Content />
          </Suspense>
        </ErrorBoundary>
      );
    }
    const root = createBareRoot({ onCaughtError: ignore });
    await act(async () => root.render(<Page />));
    expect(press).toBeDefined();
    await act(async () => press?.());
    await act(async () => root.unmount());
  }

  test("reloads the page with Retry, which the market answers", async () => {
    await retry({ isWriting: false });
    expect(reload).toHaveBeenCalledTimes(1);
  });

  test("does not reload the page while something on it would be lost", async () => {
    await retry({ isWriting: true });
    expect(reload).not.toHaveBeenCalled();
  });
});
