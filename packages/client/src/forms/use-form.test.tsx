import { defaultScheduler, notifyManager, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, useState } from "react";
import { afterAll, afterEach, expect, test, vi } from "vitest";

import { createBareRoot } from "../../test/root.ts";
import { ApiError } from "../transport.ts";
import { controlIds, problemsOf } from "./problems.ts";
import { useForm } from "./use-form.ts";

// React's own root, for a component without elements: the browser tests have the elements.
vi.stubGlobal("window", { event: undefined, HTMLIFrameElement: Object });
vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
// Inside `act`, which waits for microtasks.
notifyManager.setScheduler(queueMicrotask);
afterAll(() => {
  vi.unstubAllGlobals();
  notifyManager.setScheduler(defaultScheduler);
});
const ignore = () => undefined;
const closings: (() => void)[] = [];
afterEach(() => closings.splice(0).forEach((close) => close()));

const empty = { name: "", email: "" };
const ids = controlIds("contact", empty);

/** A form with two fields, neither of which may be empty. `answers`: what each of its requests does, in turn. */
function openForm(...answers: (() => Promise<string>)[]) {
  const send = vi.fn(async (_values: typeof empty) => answers.shift()?.() ?? "sent");
  let form: ReturnType<typeof useForm<keyof typeof empty>> | undefined;
  let values = empty;
  let setValues: (values: typeof empty) => void = ignore;
  function Contact() {
    [values, setValues] = useState(empty);
    const problems = problemsOf(ids, {
      name: values.name === "" && "Enter your name",
      email: values.email === "" && "Enter your email",
    });
    form = useForm({ ids, problems });
    return null;
  }
  const root = createBareRoot();
  act(() =>
    root.render(
      <QueryClientProvider client={new QueryClient()}>
        <Contact />
      </QueryClientProvider>,
    ),
  );
  closings.push(() => act(() => root.unmount()));
  const now = () => form!;
  return {
    now,
    send,
    messages: () => now().problems.map(({ message }) => message),
    type: (change: Partial<typeof empty>) => act(() => setValues({ ...values, ...change })),
    submit: async () => {
      let result: string | null = null;
      await act(
        async () =>
          void (result = await now().submit(
            () => send(values),
            () => "Not sent.",
          )),
      );
      return result;
    },
  };
}

test("form: nothing is shown before a submit, which sends nothing while something is wrong", async () => {
  const { now, send, messages, submit } = openForm();
  expect([messages(), now().field("name")]).toEqual([[], { id: "contact-name", error: null }]);
  expect(await submit()).toBeNull();
  expect(messages()).toEqual(["Enter your name", "Enter your email"]);
  expect(now().field("email")).toEqual({ id: "contact-email", error: "Enter your email" });
  expect(send).not.toHaveBeenCalled();
});

test("form: a corrected problem is gone and the rest stay as they are; a mistake made again waits for the next submit", async () => {
  const { now, messages, type, submit } = openForm();
  await submit();
  const [, email] = now().problems;
  type({ name: "Ada" });
  expect(messages()).toEqual(["Enter your email"]);
  expect(now().problems[0]).toBe(email);
  type({ name: "" });
  expect(messages()).toEqual(["Enter your email"]);
  await submit();
  expect(messages()).toEqual(["Enter your name", "Enter your email"]);
  // A new object, so that the focus moves there again.
  expect(now().problems[1]).not.toBe(email);
});

test("form: without problems its values are sent, and the result is returned", async () => {
  const { now, send, type, submit } = openForm();
  type({ name: "Ada", email: "ada@example.com" });
  expect(await submit()).toBe("sent");
  expect(send).toHaveBeenCalledExactlyOnceWith({ name: "Ada", email: "ada@example.com" });
  expect(now()).toMatchObject({ running: null, error: null, problems: [] });
});

const refuse = (message: string, details: Record<string, unknown>) => async () => {
  throw new ApiError(message, { status: 409, details });
};

test.each([
  ["of a field is at the field, in the server's words", { code: "taken", field: "email" }, "Taken.", null],
  ["of a field that the form has not is at its foot", { code: "invalid", field: "token" }, null, "Not sent."],
  ["of no field is at its foot", { code: "closed" }, null, "Not sent."],
])("form: a refusal %s", async (_, details, atField, atFoot) => {
  const { now, type, submit } = openForm(refuse("Taken.", details));
  type({ name: "Ada", email: "ada@example.com" });
  expect(await submit()).toBeNull();
  expect([now().field("email").error, now().error]).toEqual([atField, atFoot]);
});

test("form: a refusal of a field stays until the next submit, which shows only what is found then", async () => {
  const { now, messages, type, submit } = openForm(refuse("Taken.", { field: "email" }));
  type({ name: "Ada", email: "ada@example.com" });
  await submit();
  const [refused] = now().problems;
  type({ email: "" });
  expect(now().problems).toEqual([refused]);
  expect(now().problems[0]).toBe(refused);
  await submit();
  expect(messages()).toEqual(["Enter your email"]);
  type({ email: "brown@example.com" });
  expect([await submit(), messages()]).toEqual(["sent", []]);
});

test("form: a second submit while the first runs sends nothing", async () => {
  const first = Promise.withResolvers<string>();
  const { now, send, type, submit } = openForm(() => first.promise);
  type({ name: "Ada", email: "ada@example.com" });
  let result: string | null = null;
  await act(
    async () =>
      void now()
        .submit(() => send(empty))
        .then((sent) => (result = sent)),
  );
  expect(now().running).toBe("submit");
  expect(await submit()).toBeNull();
  await act(async () => first.resolve("first"));
  expect([result, send.mock.calls.length]).toEqual(["first", 1]);
});
