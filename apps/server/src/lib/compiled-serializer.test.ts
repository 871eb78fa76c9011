import { Cart, getCart } from "@marketday/contracts/cart";
import { placeOrder, quoteCheckout } from "@marketday/contracts/checkout";
import fc from "fast-check";
import fastify from "fastify";
import { expect, test } from "vitest";
import { z } from "zod";

import { compiledSerializer, setAnswerChecking } from "./compiled-serializer.ts";

const picture = { url: "/pictures/1", alt: 'A "red" tomato\n', thumbhash: "3OcRJYB4d3h/" };
const cart: Cart = {
  id: 7,
  revision: 3,
  items: [
    {
      id: 1,
      quantity: 2,
      price: 4.5,
      subscription_interval: null,
      watching: false,
      isPublished: true,
      fromBundleId: null,
      vendor: { id: 2, slug: "farm", name: "Peña’s Farm", city: "Sheridan", state: "IN", avatar: picture },
      product: {
        id: 3,
        slug: "jam",
        title: "Jam",
        images: [picture],
        variant: { id: 4, title: "", size: "", inventory: 0, price: 4.5, salePrice: null, preOrderDate: null },
      },
      discount: { amount: 0.1, reason: "Bundle" },
    },
  ],
  discounts: [{ quantity: 2, code: "", amount: 0.1, reason: "Bundle", forCartItemId: 1 }],
  banners: [{ id: "b", type: "other", title: "T", body: "", action: null }],
  subtotal: 8.9,
  subtotalBeforeDiscounts: 9,
  deliveryDate: "2026-11-26",
  cutoff: "2026-11-24T22:00:00.000Z",
  timeZone: null,
};

/** The same with a secret in each object. */
const withSecrets = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(withSecrets)
    : value !== null && typeof value === "object"
      ? { ...Object.fromEntries(Object.entries(value).map(([k, v]) => [k, withSecrets(v)])), password_hash: "secret" }
      : value;

const write = (schema: z.ZodType) => compiledSerializer({ schema, method: "GET", url: "/" });

test("compiled serializer: a field that the contract does not have never reaches the wire, at any depth", async () => {
  const app = fastify();
  app.route({ ...getCart, serializerCompiler: compiledSerializer, handler: async () => withSecrets(cart) });
  const { statusCode, body } = await app.inject({ method: "GET", url: getCart.url });
  expect(statusCode).toBe(200);
  expect(body).not.toContain("secret");
  expect(JSON.parse(body)).toEqual(cart);
});

test("compiled serializer: answers with any texts, numbers and nulls are those of JSON", () => {
  for (const schema of [
    getCart.schema.response[200],
    quoteCheckout.schema.response[200],
    placeOrder.schema.response[201],
    placeOrder.schema.response[202],
  ]) {
    const serialize = write(schema);
    fc.assert(
      fc.property(answerOf(schema), (answer) => {
        expect(JSON.parse(serialize(answer))).toEqual(JSON.parse(JSON.stringify(answer)));
      }),
      { numRuns: 100 },
    );
  }
});

test("compiled serializer: with answer checking, an answer that its contract does not allow is an error", () => {
  setAnswerChecking(true);
  try {
    expect(() => write(Cart)({ ...cart, subtotal: "8.9" })).toThrow(/not what its contract says/);
    expect(JSON.parse(write(Cart)(cart))).toEqual(cart);
  } finally {
    setAnswerChecking(false);
  }
});

/** Any answer that a schema of objects, arrays, texts, numbers, flags and nulls allows. */
function answerOf(schema: z.core.$ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodObject)
    return fc.record(Object.fromEntries(Object.entries(schema.shape).map(([k, v]) => [k, answerOf(v as z.ZodType)])));
  if (schema instanceof z.ZodArray) return fc.array(answerOf(schema.element), { maxLength: 3 });
  if (schema instanceof z.ZodNullable) return fc.option(answerOf(schema.unwrap()), { nil: null });
  if (schema instanceof z.ZodOptional) return fc.option(answerOf(schema.unwrap()), { nil: undefined });
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  if (schema instanceof z.ZodString) return fc.string({ unit: "binary" });
  if (schema instanceof z.ZodNumber)
    return schema.format === null ? fc.integer().map((cents) => cents / 100) : fc.integer();
  throw new TypeError(`no answer for ${schema.constructor.name}`);
}
