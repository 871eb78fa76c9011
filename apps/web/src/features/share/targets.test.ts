import { expect, test } from "vitest";

import { shareTargets, shareUrl } from "./targets.ts";

test("the four services, in order, with the link whole", { tags: ["spec:2.4-61"] }, () => {
  const url = shareUrl("/product/eggs?a=1&b=2", "https://market.test");
  const targets = shareTargets(url, "Eggs & more", "https://market.test/img/1/960.jpg");
  expect(targets.map(({ name }) => name)).toEqual(["Facebook", "Twitter", "LinkedIn", "Pinterest"]);
  for (const { href } of targets) {
    const query = new URL(href).searchParams;
    expect(query.get("url") ?? query.get("u")).toBe("https://market.test/product/eggs?a=1&b=2");
  }
  const [, twitter, , pinterest] = targets.map(({ href }) => new URL(href).searchParams);
  expect(twitter?.get("text")).toBe("Eggs & more");
  expect(pinterest?.get("media")).toBe("https://market.test/img/1/960.jpg");
});

test("without a picture none is named", () => {
  const pinterest = shareTargets("https://market.test/shop", "Shop").at(-1);
  expect(new URL(pinterest?.href ?? "").searchParams.has("media")).toBe(false);
});
