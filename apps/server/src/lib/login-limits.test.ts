import { expect, test } from "vitest";

import { networksOf } from "./login-limits.ts";

test.each([
  ["203.0.113.7", { host: "203.0.113.7", net: "203.0.113" }],
  ["::ffff:203.0.113.7", { host: "203.0.113.7", net: "203.0.113" }],
  ["2001:db8:1:2:3:4:5:6", { host: "2001:db8:1:2", net: "2001:db8:1" }],
  ["2001:db8::1", { host: "2001:db8:0:0", net: "2001:db8:0" }],
  ["::1", { host: "0:0:0:0", net: "0:0:0" }],
  ["fe80::1%eth0", { host: "fe80:0:0:0", net: "fe80:0:0" }],
])("login limits: networks of %s", (ip, networks) => {
  expect(networksOf(ip)).toEqual(networks);
});
