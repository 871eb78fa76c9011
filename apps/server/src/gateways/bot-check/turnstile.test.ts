import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { hostsOf, securityHeaders } from "../../plugins/security.ts";
import { turnstile } from "./turnstile.ts";

const now = new Date("2026-11-23T17:00:00Z");

/** Asks a stand-in for Cloudflare that answers so; gives what came of it and what it was asked with. */
async function ask(answer: RequestListener) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      asked.push(body);
      answer(request, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  try {
    const verdict = await turnstile("top-secret", `http://127.0.0.1:${port}/siteverify`)
      .verify("the token", now, "203.0.113.7")
      .catch((error: unknown) => error as { status: number; details: { code: string } });
    return { asked, verdict };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const says =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

test("a token that Cloudflare takes is a proof for once", { tags: ["spec:7.12-04"] }, async () => {
  const { asked, verdict } = await ask(says({ success: true }));
  expect(asked).toEqual(["secret=top-secret&response=the+token&remoteip=203.0.113.7"]);
  expect(verdict).toEqual({
    once: expect.stringMatching(/^[0-9a-f]{64}$/),
    expiresAt: new Date("2026-11-23T17:05:00Z"),
  });
});

test("one it refuses is none", { tags: ["spec:7.12-04"] }, async () => {
  expect((await ask(says({ success: false, "error-codes": ["timeout-or-duplicate"] }))).verdict).toBeNull();
});

test.each<[string, RequestListener]>([
  ["an error", says({}, 500)],
  ["no JSON", (_request, response) => void response.end("<html>")],
  ["another shape", says(["yes"])],
  ["its own trouble", says({ success: false, "error-codes": ["internal-error"] })],
  ["that our secret is wrong", says({ success: false, "error-codes": ["invalid-input-secret"] })],
  ["somewhere else", (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ["a huge body", (_request, response) => void response.end(`{"success":true,"x":"${"a".repeat(100_000)}"}`)],
  ["nothing at all", (request) => void request.socket.destroy()],
  ["nothing for too long", () => undefined],
])("when it answers with %s, nothing passes", { tags: ["fail:E5", "fail:I13"] }, async (_, answer) => {
  expect((await ask(answer)).verdict).toMatchObject({ status: 503, details: { code: "bot_check_down" } });
});

test("its host stands in the policy of pages only where it is chosen", { tags: ["fail:H7"] }, () => {
  const policy = (botCheck: "turnstile" | "proof-of-work") =>
    securityHeaders(true, false, hostsOf({ botCheck, tagManagerId: null, mapTilesUrl: null }))[
      "content-security-policy"
    ]!.split("; ");
  expect(policy("turnstile")).toEqual(
    policy("proof-of-work").map((line) =>
      /^(script|frame)-src /.test(line) ? `${line} https://challenges.cloudflare.com` : line,
    ),
  );
  expect(policy("proof-of-work")).toContain("script-src 'self'");
});
