import { Question } from "@marketday/contracts/questions";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createProduct } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db, clock } = market;
const hub = await createHub(db);
const textsOf = (response: { body: Question[] }) => response.body.map(({ question, answer }) => [question, answer]);

test(
  "questions: answered ones are visible to everyone, unanswered ones to their author, newest first",
  { tags: ["spec:7.6-03", "spec:3-26"] },
  async () => {
    const eggs = await createProduct(db, hub.id);
    const [anna, ben] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
    const first = await anna.post(`/products/${eggs.id}/questions`, { question: "  Are they brown? " });
    expect(Question.array().parse(first.body)).toEqual(first.body);
    expect(first.body).toEqual([
      { id: expect.any(Number), created: clock.now().toISOString(), question: "Are they brown?", answer: null },
    ]);
    clock.advance(1000);
    expect(textsOf(await ben.post(`/products/${eggs.slug}/questions`, { question: "How many?" }))).toEqual([
      ["How many?", null],
    ]);
    const guest = await guestOf(market, hub.id);
    expect((await guest.get(`/products/${eggs.id}/questions`)).body).toEqual([]);
    await db.question.updateMany({
      where: { customer_id: ben.customer.id },
      data: { answer: "A dozen.", answered_at: clock.now() },
    });
    expect(textsOf(await guest.get(`/products/${eggs.id}/questions`))).toEqual([["How many?", "A dozen."]]);
    expect(textsOf(await market.shopper().get(`/products/${eggs.id}/questions`))).toEqual([["How many?", "A dozen."]]);
    const own = await anna.get(`/products/${eggs.id}/questions`);
    expect(textsOf(own)).toEqual([
      ["How many?", "A dozen."],
      ["Are they brown?", null],
    ]);
    expect([own.headers["x-total-results"], own.headers["cache-control"]]).toEqual(["2", "no-store"]);
    expect(textsOf(await anna.get(`/products/${eggs.id}/questions?page=2&perPage=1`))).toEqual([
      ["Are they brown?", null],
    ]);
    expect((await ben.get(`/products/${eggs.id}/questions`)).headers["x-total-results"]).toBe("1");
  },
);

test(
  "questions: 1 to 400 characters are accepted, and a rejected question is not stored",
  { tags: ["spec:5-18", "spec:9-05", "fail:I15"] },
  async () => {
    const eggs = await createProduct(db, hub.id);
    const someone = await signIn(market, { hubId: hub.id });
    const post = async (body: unknown) => (await someone.post(`/products/${eggs.id}/questions`, body)).status;
    for (const body of [
      {},
      { question: "" },
      { question: "  " },
      { question: "a".repeat(401) },
      { question: 5 },
      { question: null },
      { question: "\u0000" },
      [],
      "why",
    ])
      expect([body, await post(body)]).toEqual([body, 400]);
    expect(await db.question.count({ where: { product_id: eggs.id } })).toBe(0);
    expect(await post({ question: "a".repeat(400), customerId: 1, answer: "Yes!", answered_at: "2020-01-01" })).toBe(
      200,
    );
    expect(await db.question.findMany({ where: { product_id: eggs.id } })).toMatchObject([
      { customer_id: someone.customer.id, answer: null, answered_at: null },
    ]);
  },
);

test(
  "questions: posting requires an account (401) and a published product (404)",
  { tags: ["spec:6-03", "fail:G1", "fail:G2"] },
  async () => {
    const eggs = await createProduct(db, hub.id);
    const hidden = await createProduct(db, hub.id, { isPublished: false });
    for (const someone of [await guestOf(market, hub.id), market.shopper()]) {
      const answer = await someone.post(`/products/${eggs.id}/questions`, { question: "Why?" });
      expect([answer.status, answer.body]).toEqual([401, ["Please login to continue.", { code: "login_required" }]]);
    }
    const someone = await signIn(market, { hubId: hub.id });
    for (const id of [999_999, hidden.id, "nothing", "%00"]) {
      expect([id, (await someone.post(`/products/${id}/questions`, { question: "Why?" })).status]).toEqual([id, 404]);
      expect([id, (await someone.get(`/products/${id}/questions`)).status]).toEqual([id, 404]);
    }
  },
);

test("questions: the eleventh question within an hour returns 429", { tags: ["fail:I16"] }, async () => {
  const strict = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on" } });
  const eggs = await createProduct(db, hub.id);
  const customer = await signIn(strict, { hubId: hub.id });
  const statuses: number[] = [];
  for (let n = 0; n < 11; n += 1)
    statuses.push((await customer.post(`/products/${eggs.id}/questions`, { question: `No. ${n}?` })).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  expect(await db.question.count({ where: { product_id: eggs.id } })).toBe(10);
});

test("questions: markup in a question and its answer is returned unchanged", { tags: ["fail:H2"] }, async () => {
  const eggs = await createProduct(db, hub.id);
  const someone = await signIn(market, { hubId: hub.id });
  const row = { question: `<img src=x onerror=alert(1)> & "why"?`, answer: "<b>Because</b>" };
  await db.question.create({ data: { ...row, customer_id: someone.customer.id, product_id: eggs.id } });
  expect(textsOf(await someone.get(`/products/${eggs.id}/questions`))).toEqual([[row.question, row.answer]]);
});

test("questions: two of one moment are listed latest first, and those about a product of an unpublished vendor return 404", async () => {
  const eggs = await createProduct(db, hub.id);
  const someone = await signIn(market, { hubId: hub.id });
  for (const question of ["First?", "Second?"]) await someone.post(`/products/${eggs.id}/questions`, { question });
  expect(textsOf(await someone.get(`/products/${eggs.id}/questions`))).toEqual([
    ["Second?", null],
    ["First?", null],
  ]);
  await db.vendor.update({ where: { id: eggs.vendor_id }, data: { is_published: false } });
  expect((await someone.get(`/products/${eggs.id}/questions`)).status).toBe(404);
  expect((await someone.post(`/products/${eggs.id}/questions`, { question: "Third?" })).status).toBe(404);
  expect(await db.question.count({ where: { product_id: eggs.id } })).toBe(2);
});
