import { randomUUID } from "node:crypto";

import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { auditOf } from "../../../test/staff-sign-in.ts";
import { createStaff, staffCookie, staffOf } from "../../../test/staff.ts";

const market = await buildTestApp();
const { db, deps } = market;

type Owner = Awaited<ReturnType<typeof staffOf>>;
interface Row {
  id: string;
  device: string;
  isThis: boolean;
}
const sessionsOf = async (owner: Owner, id: number): Promise<Row[]> =>
  (await owner.get(`/staff/${id}/access`)).body.sessions;
const statusWith = async ({ app }: Pick<typeof market, "app">, cookie: string) =>
  (await app.inject({ url: "/api/admin/me/security", headers: { cookie } })).statusCode;

test(
  "sessions of a person: an owner ends one, then all, and every server that had them cached refuses them",
  { tags: ["fail:F2"] },
  async () => {
    const owner = await staffOf(market, "owner");
    const ben = await createStaff(market, "support");
    const [phone, desk, tablet] = [
      await staffCookie(market, ben.id),
      await staffCookie(market, ben.id),
      await staffCookie(market, ben.id),
    ];
    const other = await buildTestApp({ url: market.url, env: { SESSION_SECRET: deps.env.sessionSecrets.join(",") } });
    for (const cookie of [phone, desk, tablet]) expect(await statusWith(other, cookie)).toBe(200);
    const shown = await sessionsOf(owner, ben.id);
    expect(shown).toMatchObject(Array.from({ length: 3 }, () => ({ device: expect.any(String), isThis: false })));

    expect(await owner.delete(`/staff/${ben.id}/sessions/${shown[0]!.id}`)).toMatchObject({
      status: 200,
      body: { ended: 1 },
    });
    await other.waitForNotifications();
    const left = await Promise.all([phone, desk, tablet].map((cookie) => statusWith(other, cookie)));
    expect(left.toSorted((a, b) => a - b)).toEqual([200, 200, 401]);
    expect((await owner.delete(`/staff/${ben.id}/sessions/${shown[0]!.id}`)).status).toBe(404);

    expect((await owner.delete(`/staff/${ben.id}/sessions/all`)).body).toEqual({ ended: 2 });
    await other.waitForNotifications();
    for (const cookie of [phone, desk, tablet]) expect(await statusWith(other, cookie)).toBe(401);
    expect(await sessionsOf(owner, ben.id)).toEqual([]);
    expect((await owner.delete(`/staff/${ben.id}/sessions/all`)).body).toEqual({ ended: 0 });
    const by = `staff:${owner.person.email}`;
    expect(await auditOf(market, ben)).toMatchObject([
      { actor: by, action: "staff sessions end", data: { sessions: 1, device: shown[0]!.device } },
      { actor: by, action: "staff sessions end", data: { sessions: 2 } },
    ]);
  },
);

test("sessions of a person: an owner's own session stays when they end all of theirs, and is not ended here", async () => {
  const owner = await staffOf(market, "owner");
  const phone = await staffCookie(market, owner.person.id);
  const rows = await sessionsOf(owner, owner.person.id);
  const own = rows.find(({ isThis }) => isThis)!;
  expect(rows).toHaveLength(2);
  expect(await owner.delete(`/staff/${owner.person.id}/sessions/${own.id}`)).toMatchObject({
    status: 409,
    body: ["That is the browser you are using. Sign out in the menu instead.", { code: "own_session" }],
  });
  expect((await owner.delete(`/staff/${owner.person.id}/sessions/all`)).body).toEqual({ ended: 1 });
  await market.waitForNotifications();
  expect(await statusWith(market, phone)).toBe(401);
  expect((await owner.get("/me/security")).status).toBe(200);
});

test("sessions of a person: one of another person, one that does not exist and a person who does not exist are 404", async () => {
  const owner = await staffOf(market, "owner");
  const [ben, cal] = [await createStaff(market, "support"), await createStaff(market, "editor")];
  const cookie = await staffCookie(market, cal.id);
  const { id: session } = await db.staff_session.findFirstOrThrow({ where: { staff_id: cal.id } });
  expect((await owner.delete(`/staff/${ben.id}/sessions/${session}`)).status).toBe(404);
  expect((await owner.delete(`/staff/${ben.id}/sessions/${randomUUID()}`)).status).toBe(404);
  expect((await owner.delete("/staff/2000000000/sessions/all")).status).toBe(404);
  expect((await owner.get("/staff/2000000000/access")).status).toBe(404);
  expect(await statusWith(market, cookie)).toBe(200);
});
