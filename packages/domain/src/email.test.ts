import { expect, test } from "vitest";

import { isEmail } from "./text.ts";

test(
  "email: one @, no separators or spaces, a host without empty parts, 5 to 254 characters",
  { tags: ["spec:9-04", "fail:E4"] },
  () => {
    for (const good of [
      "a@b.c",
      "abc@d",
      "anna.@example.com",
      " anna.miller+farm@example.com ",
      "o'neil@example.com",
      "ünï@exämple.de",
    ])
      expect([good, isEmail(good)]).toEqual([good, true]);
    for (const bad of [
      "",
      "a@bc",
      "anna.example.com",
      "anna@@example.com",
      "anna@example@com",
      "anna,miller@example.com",
      "anna;b@example.com",
      "anna miller@example.com",
      '"anna"@example.com',
      "Anna <anna@example.com>",
      "anna@example.com\r\nbcc: x@example.com",
      "anna@example.com.",
      "anna@.example.com",
      "anna@example..com",
      `${"a".repeat(250)}@x.example`,
    ])
      expect([bad, isEmail(bad)]).toEqual([bad, false]);
  },
);
