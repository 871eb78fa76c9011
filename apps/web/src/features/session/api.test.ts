import { QueryClient } from "@tanstack/react-query";
import { afterEach, expect, test, vi } from "vitest";

// The preloaded state is read from the page when the module starts.
vi.stubGlobal("document", { getElementById: () => null });
const { refreshVisitor, reloadVisitor, sessionKeys } = await import("./api.ts");

afterEach(() => vi.unstubAllGlobals());

test("session reload: a refresh that starts while it is under way does not fail it", async () => {
  const account = { customerId: 7, hubId: 1, isGuest: false };
  const answers: (() => void)[] = [];
  vi.stubGlobal("fetch", (_url: string, { signal }: RequestInit) => {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    answers.push(() => resolve(Response.json(account)));
    signal?.addEventListener("abort", () => reject(new DOMException("aborted", "AbortError")));
    return promise;
  });
  const answerAll = () => answers.splice(0).forEach((answer) => answer());
  const client = new QueryClient();
  client.setQueryData(sessionKeys.visitor, {
    session: { customerId: 3, hubId: 1, isGuest: true, expiresAt: null },
    profile: { customerId: 3, isGuest: true },
  });
  const reloaded = reloadVisitor(client).then(({ profile }) => profile?.isGuest);
  const outcome = reloaded.catch((error: unknown) => error);
  await expect.poll(() => answers.length).toBe(1);
  const refreshed = refreshVisitor(client);
  await expect.poll(() => answers.length).toBe(2);
  answerAll();
  await expect
    .poll(() => {
      answerAll();
      return client.isFetching();
    })
    .toBe(0);
  expect(await outcome).toBe(false);
  await refreshed;
  expect(client.getQueryData(sessionKeys.visitor)).toMatchObject({ profile: { customerId: 7, isGuest: false } });
});

test("session refresh: a guest whose login got lost on its way back is looked up again, and no longer shown", async () => {
  const answers = [
    Response.json(["Please login to continue.", { code: "login_required" }], { status: 401 }),
    Response.json({ customerId: null, hubId: null, isGuest: null, expiresAt: null }),
  ];
  vi.stubGlobal("fetch", () => Promise.resolve(answers.shift()));
  const client = new QueryClient();
  client.setQueryData(sessionKeys.visitor, {
    session: { customerId: 3, hubId: 1, isGuest: true, expiresAt: null },
    profile: { customerId: 3, isGuest: true },
  });
  await refreshVisitor(client);
  expect(client.getQueryData(sessionKeys.visitor)).toMatchObject({ session: { customerId: null }, profile: null });
});
