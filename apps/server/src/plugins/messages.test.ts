import type { RouteOptions } from "fastify";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../test/app.ts";
import { createHub } from "../../test/factories.ts";
import { buildApp } from "../app.ts";
import { messageFor } from "../lib/validate.ts";

const routes: RouteOptions[] = [];
const market = await buildTestApp();
const app = await buildApp(market.deps, { onRoute: (route) => void routes.push(route) });
afterAll(() => app.close());
await createHub(market.db);

/** Words of validators' default messages, which shoppers must not see. */
const LIBRARY_WORDS =
  /invalid (?:input|option|string|type)|expected|received|too (?:small|big)|pattern|regex|[A-Za-z]+\.[a-z]+[A-Z]|NaN|undefined|null|ZodError|multipart|reach /i;

const INVALID: readonly unknown[] = [
  undefined,
  null,
  "",
  " ",
  "x",
  "anna,miller@example.com",
  "x".repeat(5_000),
  "a\nb\0",
  0,
  -1,
  1.5,
  1e12,
  Number.NaN,
  true,
  [],
  [null],
  Array.from({ length: 500 }, () => ({})),
  {},
  { number: "1", cvc: "x" },
];

/** The objects within optional, nullable, default, pipe and union schemas. */
function objectsIn(schema: unknown): z.ZodObject[] {
  if (schema instanceof z.ZodObject) return [schema];
  if (schema instanceof z.ZodArray) return objectsIn(schema.element);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap(objectsIn);
  if (schema instanceof z.ZodPipe) return objectsIn(schema.in);
  const inner = (schema as { _zod?: { def?: { innerType?: unknown } } } | undefined)?._zod?.def?.innerType;
  return inner === undefined ? [] : objectsIn(inner);
}

/** Every field of a schema with its path. */
function fieldsOf(schema: unknown, above: readonly string[] = []): [path: readonly string[], field: z.ZodType][] {
  return objectsIn(schema).flatMap((object) =>
    Object.entries(object.shape as Record<string, z.ZodType>).flatMap(([name, field]) => [
      [[...above, name], field] as [readonly string[], z.ZodType],
      ...fieldsOf(field, [...above, name]),
    ]),
  );
}

const parts = ["params", "querystring", "body"] as const;
const contracts = () =>
  routes.flatMap(({ method, url, schema }) =>
    parts.flatMap((part) => {
      const given = (schema as Record<string, unknown> | undefined)?.[part];
      return given instanceof z.ZodType ? [{ name: `${String(method)} ${url} ${part}`, schema: given }] : [];
    }),
  );

test(
  "contracts: an invalid value in any field gives a sentence without a validator's words",
  { tags: ["spec:8-16", "fail:G8"] },
  () => {
    const seen = new Map<string, string>();
    let checked = 0;
    for (const { name, schema } of contracts()) {
      const values: unknown[] = [...INVALID];
      for (const [path, field] of fieldsOf(schema)) {
        checked += 1;
        for (const wrong of INVALID) {
          // The field alone, and within its parents.
          const own = field.safeParse(wrong, { error: messageFor });
          for (const issue of own.error?.issues ?? []) seen.set(issue.message, `${name} ${path.join(".")}`);
          values.push(path.reduceRight<unknown>((inside, key) => ({ [key]: inside }), wrong));
        }
      }
      for (const value of values)
        for (const issue of schema.safeParse(value, { error: messageFor }).error?.issues ?? [])
          seen.set(issue.message, name);
    }
    expect(checked).toBeGreaterThan(100);
    expect([...seen].filter(([message]) => LIBRARY_WORDS.test(message) || !/^[A-Z].*[a-z.!)]$/.test(message))).toEqual(
      [],
    );
  },
);

/** What each text field of the bodies makes of a text that it accepts. */
const readBodies = (text: string): [field: string, value: unknown][] =>
  contracts()
    .filter(({ name }) => name.endsWith(" body"))
    .flatMap(({ name, schema }) =>
      fieldsOf(schema).flatMap(([path, field]): [string, unknown][] => {
        const { success, data } = field.safeParse(text);
        return success && data !== undefined ? [[`${name} ${path.join(".")}`, data]] : [];
      }),
    );

/** Texts that are compared as they are, and not stored. */
const NOT_CLEANED = /password|token$|jwt|key$/i;

test(
  "contracts: no field keeps a NUL, another control character, half a surrogate pair or an invisible mark",
  { tags: ["fail:G8"] },
  () => {
    const read = readBodies("\uFEFFa\0\u0007\u202E\u200B\uD83Db\t").filter(([field]) => !NOT_CLEANED.test(field));
    expect(read.length).toBeGreaterThan(30);
    expect(read.filter(([, value]) => value !== "ab")).toEqual([]);
  },
);

