import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { TestPasskey } from "../../../test/passkey.ts";
import { acceptByPasskey, linkOf } from "../../../test/staff-sign-in.ts";
import { createStaff } from "../../../test/staff.ts";
import { relyingPartyOf } from "./relying-party.ts";

test.each<[publicUrl: string | null, url: string, expected: { id: string; origin: string } | null]>([
  ["https://market.example", "http://10.0.0.5:3000", { id: "market.example", origin: "https://market.example" }],
  ["https://market.example:8443", "http://x", { id: "market.example", origin: "https://market.example:8443" }],
  ["http://localhost:3000", "http://localhost:3000", { id: "localhost", origin: "http://localhost:3000" }],
  ["http://market.example", "http://market.example", null],
  ["https://192.168.1.20", "https://192.168.1.20", null],
  ["https://[2001:db8::1]", "https://[2001:db8::1]", null],
  [null, "http://localhost:3000", { id: "localhost", origin: "http://localhost:3000" }],
  [null, "http://localhost", { id: "localhost", origin: "http://localhost" }],
  [null, "http://127.0.0.1:3000", null],
  [null, "http://market.local", null],
  [null, "https://evil.example", null],
  [null, "http://bad host", null],
])("passkeys: PUBLIC_URL %s, opened at %s", (publicUrl, url, expected) => {
  const [protocol = "", host = ""] = url.split("://");
  expect(relyingPartyOf(publicUrl, { protocol, host })).toEqual(expected);
});

test(
  "staff: behind https the passkey is of PUBLIC_URL's host, whatever the request names, and cookies are Secure",
  { tags: ["fail:F19"] },
  async () => {
    const market = await buildTestApp({ env: { PUBLIC_URL: "https://market.example" } });
    const person = await createStaff(market, "owner");
    const browser = market.shopper();
    expect((await browser.get("/admin/session", { host: "evil.example" })).body.passkeysWork).toBe(true);
    const response = await acceptByPasskey(
      browser,
      await linkOf(market, person.id),
      new TestPasskey("https://market.example"),
    );
    expect(response.status).toBe(200);
    const cookies = [response.headers["set-cookie"]].flat();
    expect(cookies.find((each) => each?.startsWith("__Host-mkt_staff="))).toMatch(
      /; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
    const evil = await acceptByPasskey(
      market.shopper(),
      await linkOf(market, person.id),
      new TestPasskey("https://evil.example"),
    );
    expect(evil.status).toBe(400);
  },
);

test("staff: on plain http at another address than localhost passkeys are refused in a sentence, and a password is not", async () => {
  const market = await buildTestApp({ env: { PUBLIC_URL: "http://market.lan" } });
  const person = await createStaff(market, "owner");
  const token = await linkOf(market, person.id);
  const browser = market.shopper();
  expect((await browser.get("/admin/session")).body.passkeysWork).toBe(false);
  for (const [path, body] of [
    ["/admin/session/passkey/options", undefined],
    [`/admin/invites/${token}/passkey/options`, { name: "Ada" }],
  ] as const)
    expect(await browser.post(path, body)).toMatchObject({
      status: 409,
      body: [expect.stringContaining("begins with https"), { code: "passkeys_unavailable" }],
    });
  expect((await browser.post(`/admin/invites/${token}/password/options`)).status).toBe(200);
});
