import type { MarketConfig } from "@marketday/contracts/boot";

import { hostsOf, securityHeaders } from "../../../server/src/plugins/security.ts";
import { expect, type Page } from "./fixtures.ts";

/**
 * Opens pages as a market with other settings would serve them: what it tells the app, and its policy, made by the
 * server's own function. What third parties would answer is set by the test.
 */
export async function withSettings(
  page: Page,
  change: Partial<MarketConfig>,
  hosts: Partial<Parameters<typeof hostsOf>[0]>,
): Promise<void> {
  const settings = { botCheck: "proof-of-work", tagManagerId: null, mapTilesUrl: null, ...hosts } as const;
  await page.route("**/*", async (route) => {
    const request = route.request();
    if (request.resourceType() !== "document") return route.fallback();
    const response = await route.fetch();
    const framed = new URL(request.url()).pathname.startsWith("/embed/");
    const policy = securityHeaders(false, framed, hostsOf(settings))["content-security-policy"]!;
    const body = (await response.text()).replace(
      /("config":)(\{.*?\})(,"hub")/s,
      (_, name: string, config: string, rest: string) =>
        `${name}${JSON.stringify({ ...(JSON.parse(config) as MarketConfig), ...change })}${rest}`,
    );
    return route.fulfill({ response, body, headers: { ...response.headers(), "content-security-policy": policy } });
  });
}

/** The test used this other origin and no second one; the rest is checked by the fixture. */
export function expectOnlyFrom(pageErrors: { foreign: string[] }, origin: string): void {
  expect([...new Set(pageErrors.foreign.map((url) => new URL(url).origin))]).toEqual([origin]);
  pageErrors.foreign.length = 0;
}
