import { ApiError } from "@marketday/client/transport.ts";
import { expect, test } from "vitest";

import { forgetKeys, NotSent, RequestKeys } from "./request-key.ts";

const KEY = /^[\da-f]{32}$/;
const lost = () => new ApiError("no answer");
const running = () => new ApiError("still running", { status: 409, details: { code: "still_running" } });
const refused = () => new ApiError("conflict", { status: 409, details: { code: "conflict" } });

/** Sends a request, which fails with `error`; its key. */
async function keyOf(keys: RequestKeys, request: unknown, error?: Error): Promise<string> {
  let used = "";
  const run = () =>
    keys.run(request, async (key) => {
      used = key;
      if (error) throw error;
    });
  if (error) await expect(run()).rejects.toBe(error);
  else await run();
  return used;
}

test("request keys: a write whose answer was lost, or whose first try still runs, is repeated with its key", async () => {
  const keys = new RequestKeys();
  const first = await keyOf(keys, { id: 1 }, lost());
  expect(first).toMatch(KEY);
  expect(await keyOf(keys, { id: 1 }, running())).toBe(first);
  expect(await keyOf(keys, { id: 1 })).toBe(first);
  expect(await keyOf(keys, { id: 1 })).not.toBe(first);
});

test.each([500, 502, 503, 504])(
  "request keys: a write that failed with %i is repeated with its key",
  async (status) => {
    const keys = new RequestKeys();
    const first = await keyOf(keys, { id: 1 }, new ApiError("failed", { status }));
    expect(await keyOf(keys, { id: 1 })).toBe(first);
    expect(await keyOf(keys, { id: 1 })).not.toBe(first);
  },
);

test.each([
  ["was not sent after all", new NotSent()],
  ["was turned away", new ApiError("forbidden", { status: 403 })],
  ["came too often", new ApiError("too many", { status: 429 })],
])("request keys: a repeat that %s keeps the key of the write whose answer was lost", async (_, error) => {
  const keys = new RequestKeys();
  const first = await keyOf(keys, { id: 1 }, lost());
  expect(await keyOf(keys, { id: 1 }, error)).toBe(first);
  expect(await keyOf(keys, { id: 1 })).toBe(first);
});

test("request keys: the same write has a new key after an undo", async () => {
  const keys = new RequestKeys();
  const first = await keyOf(keys, { id: 1 }, lost());
  forgetKeys();
  expect(await keyOf(keys, { id: 1 })).not.toBe(first);
});

test("request keys: another write, and one that was refused, have new keys", async () => {
  const keys = new RequestKeys();
  const first = await keyOf(keys, { id: 1 }, lost());
  expect(await keyOf(keys, { id: 2 })).not.toBe(first);
  const second = await keyOf(keys, { id: 1 }, refused());
  expect(second).not.toBe(first);
  expect(await keyOf(keys, { id: 1 })).not.toBe(second);
});