test("contracts: the fields of several lines keep them with one kind of line end, all others make one line", () => {
  const read = readBodies("one\r\ntwo").filter(([field]) => !NOT_CLEANED.test(field));
  const several = read.filter(([, value]) => value === "one\ntwo").map(([field]) => field);
  expect([...new Set(several.map((field) => field.replace(/^.* /, "")))].toSorted()).toEqual([
    "comment",
    "deliveryAddress.instructions",
    "deliveryNotes",
    "message",
    "place.address.instructions",
    "products",
    "question",
    "reply",
    "text",
  ]);
  expect(read.filter(([, value]) => !["one\ntwo", "one two", "onetwo"].includes(String(value)))).toEqual([]);
});

test.each([
  ["deliveryAddress.zipCode", "46032-1234", "46032"],
  ["zipCode", " 46032\u202C", "46032"],
  ["phone", "\u202A(317)\u00A0555\u20110142\u202C", "(317) 555-0142"],
  ["phoneNumber", "317\u200B555 – 0142", "317555-0142"],
  ["email", "\u200Banna＠example.com ", "anna@example.com"],
  ["recipientEmail", "Anna@Example.com\u200B", "anna@example.com"],
  ["code", "WELCOME\u00A0–10\u200B", "WELCOME-10"],
  ["discountCode", "\u202AWELCOME10\u202C", "WELCOME10"],
  ["card.number", "4242\u00A04242\u20094242–4242", "4242424242424242"],
  ["card.cvc", " 1２3\u200B", "123"],
  ["username", "anna@example.com\u00A0", "anna@example.com"],
])("contracts: every field %s reads %j as %j", (name, given, clean) => {
  const read = readBodies(given).filter(([field]) => field.endsWith(` ${name}`));
  expect(read.length).toBeGreaterThan(0);
  expect(read.filter(([, value]) => value !== clean)).toEqual([]);
});

test(
  "routes: an invalid body or URL is 400 with a sentence without a validator's words",
  { tags: ["spec:8-16", "fail:G8"] },
  async () => {
    let rejected = 0;
    for (const { method, url, schema } of routes) {
      if (!url.startsWith("/api/") || typeof method !== "string" || method === "HEAD") continue;
      const { body } = (schema ?? {}) as { body?: unknown };
      for (const wrong of body instanceof z.ZodType
        ? [[], {}, "x", 7, { email: 5, password: [], id: "x" }]
        : [undefined]) {
        const response = await app.inject({
          method: method as "GET",
          url: url.replaceAll(/:\w+/g, "%20").replace("*", ""),
          headers: {
            "sec-fetch-site": "same-origin",
            ...(wrong !== undefined && { "content-type": "application/json" }),
          },
          ...(wrong !== undefined && { payload: JSON.stringify(wrong) }),
        });
        if (response.statusCode !== 400) continue;
        rejected += 1;
        const [message] = response.json<[string]>();
        expect([url, message]).toEqual([url, expect.not.stringMatching(LIBRARY_WORDS)]);
      }
    }
    expect(rejected).toBeGreaterThan(50);
  },
);

test(
  "contracts: messages that the spec quotes are returned verbatim",
  { tags: ["spec:5-05", "spec:8-16", "spec:7.9-04"] },
  async () => {
    const browser = market.shopper();
    const good = { email: "a@b.example", password: "peach-cobbler-9", zipCode: "46032", firstName: "A", lastName: "B" };
    const register = async (change: Record<string, unknown>) =>
      (await browser.post("/auth/register", { ...good, ...change })).body;
    expect(await register({ email: "anna,miller@example.com" })).toEqual([
      "Email is requried",
      { code: "invalid", field: "email" },
    ]);
    expect((await register({ email: "a@bc" }))[0]).toBe("Email is requried");
    expect((await register({ email: undefined }))[0]).toBe("Email is required. please try again.");
    expect((await register({ firstName: " " }))[0]).toBe("Your first name is requried");
    expect((await register({ lastName: undefined }))[0]).toBe("Your last name is requried");
    expect((await register({ password: "" }))[0]).toBe("Password is too short");
    expect((await register({ zipCode: undefined }))[0]).toBe("Zip Code is required");
    expect((await browser.get("/vendors/search/a")).body[0]).toBe("Please provide at least 2 characters.");
    expect((await browser.get("/search/vendors/ab")).body[0]).toBe("Please provide at least 3 characters.");
  },
);

test("contracts: a missing value and one of the wrong kind have different messages", async () => {
  const browser = market.shopper();
  const message = async (line: object) => (await browser.put("/cart", [line])).body[0];
  const missing = "Something is missing. Please fill it in and try again.";
  expect(await message({ productId: 1, variantId: 1 })).toBe(missing);
  expect(await message({ productId: 1, variantId: 1, quantity: null })).toBe(missing);
  expect(await message({ productId: 1, variantId: 1, quantity: true })).toBe(
    "Please check what you entered and try again.",
  );
});
