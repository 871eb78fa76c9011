import { act } from "react";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";

import { createBareRoot } from "../../test/root.ts";
import { useChoice } from "./use-choice.ts";

// React's own root, for a component without elements: the browser tests have the elements.
vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object });
vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
afterAll(() => vi.unstubAllGlobals());
beforeEach(() => void vi.useFakeTimers());

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
  vi.useRealTimers();
});

const WAIT = 500;

/** A control whose requests are answered by hand. */
async function openControl() {
  const sent: string[] = [];
  const answers: (() => void)[] = [];
  let control: ReturnType<typeof useChoice<string>> | undefined;
  function Control() {
    control = useChoice((value: string) => {
      sent.push(value);
      return new Promise<void>((resolve) => answers.push(resolve));
    }, WAIT);
    return null;
  }
  const root = createBareRoot();
  await act(async () => root.render(<Control />));
  let isOpen = true;
  const close = async () => {
    if (isOpen) await act(async () => root.unmount());
    isOpen = false;
  };
  closings.push(close);
  return {
    sent,
    close,
    shown: () => control!.shown?.value,
    choose: (value: string, waits: boolean) => act(async () => control!.choose(value, waits)),
    settle: () => act(async () => control!.settle()),
    answer: () => act(async () => answers.shift()!()),
    wait: (ms: number) => act(async () => void (await vi.advanceTimersByTimeAsync(ms))),
  };
}

test("choice: arrow keys that pass over choices send the one they rest on", async () => {
  const { sent, shown, choose, wait, answer } = await openControl();
  await choose("Ada", true);
  await wait(WAIT - 100);
  await choose("Bo", true);
  await wait(WAIT - 100);
  expect([sent, shown()]).toEqual([[], "Bo"]);
  await wait(100);
  expect([sent, shown()]).toEqual([["Bo"], "Bo"]);
  await answer();
  expect(shown()).toBeUndefined();
});

test("choice: the pointer sends at once, and Enter what waits", async () => {
  const { sent, choose, settle, answer } = await openControl();
  await choose("Ada", false);
  expect(sent).toEqual(["Ada"]);
  await answer();
  await choose("Bo", true);
  await settle();
  expect(sent).toEqual(["Ada", "Bo"]);
});

test("choice: what is chosen while a request is on its way is sent after it, the last one alone", async () => {
  const { sent, shown, choose, wait, answer } = await openControl();
  await choose("Ada", false);
  await choose("Bo", false);
  await choose("Cy", true);
  await wait(WAIT);
  expect(sent).toEqual(["Ada"]);
  await answer();
  expect([sent, shown()]).toEqual([["Ada", "Cy"], "Cy"]);
  await answer();
  expect(shown()).toBeUndefined();
});

test("choice: one that waits is sent when its control leaves the screen", async () => {
  const { sent, choose, close } = await openControl();
  await choose("Ada", true);
  await close();
  expect(sent).toEqual(["Ada"]);
});
