import { expect, test } from "vitest";

import { suggestEmail } from "./email-typo.ts";

test("email with a mistyped domain: the one that was meant is suggested", () => {
  for (const [typed, meant] of [
    ["Ada@gmial.com", "ada@gmail.com"],
    ["ada@gmal.com", "ada@gmail.com"],
    ["ada@gmaill.com", "ada@gmail.com"],
    ["ada@gnail.com", "ada@gmail.com"],
    ["ada@gmail.con", "ada@gmail.com"],
    ["ada@gmial.con", "ada@gmail.com"],
    ["ada@gmail.co", "ada@gmail.com"],
    [" ada@yaho.com ", "ada@yahoo.com"],
    ["ada@hotmial.com", "ada@hotmail.com"],
    ["ada@iclod.com", "ada@icloud.com"],
    ["ada@comcast.ner", "ada@comcast.net"],
    ["ada@oak-farm.con", "ada@oak-farm.com"],
  ])
    expect([typed, suggestEmail(typed!)]).toEqual([typed, meant]);
});

test("email with another domain, or none yet: nothing is suggested", () => {
  for (const typed of [
    "ada@gmail.com",
    "ada@mail.com",
    "ada@ymail.com",
    "ada@oak-farm.example",
    "ada@",
    "ada",
    "",
    "a@b@gmial.com",
  ])
    expect([typed, suggestEmail(typed)]).toEqual([typed, null]);
});
