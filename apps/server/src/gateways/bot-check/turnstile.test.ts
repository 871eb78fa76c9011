import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

import { expect, test } from "vitest";

import { hostsOf, securityHeaders } from "../../plugins/security.ts";
import { turnstile } from "./turnstile.ts";

const now = new Date("2026-11-23T17:00:00Z");

/** Verifies a token with a fake of Cloudflare. Returns the result and the received bodies. */
async function verify(handler: RequestListener) {
  const received: string[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => (body += String(part)));
    request.on("end", () => {
      received.push(body);
      handler(request, response);
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  try {
    const result = await turnstile("top-secret", `http://127.0.0.1:${port}/siteverify`)
      .verify("the token", now, "203.0.113.7")
      .catch((error: unknown) => error as { status: number; details: { code: string } });
    return { received, result };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}
const respond =
  (body: unknown, status = 200): RequestListener =>
  (_request, response) =>
    void response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

test("Turnstile: an accepted token is a proof for one use", { tags: ["spec:7.12-04"] }, async () => {
  const { received, result } = await verify(respond({ success: true }));
  expect(received).toEqual(["secret=top-secret&response=the+token&remoteip=203.0.113.7"]);
  expect(result).toEqual({
    once: expect.stringMatching(/^[0-9a-f]{64}$/),
    expiresAt: new Date("2026-11-23T17:05:00Z"),
  });
});

test("Turnstile: a rejected token is no proof", { tags: ["spec:7.12-04"] }, async () => {
  expect((await verify(respond({ success: false, "error-codes": ["timeout-or-duplicate"] }))).result).toBeNull();
});

test.each<[string, RequestListener]>([
  ["an error", respond({}, 500)],
  ["no JSON", (_request, response) => void response.end("<html>")],
  ["another shape", respond(["yes"])],
  ["an internal error", respond({ success: false, "error-codes": ["internal-error"] })],
  ["a wrong secret", respond({ success: false, "error-codes": ["invalid-input-secret"] })],
  ["a redirect", (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/" }).end()],
  ["a huge body", (_request, response) => void response.end(`{"success":true,"x":"${"a".repeat(100_000)}"}`)],
  ["a closed connection", (request) => void request.socket.destroy()],
  ["no response", () => undefined],
])("Turnstile answers with %s: 503, no token is accepted", { tags: ["fail:E5", "fail:I13"] }, async (_, handler) => {
  expect((await verify(handler)).result).toMatchObject({ status: 503, details: { code: "bot_check_down" } });
});

test("Turnstile: its host is in the CSP only with BOT_CHECK=turnstile", { tags: ["fail:H7"] }, () => {
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
