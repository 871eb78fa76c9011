import * as calls from "@marketday/contracts/calls";
import { REQUEST_DEADLINE_MS, UPLOAD_DEADLINE_MS } from "@marketday/domain/limits";
import { afterEach, describe, expect, test, vi } from "vitest";

import { requestMessages } from "./messages.ts";
import { queryClient } from "./query-client.ts";
import { ApiError, createTransport, errorOf, urlOf } from "./transport.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

const succeeded = vi.fn();
const refused = vi.fn();
const { call, callPaged, onSessionExpired } = createTransport({
  base: "/api",
  onSuccess: succeeded,
  onRefused: refused,
});
const get = { method: "GET" as const, url: "/hubs" };

function answer(body: BodyInit | null, init?: ResponseInit) {
  const fetched = vi.fn(async (_url: string, _request: RequestInit) => new Response(body, init));
  vi.stubGlobal("fetch", fetched);
  return fetched;
}
afterEach(() => vi.unstubAllGlobals());

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error as ApiError,
  );

describe("addresses", () => {
  test("fills parameters and query, and nothing can leave the path", { tags: ["fail:I17"] }, () => {
    expect(urlOf("/hubs/:id/details", { params: { id: 4 } })).toBe("/hubs/4/details");
    expect(urlOf("/products/:id", { params: { id: "../auth" } })).toBe("/products/..%2Fauth");
    expect(urlOf("/feed", { querystring: { page: 2, none: undefined, nil: null } })).toBe("/feed?page=2");
  });
});

describe("answers", () => {
  test("sends cookies and JSON, and reads JSON", { tags: ["spec:7.0-01"] }, async () => {
    const fetched = answer('{"ok":true}');
    const put = { method: "PUT" as const, url: "/cart" };
    await expect(call(put, { body: [1] } as never)).resolves.toEqual({ ok: true });
    const [url, request] = fetched.mock.calls[0] ?? [];
    expect(url).toBe("/api/cart");
    expect(request).toMatchObject({ method: "PUT", credentials: "include", body: "[1]" });
    expect(request?.headers).toMatchObject({ "content-type": "application/json", accept: "application/json" });
    await call(get);
    expect(fetched.mock.calls[1]?.[1]).toMatchObject({ method: "GET", credentials: "include", body: null });
  });

  test("reads the paging headers and sends its own", async () => {
    const headers = { "x-current-page": "2", "x-rows-per-page": "18", "x-total-results": "40" };
    const fetched = answer("[]", { headers });
    const { paging } = await callPaged(get, undefined, { page: 2, rows: 18 });
    expect(paging).toEqual({ page: 2, rows: 18, total: 40 });
    expect(fetched.mock.calls[0]?.[1].headers).toMatchObject({ "x-current-page": "2", "x-rows-per-page": "18" });
  });
});

describe("failures", () => {
  test("the message is the first element of the array body", { tags: ["spec:7.0-03", "spec:8-02"] }, async () => {
    answer('["Sold out.",{"code":"sold_out","items":[3]}]', { status: 409, headers: { "retry-after": "7" } });
    const error = await failure(call(get));
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      message: "Sold out.",
      status: 409,
      code: "sold_out",
      retryAfter: 7,
      isOffline: false,
    });
    expect(error?.details["items"]).toEqual([3]);
  });

  test.each([
    ["no body", null],
    ["an object", '{"error":"x"}'],
    ["an empty array", "[]"],
    ["a page of HTML", "<h1>Bad gateway</h1>"],
  ])("with %s it is the generic sentence", { tags: ["spec:7.0-03", "spec:8-02"] }, async (_, body) => {
    answer(body, { status: 502 });
    expect(await failure(call(get))).toMatchObject({ message: "API responded with 502", status: 502 });
  });

  test("a lost network is an error without a status", { tags: ["spec:8-01"] }, async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    expect(await failure(call(get))).toMatchObject({
      message: requestMessages.network,
      status: undefined,
      isOffline: true,
    });
  });

  test("a success that is no JSON is an error without a status", { tags: ["spec:8-01"] }, async () => {
    answer("<html>");
    expect(await failure(call(get))).toMatchObject({ status: undefined, isOffline: true });
  });

  test("an aborted call stays an abort", async () => {
    const controller = new AbortController();
    controller.abort(new Error("left"));
    vi.stubGlobal("fetch", () => Promise.reject(controller.signal.reason as Error));
    expect(await failure(call(get, undefined, { signal: controller.signal }))).toMatchObject({ message: "left" });
  });

  test("request: a refusal is passed to onRefused, a success and a lost connection are not", async () => {
    refused.mockClear();
    answer("{}");
    await call(get);
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
    await failure(call(get));
    expect(refused).not.toHaveBeenCalled();
    answer('["Please sign in.",{"code":"sign_in_required"}]', { status: 401 });
    const error = await failure(call(get));
    expect(refused.mock.calls).toEqual([[error]]);
  });

  test("only session_expired ends the session", async () => {
    const ended = vi.fn();
    const stop = onSessionExpired(ended);
    answer('["Please login to continue.",{"code":"login_required"}]', { status: 401 });
    await failure(call(get));
    expect(ended).not.toHaveBeenCalled();
    answer('["Your session has expired. Please login to continue.",{"code":"session_expired"}]', { status: 401 });
    await failure(call(get));
    expect(ended).toHaveBeenCalledTimes(1);
    stop();
  });

  test("details that are no object are dropped", () => {
    expect(errorOf(400, ["No", "way"])).toMatchObject({ message: "No", code: undefined, details: {} });
  });
});

