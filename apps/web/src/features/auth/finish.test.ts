import { ApiError } from "@marketday/client/transport.ts";
import { toastStore } from "@marketday/ui/toast-store.ts";
import { expect, test } from "vitest";

import { setUpHooks } from "../../../test/open-hook.tsx";
import { messages } from "../../lib/messages.ts";
import { login, register } from "./api.ts";
import { authDraft } from "./draft.ts";
import { finish, onward } from "./finish.ts";
import { afterLogin } from "./wording.ts";

const page = setUpHooks();

test.each([
  [{ favorite: 7 }, "POST /products/7/favorite"],
  [{ follow: 8 }, "POST /vendors/8/favorite"],
] as const)(
  "login: what a guest began, %j, is done with the account, and goes along to the other form",
  async (begun, call) => {
    page.answer(call, { body: {} });
    await finish(begun);
    expect(page.sent).toMatchObject([{ call }]);
    expect(onward(begun)).toEqual({ unfinished: begun });
  },
);

test("login: nothing begun, nothing sent; what is refused is a message and leaves the login as it is", async () => {
  await finish(undefined);
  expect([page.sent, onward(undefined)]).toEqual([[], {}]);
  page.refuse("POST /products/7/favorite", 404, "No such product.");
  await finish({ favorite: 7 });
  expect(toastStore.current()).toMatchObject([{ text: "No such product.", tone: "error" }]);
});

test("login: what fails after it has its own message, except an ended session", async () => {
  await expect(afterLogin(() => Promise.reject(new ApiError("Busy.", { status: 503 })))).rejects.toThrow(
    messages.afterLogin,
  );
  const ended = new ApiError("Log in again.", { status: 401, details: { code: "session_expired" } });
  await expect(afterLogin(() => Promise.reject(ended))).rejects.toBe(ended);
  await expect(afterLogin(() => undefined)).resolves.toBeUndefined();
});

test("login and registration: names and email are sent trimmed, the password as it was typed", async () => {
  page.answer("POST /auth/login", { body: {} });
  page.answer("POST /auth/register", { body: {} });
  await login({ email: " ada@example.com ", password: " a secret " });
  const typed = {
    email: "ada@example.com ",
    password: " a secret ",
    zipCode: "46032",
    firstName: " Ada",
    lastName: "Brown ",
  };
  await register(typed);
  expect(page.sent).toMatchObject([
    { body: { username: "ada@example.com", password: " a secret " } },
    {
      body: { email: "ada@example.com", password: " a secret ", zipCode: "46032", firstName: "Ada", lastName: "Brown" },
    },
  ]);
});

test("what was typed of oneself goes from form to form without the password, until it is forgotten", () => {
  authDraft.keep({ email: "ada@example.com", password: "secret", confirm: "secret" } as object);
  authDraft.keep({ firstName: "Ada" });
  expect(authDraft.read()).toEqual({ email: "ada@example.com", firstName: "Ada", lastName: "", zipCode: "" });
  authDraft.forget();
  expect(authDraft.read()).toEqual({ email: "", firstName: "", lastName: "", zipCode: "" });
});
