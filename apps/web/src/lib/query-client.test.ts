import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";

import { cacheAnswer } from "./query-client.ts";

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
