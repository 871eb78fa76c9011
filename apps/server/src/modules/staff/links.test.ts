import { transaction } from "@marketday/db";
import { Hour } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createStaff } from "../../../test/staff.ts";
import { asStaffId } from "../identity/context.ts";
import { createLink, findLink, claimLink } from "./link-store.ts";

const market = await buildTestApp();
const { db, clock } = market;
beforeEach(() => clock.set(MONDAY));

const newLink = async () => {
  const { id } = await createStaff(market, "editor");
  const create = () =>
    transaction(db, (tx) => createLink(tx, { staffId: asStaffId(id), purpose: "invite", now: clock.now() }));
  return { id, create, token: await create() };
};
const find = (token: string) => findLink(db, token, clock.now());
const claim = (token: string) => transaction(db, (tx) => claimLink(tx, token, clock.now()));
const DEAD = { status: 404, details: { code: "link_dead" } };

test("staff link: it names its person and roles, works once for 24 hours, and of two who use it at once one does", async () => {
  const { id, token } = await newLink();
  expect(await find(token)).toMatchObject({
    purpose: "invite",
    staff: { id, grants: [{ role: "editor", hub: null }] },
  });
  clock.advance(24 * Hour.ms - 1);
  const results = await Promise.allSettled([claim(token), claim(token), claim(token)]);
  const [used, ...more] = results.filter(({ status }) => status === "fulfilled");
  expect([used, more]).toMatchObject([{ value: { staffId: id } }, []]);
  for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject(DEAD);
  await expect(find(token)).rejects.toMatchObject(DEAD);
});

test("staff link: after 24 hours, replaced by a newer one, of a disabled person or unknown, it is dead in the same words", async () => {
  const expired = await newLink();
  clock.advance(24 * Hour.ms);
  const [replaced, disabled] = [await newLink(), await newLink()];
  const newer = await replaced.create();
  await db.staff.update({ where: { id: disabled.id }, data: { disabled_at: clock.now() } });
  for (const token of [expired.token, replaced.token, disabled.token, "unknown", ""])
    for (const attempt of [find, claim])
      await expect(attempt(token)).rejects.toMatchObject({
        ...DEAD,
        message: "This link no longer works. Ask an owner of the market for a new one.",
      });
  expect(await claim(newer)).toMatchObject({ staffId: replaced.id });
});

test("staff link: the database holds its hash only", async () => {
  const { id, token } = await newLink();
  expect(JSON.stringify(await db.staff_link.findMany({ where: { staff_id: id } }))).not.toContain(token);
});
