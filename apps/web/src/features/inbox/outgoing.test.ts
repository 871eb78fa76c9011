import { VENDOR_MESSAGE_MAX } from "@marketday/domain/limits";
import { expect, test } from "vitest";

import { newClient, run, setUpHooks } from "../../../test/open-hook.tsx";
import { useInboxActions } from "./api.ts";
import { canSend } from "./message-field.tsx";
import { useOutgoing } from "./use-outgoing.ts";

const page = setUpHooks();
const reply = "POST /inbox/5/reply";
/** The idempotency keys of the replies that were sent. */
const keysOf = () =>
  page.sent
    .filter(({ call }) => call === reply)
    .map(({ headers }) => Object.entries(headers).find(([name]) => /idempotency/i.test(name))?.[1]);
const thread = { id: 5, isRead: true, messages: [], vendor: {} };

test("reply: one that did not arrive stays, also after a reload, and is sent again as the same message", async () => {
  const client = newClient({ customerId: 1 });
  page.refuse(reply, 503, "Busy.");
  const first = page.open(() => useOutgoing(5), client);
  await run(() => first.now().send("Two dozen, please"));
  expect(first.now()).toMatchObject({ outgoing: { text: "Two dozen, please" }, isSending: false, error: "Busy." });
  first.close();
  const other = page.open(() => useOutgoing(6), client);
  expect(other.now().outgoing).toBeNull();

  const again = page.open(() => useOutgoing(5), client);
  expect(again.now()).toMatchObject({ outgoing: { text: "Two dozen, please" }, isSending: false, error: null });
  page.answer(reply, { body: thread });
  await run(() => again.now().again());
  expect(again.now().outgoing).toBeNull();
  const keys = keysOf();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBe(keys[1]);
  again.close();
  expect(page.open(() => useOutgoing(5), client).now().outgoing).toBeNull();
});

test("reply: two messages have two keys; one that is taken back is kept nowhere", async () => {
  const client = newClient({ customerId: 1 });
  page.answer(reply, { body: thread });
  const open = page.open(() => useOutgoing(5), client);
  await run(() => open.now().send("One"));
  await run(() => open.now().send("One"));
  const keys = keysOf();
  expect(new Set(keys).size).toBe(2);

  page.refuse(reply, 503, "Busy.");
  await run(() => open.now().send("Not this"));
  let taken = "";
  await run(() => (taken = open.now().takeBack()));
  expect([taken, open.now().outgoing]).toEqual(["Not this", null]);
  open.close();
  expect(page.open(() => useOutgoing(5), client).now().outgoing).toBeNull();
});

test("inbox: an answered thread is this customer's; lists and the number of unread ones are read again", async () => {
  const client = newClient({ customerId: 1 });
  client.setQueryData(["inbox", "list", 1, 1], []);
  client.setQueryData(["inbox", "thread", 2, "5"], "of another customer");
  page.answer("POST /inbox/5/read", { body: thread });
  page.answer("POST /vendors/farm/messages", { body: { ...thread, id: 8 } });
  const open = page.open(() => useInboxActions(), client);
  await run(() => open.now().markRead(5));
  expect(client.getQueryData(["inbox", "thread", 1, "5"])).toEqual(thread);
  expect(client.getQueryData(["inbox", "thread", 2, "5"])).toBe("of another customer");
  expect(client.getQueryState(["inbox", "list", 1, 1])?.isInvalidated).toBe(true);
  expect(page.sent.map(({ call }) => call)).toContain("GET /auth");
  let id = 0;
  await run(async () => (id = await open.now().messageVendor("farm", "Hello")));
  expect([id, client.getQueryData(["inbox", "thread", 1, "8"])]).toEqual([8, { ...thread, id: 8 }]);
});

test("message: some words and at most 250 characters, without the blanks around them", () => {
  const words = (count: number) => "w".repeat(count);
  expect([
    VENDOR_MESSAGE_MAX,
    canSend(" \n"),
    canSend(words(250)),
    canSend(` ${words(250)} `),
    canSend(words(251)),
  ]).toEqual([250, false, true, true, false]);
});
