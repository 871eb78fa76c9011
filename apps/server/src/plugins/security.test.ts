import { describe, expect, test } from "vitest";

import { hostsOf, securityHeaders } from "./security.ts";

/** The policy's directives by name. */
function policyWith(settings: Parameters<typeof hostsOf>[0]): Record<string, string> {
  const policy = securityHeaders(true, false, hostsOf(settings))["content-security-policy"] ?? "";
  const lines = policy.split("; ").map((line): [string, string] => {
    const [name = "", ...hosts] = line.split(" ");
    return [name, hosts.join(" ")];
  });
  return Object.fromEntries(lines);
}

describe("content security policy", { tags: ["fail:H7"] }, () => {
  test("allows no other host by default", () => {
    expect(policyWith({ botCheck: "proof-of-work", tagManagerId: null, mapTilesUrl: null })).toMatchObject({
      "default-src": "'self'",
      "script-src": "'self'",
      "style-src": "'self'",
      "img-src": "'self' data: blob:",
      "connect-src": "'self'",
      "frame-src": "'self'",
      "object-src": "'none'",
      "base-uri": "'none'",
      "form-action": "'self'",
    });
  });

  test("TAG_MANAGER_ID: allows Google Tag Manager and nothing else", () => {
    const without = policyWith({ botCheck: "proof-of-work", tagManagerId: null, mapTilesUrl: null });
    const policy = policyWith({ botCheck: "proof-of-work", tagManagerId: "GTM-ABC123", mapTilesUrl: null });
    expect(policy["script-src"]).toBe("'self' https://www.googletagmanager.com");
    const changed = Object.keys(policy).filter((name) => policy[name] !== without[name]);
    expect(changed).toEqual(["script-src", "img-src", "connect-src"]);
    expect(JSON.stringify(policy)).not.toContain("unsafe");
  });

  test("MAP_TILES_URL: allows images of that host and nothing else", () => {
    const mapTilesUrl = "https://tiles.example.org/{z}/{x}/{y}.png";
    const without = policyWith({ botCheck: "proof-of-work", tagManagerId: null, mapTilesUrl: null });
    const policy = policyWith({ botCheck: "proof-of-work", tagManagerId: null, mapTilesUrl });
    expect(policy).toEqual({ ...without, "img-src": "'self' data: blob: https://tiles.example.org" });
  });
});
