import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { staffOf } from "../../../test/staff.ts";

const market = await buildTestApp();
const { db } = market;
const hub = await createHub(db);
const [owner, manager, lead] = [
  await staffOf(market, "owner"),
  await staffOf(market, "manager"),
  await staffOf(market, { role: "hub_lead", hubId: hub.id }),
];
let named = 0;
const view = (more: object = {}) => {
  named += 1;
  return {
    name: `View ${named}`,
    query: "status:open",
    sort: "-day",
    columns: ["name", "total"],
    isShared: false,
    ...more,
  };
};
const names = async (who: typeof owner) =>
  (await who.get("/views/orders")).body.map(({ name, canChange }: { name: string; canChange: boolean }) => [
    name,
    canChange,
  ]);

test("saved views: the market's are for everyone and changed by owners and managers, one's own are for oneself", async () => {
  const [shared, own] = [view({ isShared: true }), view()];
  const created = await owner.post("/views/orders", shared);
  expect([created.status, created.body]).toEqual([
    201,
    { ...shared, id: expect.any(Number), screen: "orders", canChange: true, version: 1 },
  ]);
  expect((await lead.post("/views/orders", own)).status).toBe(201);
  expect(await names(lead)).toEqual([
    [shared.name, false],
    [own.name, true],
  ]);
  expect(await names(manager)).toEqual([[shared.name, true]]);
  expect((await manager.get("/views/products")).body).toEqual([]);
  expect((await lead.post("/views/orders", view({ isShared: true }))).body[1]).toMatchObject({ code: "forbidden" });
  const { id } = created.body;
  expect((await lead.put(`/views/orders/${id}`, { ...shared, expectedVersion: 1 })).status).toBe(403);
  expect((await lead.delete(`/views/orders/${id}`)).status).toBe(403);
  const audit = await db.audit_entry.findFirstOrThrow({ where: { subject: `view:${id}` } });
  expect(audit).toMatchObject({
    action: "views create",
    actor: `staff:${owner.person.email}`,
    data: { after: shared },
  });
});

test(
  "saved views: a view that someone changed meanwhile is a conflict with it as it is now",
  { tags: ["fail:N1"] },
  async () => {
    const { id } = (await owner.post("/views/orders", view({ isShared: true }))).body;
    const change = view({ isShared: true, query: 'vendor:"Oak Farm"' });
    const changed = await manager.put(`/views/orders/${id}`, { ...change, expectedVersion: 1 });
    expect([changed.status, changed.body]).toMatchObject([200, { ...change, version: 2 }]);
    const late = await owner.put(`/views/orders/${id}`, { ...view({ isShared: true }), expectedVersion: 1 });
    expect([late.status, late.body[1]]).toMatchObject([409, { code: "conflict", current: { ...change, version: 2 } }]);
    const both = await Promise.all(
      [owner, manager].map((who) =>
        who.put(`/views/orders/${id}`, { ...view({ isShared: true }), expectedVersion: 2 }),
      ),
    );
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect((await owner.delete(`/views/orders/${id}`)).status).toBe(204);
    expect((await owner.delete(`/views/orders/${id}`)).status).toBe(204);
    expect((await owner.put(`/views/orders/${id}`, { ...change, expectedVersion: 2 })).status).toBe(404);
  },
);

test("saved views: one name among those that a person sees, in any letter case, also by two requests at once", async () => {
  const first = view({ isShared: true, name: "Thursday" });
  expect((await owner.post("/views/orders", first)).status).toBe(201);
  const taken = await lead.post("/views/orders", view({ name: "THURSDAY" }));
  expect([taken.status, taken.body[1]]).toMatchObject([409, { code: "name_taken", field: "name" }]);
  const own = view();
  const both = await Promise.all([lead.post("/views/orders", own), lead.post("/views/orders", own)]);
  expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  expect((await manager.post("/views/orders", own)).status).toBe(201);
});

test("saved views: another person's own view is not there", async () => {
  const { id } = (await lead.post("/views/orders", view())).body;
  expect((await owner.put(`/views/orders/${id}`, { ...view(), expectedVersion: 1 })).status).toBe(404);
  expect((await owner.delete(`/views/orders/${id}`)).status).toBe(204);
  expect(await db.saved_view.count({ where: { id } })).toBe(1);
});

test.each([
  ["a filter that is not understood", { query: "fruit:apple" }],
  ["no name", { name: "  " }],
  ["a name of 61 characters", { name: "a".repeat(61) }],
  ["31 columns", { columns: Array.from({ length: 31 }, () => "name") }],
])("saved views: %s is refused", async (_, more) => {
  expect((await owner.post("/views/orders", view(more))).status).toBe(400);
});

test("saved views: the audit log has the number of searched words, not the words", { tags: ["fail:N11"] }, async () => {
  const own = view({ query: "status:open rosa@example.com" });
  const { id } = (await lead.post("/views/orders", own)).body;
  await lead.put(`/views/orders/${id}`, { ...own, query: "way:door 317-555-0142 rosa", expectedVersion: 1 });
  await lead.delete(`/views/orders/${id}`);
  const entries = await db.audit_entry.findMany({ where: { subject: `view:${id}` }, orderBy: { id: "asc" } });
  const [first, second] = [
    { query: "status:open", words: 1 },
    { query: "way:door", words: 2 },
  ];
  expect(entries.map(({ data }) => data)).toMatchObject([
    { after: first },
    { before: first, after: second },
    { before: second },
  ]);
  expect(JSON.stringify(entries)).not.toMatch(/rosa|555/);
});

test("saved views: a filter is checked in the language of its screen, and its words are not in the audit log", async () => {
  const grid = view({ query: "stock:out quince", sort: "vendor", columns: ["price"] });
  const created = await lead.post("/views/products", grid);
  expect([created.status, created.body]).toMatchObject([201, { ...grid, screen: "products" }]);
  const audit = await db.audit_entry.findFirstOrThrow({ where: { subject: `view:${created.body.id}` } });
  expect(audit.data).toMatchObject({ after: { query: "stock:0", words: 1 } });
  for (const [screen, query] of [
    ["products", "owes:yes"],
    ["orders", "stock:out"],
  ])
    expect((await lead.post(`/views/${screen}`, view({ query }))).body[1]).toMatchObject({ code: "bad_filter" });
});
