import { defaultScheduler, notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, useState } from "react";
import { afterAll, afterEach, expect, test, vi } from "vitest";

import { createBareRoot } from "../../test/root.ts";
import { useAction } from "./use-action.ts";

// React's own root, for a component without elements: the browser tests have the elements.
vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object });
vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
// Inside `act`, which waits for microtasks.
notifyManager.setScheduler(queueMicrotask);
afterAll(() => {
  vi.unstubAllGlobals();
  notifyManager.setScheduler(defaultScheduler);
});

const closings: (() => void)[] = [];
afterEach(() => closings.splice(0).forEach((close) => close()));

/** A form with one text and one button, which sends the text and clears it when that worked. */
function openForm() {
  const client = new QueryClient();
  const request = Promise.withResolvers<string>();
  const send = vi.fn((_text: string) => request.promise);
  const form = { text: "", type: (_text: string): void => undefined, click: async (): Promise<unknown> => null };
  let action: ReturnType<typeof useAction> | undefined;
  function Form() {
    action = useAction();
    const { attempt } = action;
    const [text, setText] = useState("");
    form.text = text;
    form.type = setText;
    form.click = async () => {
      const answer = await attempt("send", () => send(text), undefined, text);
      if (answer !== null) setText("");
      return answer;
    };
    return null;
  }
  const root = createBareRoot();
  act(() =>
    root.render(
      <QueryClientProvider client={client}>
        <Form />
      </QueryClientProvider>,
    ),
  );
  closings.push(() => act(() => root.unmount()));
  const shown = () => {
    if (!action) throw new Error("The form was not rendered.");
    return action;
  };
  /** What a tap returns is pending with the request; React renders what it changed before. */
  const click = async () => {
    let clicked: Promise<unknown> = Promise.resolve();
    await act(async () => void (clicked = form.click()));
    return { result: clicked };
  };
  return {
    client,
    request,
    send,
    shown,
    click,
    type: (text: string) => act(() => form.type(text)),
    text: () => form.text,
  };
}

test("action: while it runs it is pending, counted, and its control shows the new value", async () => {
  const { client, request, shown, click, type } = openForm();
  type("Two eggs");
  expect(shown()).toMatchObject({ running: null, error: null });
  await click();
  expect(shown().running).toBe("send");
  expect(shown().shown("send", "before")).toBe("Two eggs");
  expect(shown().shown("another", "before")).toBe("before");
  expect(client.isMutating()).toBe(1);
  await act(async () => request.resolve("sent"));
  expect(shown().running).toBeNull();
  expect(shown().shown("send", "before")).toBe("before");
  expect(client.isMutating()).toBe(0);
});

test("action: success returns the result and shows no error", async () => {
  const { request, shown, click, type, text } = openForm();
  type("Two eggs");
  const { result } = await click();
  await act(async () => request.resolve("sent"));
  expect(await result).toBe("sent");
  expect(shown().error).toBeNull();
  expect(text()).toBe("");
});

test("action: a failure returns null, shows its message and keeps the typed text", async () => {
  const { request, shown, click, type, text } = openForm();
  type("Two eggs");
  const { result } = await click();
  await act(async () => request.reject(new Error("The market is closed.")));
  expect(await result).toBeNull();
  expect(shown()).toMatchObject({ running: null, error: "The market is closed." });
  expect(text()).toBe("Two eggs");
  await act(async () => shown().clearError());
  expect(shown().error).toBeNull();
  expect(text()).toBe("Two eggs");
});

test("action: a second click while it runs sends nothing; one after it ended does", async () => {
  const { request, send, shown, click, type } = openForm();
  type("Two eggs");
  await click();
  const second = await click();
  expect(send).toHaveBeenCalledTimes(1);
  expect(await second.result).toBeNull();
  expect(shown().running).toBe("send");
  await act(async () => request.resolve("sent"));
  await click();
  expect(send).toHaveBeenCalledTimes(2);
});
