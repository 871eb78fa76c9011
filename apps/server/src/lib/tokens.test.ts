import { expect, test } from "vitest";

import { vendorTokens, deviceTokens, newUuid, sessionTokens } from "./tokens.ts";

const [OLD, NEW] = ["the old secret, which is long enough to sign", "the new secret, which is long enough to sign"];
const id = newUuid();
const session = { sessionId: id, purpose: "customer" } as const;

test.each<[kind: string, sign: (secrets: string[]) => string, read: (secrets: string[], token: string) => unknown]>([
  [
    "session",
    (secrets) => sessionTokens(secrets, 90).sign(session),
    (secrets, token) => sessionTokens(secrets, 90).read(token)?.sessionId ?? null,
  ],
  [
    "answer link",
    (secrets) => vendorTokens("answer", secrets).sign(id),
    (secrets, token) => vendorTokens("answer", secrets).read(token),
  ],
  [
    "known browser",
    (secrets) => deviceTokens(secrets).sign("ada@example.com"),
    (secrets, token) => deviceTokens(secrets).read(token, "ada@example.com") && id,
  ],
])(
  "%s token: the new secret signs, and the old one still verifies while it is a setting",
  { tags: ["fail:F10"] },
  (_kind, sign, read) => {
    expect(read([NEW, OLD], sign([OLD]))).toBe(id);
    expect(read([NEW], sign([NEW, OLD]))).toBe(id);
    expect(read([NEW], sign([OLD]))).toBeNull();
  },
);

test("tokens: a session's cookie is not a known browser's, nor the other way round", () => {
  const [sessions, devices] = [sessionTokens([NEW], 90), deviceTokens([NEW])];
  expect(sessions.read(devices.sign("ada@example.com"))).toBeNull();
  expect(devices.read(sessions.sign(session), "ada@example.com")).toBeNull();
});