describe("deadlines", () => {
  /** A server that takes the request and never answers. */
  const hang = () =>
    vi.stubGlobal(
      "fetch",
      vi.fn(
        (_url: string, { signal }: RequestInit) =>
          new Promise((_, fail) => signal?.addEventListener("abort", () => fail(signal.reason as Error))),
      ),
    );
  /** Whether a call has ended just before and at its deadline, and how. */
  const endsAt = async (ms: number, promise: Promise<unknown>) => {
    let ended: ApiError | null = null;
    void failure(promise).then((error) => (ended = error));
    await vi.advanceTimersByTimeAsync(ms - 1);
    const before = ended;
    await vi.advanceTimersByTimeAsync(1);
    return { before, after: ended as ApiError | null };
  };
  afterEach(() => void vi.useRealTimers());

  test.each(Object.entries(calls))(
    "request: %s without an answer is offline after 15 s",
    { tags: ["fail:M10"] },
    async (_, route) => {
      vi.useFakeTimers();
      hang();
      const { before, after } = await endsAt(REQUEST_DEADLINE_MS, call(route as typeof get, {} as never));
      expect(before).toBeNull();
      expect(after).toMatchObject({ isOffline: true, message: requestMessages.network });
    },
  );

  test("request: photos have 60 s", { tags: ["fail:M10"] }, async () => {
    vi.useFakeTimers();
    hang();
    const { before, after } = await endsAt(
      UPLOAD_DEADLINE_MS,
      call(calls.reportProblem, { body: new FormData() } as never),
    );
    expect(before).toBeNull();
    expect(after).toMatchObject({ isOffline: true });
  });

  test("request: an answer whose body never ends is offline after 15 s", { tags: ["fail:M10"] }, async () => {
    vi.useFakeTimers();
    vi.stubGlobal("fetch", async (_: string, { signal }: RequestInit) => ({
      ok: true,
      headers: new Headers(),
      text: () => new Promise((_done, fail) => signal?.addEventListener("abort", () => fail(signal.reason as Error))),
    }));
    const { before, after } = await endsAt(REQUEST_DEADLINE_MS, call(get));
    expect(before).toBeNull();
    expect(after).toMatchObject({ isOffline: true });
  });

  test("request: one that is canceled by its caller is no lost connection", async () => {
    hang();
    const stop = new AbortController();
    const ended = failure(call(get, undefined, { signal: stop.signal }));
    stop.abort();
    expect(await ended).toMatchObject({ name: "AbortError" });
  });
});

test("request: a running write is a mutation and counts as unsaved work, a read does not", async () => {
  const answers: ((response: Response) => void)[] = [];
  vi.stubGlobal("document", { querySelector: () => null });
  vi.stubGlobal("fetch", () => new Promise((done) => answers.push(done)));
  const read = call(get);
  expect(hasUnsavedWork()).toBe(false);
  const write = call(calls.putSubscriptionStatus, { body: {} } as never);
  expect(queryClient.isMutating()).toBe(1);
  expect(hasUnsavedWork()).toBe(true);
  for (const answer of answers) answer(new Response("{}"));
  await Promise.all([read, write]);
  expect(hasUnsavedWork()).toBe(false);
});

test("request: a page that listens after the session expired learns it at once, one that stopped never", async () => {
  const stopped = vi.fn();
  onSessionExpired(stopped)();
  stopped.mockClear();
  answer('["Your session has expired.",{"code":"session_expired"}]', { status: 401 });
  await failure(call(get));
  expect(stopped).not.toHaveBeenCalled();
  const late = vi.fn();
  onSessionExpired(late)();
  expect(late).toHaveBeenCalledTimes(1);
});

test("request: a write carries its key, and outlives the page only when it has to", async () => {
  const fetched = answer("{}");
  await call(get, undefined, { idempotencyKey: "key-1", keepalive: true });
  await call(get);
  const [first, second] = fetched.mock.calls.map(([, request]) => request);
  expect(first).toMatchObject({ keepalive: true, headers: { "idempotency-key": "key-1" } });
  expect(second).toMatchObject({ keepalive: false });
  expect(second?.headers).not.toHaveProperty("idempotency-key");
});

test("request: photos are sent as a form, whose type the browser sets", async () => {
  const fetched = answer("{}");
  const body = new FormData();
  await call(calls.reportProblem, { body } as never);
  expect(fetched.mock.calls[0]?.[1].body).toBe(body);
  expect(fetched.mock.calls[0]?.[1].headers).not.toHaveProperty("content-type");
});

test("request: a list without paging headers is its first page, and a time to wait that is a date is none", async () => {
  answer("[]");
  expect((await callPaged(get)).paging).toEqual({ page: 1, rows: 0, total: 0 });
  expect(errorOf(503, ["Busy."], "Wed, 21 Oct 2015 07:28:00 GMT").retryAfter).toBeUndefined();
});

test("request: the app learns of a call that succeeded, with its query, and not of one that was refused", async () => {
  succeeded.mockClear();
  answer('["No."]', { status: 422 });
  await failure(call(get));
  expect(succeeded).not.toHaveBeenCalled();
  answer("{}");
  await call(get, { querystring: { page: 2 } } as never);
  expect(succeeded).toHaveBeenCalledExactlyOnceWith(get, { page: 2 });
});
