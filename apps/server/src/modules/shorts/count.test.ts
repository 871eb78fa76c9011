import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { countOf, shortDay } from "../../../test/short-day.ts";

const market = await buildTestApp();
const { db } = market;
const day = await shortDay(market, [[2], [1], [2]]);
const { url, as, variantId, count } = day;

test("shorts: the day is read in two statements, besides who may read it", async () => {
  await as.put(url, { ...count(4, 5), expectedVersion: null });
  await as.get(url);
  const statements = await market.statements(() => as.get(url));
  const [{ id, version }] = (await as.get(url)).body.shortages;
  await as.post(`${url}/${id}/remove`, { expectedVersion: version });
  const [access, ...own] = statements.filter((text) => !text.includes("staff_session"));
  expect(access).toContain('"slug" =');
  expect(own).toEqual([expect.stringContaining("cutoff_at"), expect.stringContaining("shortage")]);
});

test.each([
  ["as many as ordered", { came: 5, of: 5 }, 422, "All 5 of Eggs, Each came, so nothing is short."],
  [
    "more than ordered",
    { came: 12, of: 5 },
    422,
    "Only 5 are ordered of Eggs, Each, so nothing is short when 12 come.",
  ],
  ["another number ordered", { came: 4, of: 6 }, 409, "5 of Eggs, Each are ordered, not 6. Nothing was done."],
  ["a negative number", { came: -1 }, 400, "Enter 0 or more"],
  ["a million", { came: 1_000_000 }, 400, "Enter 100,000 or less"],
  ["a part of one", { came: 1.5 }, 400, "Enter a whole number, like 9."],
  ["a word", { came: "nine" }, 400, "Enter a whole number, like 9."],
  ["an item of no order", { variantId: 2_000_000 }, 404, "This item is not ordered for this day."],
  ["shares that are not what came", { gets: {} }, 422, "The boxes get 0, but 4 can be shared out. Nothing was done."],
])(
  "shorts: a count of %s is refused with a sentence, also in a plan, and nothing is stored",
  async (_, change, status, sentence) => {
    const body = { ...countOf(variantId, 4, 5), ...change };
    const stored = await as.put(url, { ...body, expectedVersion: null });
    expect([stored.status, stored.body[0]]).toEqual([status, sentence]);
    const planned = await as.post(`${url}/plan`, body);
    expect([planned.status, planned.body[0]]).toEqual([status, sentence]);
    expect((await as.get(url)).body.shortages).toEqual([]);
  },
);

test("shorts: shares by hand are planned as they are set, and refused when a box is left out or gets more than it ordered", async () => {
  const [one, two, three] = day.orders.map(([id]) => id!);
  const plan = await as.post(`${url}/plan`, count(3, 5, { gets: { [one!]: 2, [two!]: 1, [three!]: 0 } }));
  expect(plan.body.shares.map(({ gets }: { gets: number }) => gets)).toEqual([2, 1, 0]);
  expect(plan.body.shares[2].money.back).toBe(plan.body.money.back);
  for (const method of ["post", "put"] as const) {
    const send = (gets: object) =>
      method === "post"
        ? as.post(`${url}/plan`, count(3, 5, { gets }))
        : as.put(url, { ...count(3, 5, { gets }), expectedVersion: null });
    const left = await send({ [one!]: 2, [two!]: 1 });
    expect([left.status, left.body[1].code]).toEqual([409, "other_boxes"]);
    const foreign = await send({ [one!]: 1, [two!]: 0, [three!]: 1, 999: 1 });
    expect([foreign.status, foreign.body]).toEqual([
      409,
      ["Order 999 does not have this item on this day. Check the shares again.", { code: "other_boxes" }],
    ]);
    const over = await send({ [one!]: 0, [two!]: 2, [three!]: 1 });
    expect([over.status, over.body[0]]).toEqual([
      422,
      `Tote 2 (order ${two}) ordered 1, and cannot get more. Nothing was done.`,
    ]);
  }
});

test(
  "shorts: a second person who counts the same item without having seen the first one gets a conflict with it",
  { tags: ["fail:N1", "fail:N8"] },
  async () => {
    const other = await day.person();
    const both = await Promise.all([
      as.put(url, { ...count(4, 5), expectedVersion: null }),
      other.put(url, { ...count(3, 5), expectedVersion: null }),
    ]);
    const [stored, refused] = both.toSorted((a, b) => a.status - b.status);
    expect([stored!.status, refused!.status]).toEqual([200, 409]);
    expect(refused!.body).toEqual([
      "Someone else has counted Eggs, Each in the meantime. Check their number and try again.",
      { code: "conflict", current: expect.objectContaining({ shortages: stored!.body.shortages.map(withoutOwn) }) },
    ]);
    const [{ id, version }] = stored!.body.shortages;
    const changed = await other.put(url, { ...count(2, 5), expectedVersion: version });
    expect([changed.status, changed.body.shortages]).toMatchObject([200, [{ id, came: 2, version: version + 1 }]]);
    const late = await as.put(url, { ...count(1, 5), expectedVersion: version });
    expect([late.status, late.body[1].code]).toEqual([409, "conflict"]);
    const gone = await as.post(`${url}/${id}/remove`, { expectedVersion: version });
    expect([gone.status, gone.body[1].code]).toEqual([409, "conflict"]);
    expect((await as.post(`${url}/${id}/remove`, { expectedVersion: version + 1 })).body.shortages).toEqual([]);
    expect((await as.post(`${url}/${id}/remove`, { expectedVersion: version + 1 })).status).toBe(200);
  },
);
const withoutOwn = (row: Record<string, unknown>) => expect.objectContaining({ id: row["id"], came: row["came"] });

test(
  "shorts: the same count of the same person twice is one, whether sent again or typed twice",
  { tags: ["fail:N8"] },
  async () => {
    const body = { ...count(4, 5, { reason: "<b>frost</b>" }), expectedVersion: null };
    const [one, two] = await Promise.all([as.put(url, body), as.put(url, body)]);
    const third = await as.put(url, body);
    for (const answer of [one, two, third].filter(({ status }) => status === 200))
      expect(answer.body.shortages).toMatchObject([{ came: 4, version: 1, reason: "<b>frost</b>" }]);
    expect(third.status).toBe(200);
    const [{ id }] = third.body.shortages;
    await as.post(`${url}/${id}/remove`, { expectedVersion: 1 });
    expect(await db.shortage.count({ where: { variant_id: variantId, state: { not: "removed" } } })).toBe(0);
  },
);

test("shorts: a shortage of another day is not found", async () => {
  const elsewhere = await shortDay(market, [[2]]);
  const { body } = await elsewhere.as.put(elsewhere.url, { ...elsewhere.count(1, 2), expectedVersion: null });
  const [{ id }] = body.shortages;
  const here = await day.person();
  for (const what of ["settle", "remove"])
    expect((await here.post(`${url}/${id}/${what}`, { expectedVersion: 1 })).status).toBe(404);
});
