import { expect, test } from "vitest";

import { excerpt, isUnread, preview } from "./inbox.ts";

test.each([
  ["", ""],
  ["a".repeat(100), "a".repeat(100)],
  ["a".repeat(101), `${"a".repeat(100)}…`],
  [" two\n lines\t here ", "two lines here"],
  ["🥕".repeat(101), `${"🥕".repeat(100)}…`],
  [`${"a".repeat(99)} bc`, `${"a".repeat(99)}…`],
])("a preview is at most 100 characters: %#", { tags: ["spec:2.4-65", "spec:9-06"] }, (text, shown) => {
  expect(preview(text)).toBe(shown);
});

test("an excerpt is at most 200", { tags: ["spec:2.4-69", "spec:9-06"] }, () => {
  expect(excerpt("a".repeat(200))).toBe("a".repeat(200));
  expect(excerpt("a".repeat(201))).toBe(`${"a".repeat(200)}…`);
});

const at = (minute: number) => new Date(Date.UTC(2026, 10, 24, 12, minute));

test.each([
  ["the vendor wrote, never opened", { lastMessage: { sender: "U", created: at(5) }, readAt: null }, true],
  ["the vendor wrote after it was opened", { lastMessage: { sender: "U", created: at(5) }, readAt: at(4) }, true],
  ["opened in the same instant", { lastMessage: { sender: "U", created: at(5) }, readAt: at(5) }, false],
  ["opened later", { lastMessage: { sender: "U", created: at(5) }, readAt: at(6) }, false],
  ["the customer wrote last", { lastMessage: { sender: "C", created: at(5) }, readAt: null }, false],
  ["no message", { lastMessage: null, readAt: null }, false],
] as const)("%s", { tags: ["spec:4-31"] }, (_, thread, unread) => {
  expect(isUnread(thread)).toBe(unread);
});
