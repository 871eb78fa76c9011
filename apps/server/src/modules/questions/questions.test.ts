import { Question } from "@marketday/contracts/questions";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createProduct } from "../../../test/factories.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db, clock } = market;
const hub = await createHub(db);
const asked = (answer: { body: Question[] }) => answer.body.map(({ question, answer: said }) => [question, said]);

test(
  "answered ones are for all, open ones for their asker, newest first",
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
    expect(asked(await ben.post(`/products/${eggs.slug}/questions`, { question: "How many?" }))).toEqual([
      ["How many?", null],
    ]);
    const guest = await guestOf(market, hub.id);
    expect((await guest.get(`/products/${eggs.id}/questions`)).body).toEqual([]);
    await db.question.updateMany({
      where: { customer_id: ben.customer.id },
      data: { answer: "A dozen.", answered_at: clock.now() },
    });
    expect(asked(await guest.get(`/products/${eggs.id}/questions`))).toEqual([["How many?", "A dozen."]]);
    expect(asked(await market.shopper().get(`/products/${eggs.id}/questions`))).toEqual([["How many?", "A dozen."]]);
    const mine = await anna.get(`/products/${eggs.id}/questions`);
    expect(asked(mine)).toEqual([
      ["How many?", "A dozen."],
      ["Are they brown?", null],
    ]);
    expect([mine.headers["x-total-results"], mine.headers["cache-control"]]).toEqual(["2", "no-store"]);
    expect(asked(await anna.get(`/products/${eggs.id}/questions?page=2&perPage=1`))).toEqual([
      ["Are they brown?", null],
    ]);
    expect((await ben.get(`/products/${eggs.id}/questions`)).headers["x-total-results"]).toBe("1");
  },
);

test(
  "up to 400 characters; nothing of a refused one is kept",
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
      { question: "a\u0000" },
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

test("needs an account and a product that is there", { tags: ["spec:6-03", "fail:G1", "fail:G2"] }, async () => {
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
});

test("ten an hour", { tags: ["fail:I16"] }, async () => {
  const strict = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on" } });
  const eggs = await createProduct(db, hub.id);
  const keen = await signIn(strict, { hubId: hub.id });
  const said: number[] = [];
  for (let n = 0; n < 11; n += 1)
    said.push((await keen.post(`/products/${eggs.id}/questions`, { question: `No. ${n}?` })).status);
  expect(said).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
  expect(await db.question.count({ where: { product_id: eggs.id } })).toBe(10);
});

test("shows text literally", { tags: ["fail:H2"] }, async () => {
  const eggs = await createProduct(db, hub.id);
  const someone = await signIn(market, { hubId: hub.id });
  const row = { question: `<img src=x onerror=alert(1)> & "why"?`, answer: "<b>Because</b>" };
  await db.question.create({ data: { ...row, customer_id: someone.customer.id, product_id: eggs.id } });
  expect(asked(await someone.get(`/products/${eggs.id}/questions`))).toEqual([[row.question, row.answer]]);
});
