import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { staffOf } from "../../../test/staff.ts";

const market = await buildTestApp();
const hub = await createHub(market.db);
const support = () => staffOf(market, { role: "support", hubId: hub.id });

test("inbox: templates are created, changed and deleted; a name is taken once", async () => {
  const as = await support();
  const made = await as.post("/reply-templates", { name: "Late box", text: "Hi {name}, order {order} is late." });
  expect((await as.post("/reply-templates", { name: "Late box", text: "Other." })).body[1].code).toBe("taken");
  const path = `/reply-templates/${made.body.id}`;
  expect((await as.put(path, { name: "Late", text: "Hi.", expectedVersion: 1 })).body.name).toBe("Late");
  const late = { id: made.body.id, name: "Late", text: "Hi.", version: 2 };
  expect((await as.get("/reply-templates")).body).toContainEqual(late);
  await as.post(`${path}/remove`, { expectedVersion: 2 });
  expect((await as.post(`${path}/remove`, { expectedVersion: 2 })).status).toBe(200);
  expect((await as.get("/reply-templates")).body).toEqual([]);
});

test("inbox: a template that another person has changed is neither overwritten nor deleted unseen; the same change again is one", async () => {
  const [as, bo] = [await support(), await support()];
  const { id } = (await as.post("/reply-templates", { name: "Late box", text: "It is late." })).body;
  const path = `/reply-templates/${id}`;
  const change = { name: "Late box", text: "It is late, sorry.", expectedVersion: 1 };
  expect((await bo.put(path, change)).body).toMatchObject({ text: change.text, version: 2 });
  expect((await bo.put(path, change)).body).toMatchObject({ text: change.text, version: 2 });
  const now = { code: "conflict", current: { id, name: "Late box", text: change.text, version: 2 } };
  const refused = await as.put(path, { name: "Late box", text: "Late.", expectedVersion: 1 });
  expect([refused.status, refused.body[1]]).toEqual([409, expect.objectContaining(now)]);
  const kept = await as.post(`${path}/remove`, { expectedVersion: 1 });
  expect([kept.status, kept.body[1]]).toEqual([409, expect.objectContaining(now)]);
  expect((await as.get("/reply-templates")).body).toContainEqual(now.current);
  expect((await as.put(path, { name: "Late box", text: "Late.", expectedVersion: 2 })).body.version).toBe(3);
  expect((await as.post(`${path}/remove`, { expectedVersion: 3 })).status).toBe(200);
  expect((await as.put(path, change)).status).toBe(404);
});
