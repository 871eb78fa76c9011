import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { AppQueryClient, cacheAnswer, queryClient } from "./query-client.ts";
import { ApiError } from "./transport.ts";

const queryKey = ["status"];

test("a read that began before a write and is answered after it does not replace the write's answer", async () => {
  const client = new QueryClient();
  client.setQueryData(queryKey, "on");
  const read = Promise.withResolvers<string>();
  const reading = client.fetchQuery({ queryKey, queryFn: () => read.promise, retry: false });
  cacheAnswer(client, queryKey, "off");
  read.resolve("on");
  await reading;
  expect(client.getQueryData(queryKey)).toBe("off");
  expect(client.isFetching()).toBe(0);
  client.clear();
});

test("a write's answer is cached where nothing was, and the next read replaces it", async () => {
  const client = new QueryClient();
  cacheAnswer(client, queryKey, "off");
  expect(client.getQueryData(queryKey)).toBe("off");
  await client.fetchQuery({ queryKey, queryFn: () => "on" });
  expect(client.getQueryData(queryKey)).toBe("on");
  client.clear();
});

test.each(["first", "later"])(
  "a %s read that began before a write is read again after it, and its own answer is dropped",
  async (which) => {
    const client = new AppQueryClient();
    if (which === "later") client.setQueryData(queryKey, "old");
    const reads = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
    let read = 0;
    const observer = new QueryObserver(client, { queryKey, queryFn: () => reads[read++]!.promise, retry: false });
    const stop = observer.subscribe(() => undefined);
    const reread = client.invalidateQueries({ queryKey });
    reads[0]!.resolve("before");
    reads[1]!.resolve("after");
    await reread;
    expect(observer.getCurrentResult()).toMatchObject({ data: "after", error: null, isFetching: false });
    expect(read).toBe(2);
    stop();
    client.clear();
  },
);

test("a first read is left alone by what only marks it as old, or asks not to begin again", async () => {
  const client = new AppQueryClient();
  const read = Promise.withResolvers<string>();
  let reads = 0;
  const queryFn = () => {
    reads += 1;
    return read.promise;
  };
  const observer = new QueryObserver(client, { queryKey, queryFn, retry: false });
  const stop = observer.subscribe(() => undefined);
  void client.invalidateQueries({ queryKey, refetchType: "none" });
  const waiting = client.invalidateQueries({ queryKey }, { cancelRefetch: false });
  read.resolve("there");
  await waiting;
  expect(observer.getCurrentResult().data).toBe("there");
  expect(reads).toBe(1);
  stop();
  client.clear();
});

test("read: a refusal is not sent again, a busy server gets one more try, a lost connection two", () => {
  const { retry } = queryClient.getDefaultOptions().queries ?? {};
  const tries = (error: Error) =>
    [0, 1, 2, 3].filter((failures) => typeof retry === "function" && retry(failures, error)).length;
  expect(tries(new ApiError("no", { status: 404 }))).toBe(0);
  expect(tries(new ApiError("no", { status: 499 }))).toBe(0);
  expect(tries(new ApiError("busy", { status: 500 }))).toBe(1);
  expect(tries(new ApiError("no network"))).toBe(2);
  expect(tries(new RangeError("A fault of the page."))).toBe(0);
});
