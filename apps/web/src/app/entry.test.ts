import { expect, test } from "vitest";

import { parseEntryParams } from "../navigation/entry-params.ts";
import { entryRedirectOf } from "./entry.ts";

const arrive = (address: string, pages: string[] = []) => {
  const { pathname, search, hash } = new URL(address, "http://market.test");
  return entryRedirectOf({ pathname, search, hash }, parseEntryParams(search), (page) => pages.includes(page));
};

test("the root is the shop", { tags: ["spec:2.1-01"] }, () => {
  expect(arrive("/?utm_source=mail")).toEqual({ to: "/shop" });
});

test("entry: /login, and where the server redirects it, is the shop with Login open", { tags: ["spec:2.1-03"] }, () => {
  expect(arrive("/shop?utm_source=mail&login=1")).toEqual({ to: "/shop", modal: { kind: "login" } });
  expect(arrive("/login?next=//evil.test")).toEqual({ to: "/shop", modal: { kind: "login" } });
});

test(
  "q goes to the search from every page, and cannot leave the site",
  { tags: ["spec:2.1-02", "spec:2.2-02", "fail:H13"] },
  () => {
    expect(arrive("/?q=%2F%2Fevil", ["/search"])).toEqual({ to: "/search?q=%2F%2Fevil" });
    expect(arrive("/shop?q=sweet%20corn&trk=flyer", ["/search"])).toEqual({ to: "/search?q=sweet+corn" });
    expect(arrive("/search?q=corn&page=2&utm_source=mail", ["/search"])).toEqual({ to: "/search?q=corn&page=2" });
    expect(arrive("/?q=tomato")).toEqual({ to: "/shop" });
  },
);

test("id opens the product, with its message", { tags: ["spec:2.1-11", "spec:2.2-05"] }, () => {
  expect(arrive("/products?id=7&messageId=9")).toEqual({ to: "/products/7?messageId=9" });
  expect(arrive("/shop?id=..%2Fauth")).toEqual({ to: "/products/..%2Fauth" });
  expect(arrive("/products")).toEqual({ to: "/shop" });
});

test("on /vendors an id is a vendor's", { tags: ["spec:2.1-09"] }, () => {
  expect(arrive("/vendors?id=7")).toEqual({ to: "/vendors?id=7" });
});

test("what is kept leaves the address, the rest stays", () => {
  expect(arrive("/collections/bakery?page=2&trk=farm&hubId=3")).toEqual({ to: "/collections/bakery?page=2" });
  expect(arrive("/faq?utm_source=mail#refunds")).toEqual({ to: "/faq#refunds" });
});
