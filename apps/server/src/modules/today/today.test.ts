import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { staffOf } from "../../../test/staff.ts";

const market = await buildTestApp();

test("today: an owner sees the open day of each hub", async () => {
  const hub = await createHub(market.db);
  const owner = await staffOf(market, "owner");
  const { status, body } = await owner.get("/today");
  expect(status, JSON.stringify(body)).toBe(200);
  console.log(JSON.stringify(body, null, 1));
  expect(body.rows).toHaveLength(1);
  expect(body.rows[0].hub.id).toBe(hub.id);
});
