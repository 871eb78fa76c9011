import { describe, expect, test } from "vitest";

import { hostsOf, securityHeaders } from "./security.ts";

/** The policy's lines by name. */
function policyWith(settings: Parameters<typeof hostsOf>[0]): Record<string, string> {
  const policy = securityHeaders(true, false, hostsOf(settings))["content-security-policy"] ?? "";
  const lines = policy.split("; ").map((line): [string, string] => {
    const [name = "", ...hosts] = line.split(" ");
    return [name, hosts.join(" ")];
  });
  return Object.fromEntries(lines);
}

describe("the policy", { tags: ["fail:H7"] }, () => {
  test("knows nobody but ourselves", () => {
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

  test("lets Google Tag Manager in where an operator set a container, and nothing more", () => {
    const without = policyWith({ botCheck: "proof-of-work", tagManagerId: null, mapTilesUrl: null });
    const policy = policyWith({ botCheck: "proof-of-work", tagManagerId: "GTM-ABC123", mapTilesUrl: null });
    expect(policy["script-src"]).toBe("'self' https://www.googletagmanager.com");
    const changed = Object.keys(policy).filter((name) => policy[name] !== without[name]);
    expect(changed).toEqual(["script-src", "img-src", "connect-src"]);
    expect(JSON.stringify(policy)).not.toContain("unsafe");
  });

  test("lets pictures of a map in from where an operator has them, and nothing more", () => {
    const mapTilesUrl = "https://tiles.example.org/{z}/{x}/{y}.png";
    const without = policyWith({ botCheck: "proof-of-work", tagManagerId: null, mapTilesUrl: null });
    const policy = policyWith({ botCheck: "proof-of-work", tagManagerId: null, mapTilesUrl });
    expect(policy).toEqual({ ...without, "img-src": "'self' data: blob: https://tiles.example.org" });
  });
});
