import { randomUUID } from "node:crypto";

import { Day, Minute, Second } from "@marketday/domain/time";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { CHOICE, createCustomer, createHub, createProduct } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { sumOfLedger } from "../../../test/ledger.ts";
import { signIn } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { deleteAccount } from "../account/delete-account.ts";
import { customerNamed } from "../account/find-customers.ts";
import { grantCredit } from "../gift-cards/grant-credit.ts";
import { asCustomerId } from "../identity/context.ts";
import { sendDueMail } from "../mail/send-mail.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps, clock, app } = market;
const hub = await createHub(db, { name: "Carmel" });
beforeEach(() => {
  clock.set(MONDAY);
  for (const point of Object.keys(points.plan)) delete points.plan[point];
});

type Staff = Awaited<ReturnType<typeof staffOf>>;
const person = (creditCents = 0) =>
  createCustomer(db, { hubId: hub.id, firstName: "Rosa", creditCents, pepper: deps.env.pepper });
const manager = () => staffOf(market, { role: "manager", hubId: hub.id });
const give = (as: Staff, id: number, amount = 10, reason = "Late delivery") =>
  as.post(`/customers/${id}/credit`, { amount, reason });
const undo = (as: Staff, actionId: number) => as.post(`/actions/${actionId}/undo`);
const creditOf = async (id: number) => (await db.customer.findUniqueOrThrow({ where: { id } })).credit_cents;
const mailsOf = async (email: string) =>
  (await db.mail.findMany({ where: { to_email: email }, orderBy: { id: "asc" } })).map(({ template, sent_at }) => [
    template,
    sent_at !== null,
  ]);
const books = async () => [await sumOfLedger(db), await market.audit()];
const operator = () => ({ deps, now: clock.now(), actor: { type: "operator", name: "ada" } as const });

test("credit: is given at once with its reason, and its email leaves after ten seconds", async () => {
  const { id, email } = await person(500);
  const as = await manager();
  const given = await give(as, id);
  expect([given.status, given.body]).toMatchObject([
    200,
    {
      summary: { kind: "grant_credit", customerId: id, name: "Rosa Baker", amount: 10 },
      state: "done",
      canUndo: true,
      hub: { slug: hub.slug },
      day: null,
    },
  ]);
  expect(await creditOf(id)).toBe(1500);
  await sendDueMail(deps);
  expect(await mailsOf(email!)).toEqual([["credit-granted", false]]);
  clock.advance(10 * Second.ms);
  await sendDueMail(deps);
  expect(await mailsOf(email!)).toEqual([["credit-granted", true]]);
  const { body } = await as.get(`/customers/${id}`);
  expect(body.creditEntries[0]).toEqual({
    at: new Date(MONDAY).toISOString(),
    what: "credit",
    reason: "Late delivery",
    by: "Ada Kowalski",
    orderId: null,
    amount: 10,
  });
  expect(await db.audit_entry.findFirst({ where: { subject: `customer:${id}` } })).toMatchObject({
    action: "credit grant",
    actor: `staff:${as.person.email}`,
    reason: "Late delivery",
    data: { customerId: id, amountCents: 1000, actionId: given.body.id },
  });
  expect(await books()).toEqual([0, []]);
});

test("credit: undone within ten seconds it sends no email; later the person is emailed that it was taken back", async () => {
  const [early, late] = [await person(), await person()];
  const as = await manager();
  const first = await give(as, early.id);
  expect((await undo(as, first.body.id)).body.state).toBe("undone");
  expect([await creditOf(early.id), await mailsOf(early.email!)]).toEqual([0, []]);
  const second = await give(as, late.id);
  clock.advance(11 * Second.ms);
  await sendDueMail(deps);
  expect((await undo(as, second.body.id)).body.state).toBe("undone");
  await sendDueMail(deps);
  expect([await creditOf(late.id), await mailsOf(late.email!)]).toEqual([
    0,
    [
      ["credit-granted", true],
      ["credit-taken-back", true],
    ],
  ]);
  // Twice is once.
  expect([(await undo(as, second.body.id)).body.state, await creditOf(late.id)]).toEqual(["undone", 0]);
  expect(await books()).toEqual([0, []]);
});

test("credit: one that was undone can be given again for the same reason", async () => {
  const { id } = await person();
  const as = await manager();
  await undo(as, (await give(as, id)).body.id);
  expect((await give(as, id)).status).toBe(200);
  expect([await creditOf(id), ...(await books())]).toEqual([1000, 0, []]);
});

test(
  "credit: what is spent, also in part, is not taken back, and the refusal says so",
  { tags: ["fail:N13"] },
  async () => {
    const eggs = await createProduct(db, hub.id, { priceCents: 400, inventory: 50 });
    for (const { units, message } of [
      { units: 1, message: /^A part of this credit is spent: \$\d+\.\d\d is left, so the \$20\.00 can no longer/ },
      { units: 8, message: /^This credit is spent, so the \$20\.00 can no longer be taken back\.$/ },
    ]) {
      const who = await signIn(market, { hubId: hub.id });
      const as = await manager();
      const given = await give(as, who.customer.id, 20);
      await who.put("/cart", [eggs.line(units)]);
      const choice = { ...CHOICE, useCredit: true };
      const { orderTotal } = (await who.post("/checkout/quote", choice)).body;
      const placed = await who.post("/checkout", { ...choice, expectedTotal: orderTotal });
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      const left = await creditOf(who.customer.id);
      const refused = await undo(as, given.body.id);
      expect([refused.status, refused.body[1].code]).toEqual([409, "spent"]);
      expect(refused.body[0]).toMatch(message);
      // The audit log says the same before anyone tries.
      const { id } = await db.audit_entry.findFirstOrThrow({ where: { subject: `customer:${who.customer.id}` } });
      const { body } = await (await staffOf(market, "owner")).get(`/audit/entries/${id}`);
      expect(body.undo).toEqual({ canUndo: false, reason: refused.body[0] });
      expect(await creditOf(who.customer.id)).toBe(left);
    }
    expect(await books()).toEqual([0, []]);
  },
);

test("credit: of a deleted account is neither given nor taken back", { tags: ["fail:N13"] }, async () => {
  const { id } = await person();
  const as = await manager();
  const given = await give(as, id);
  await deleteAccount(operator(), asCustomerId(id), "by request");
  const [again, undone] = [await give(as, id, 5), await undo(as, given.body.id)];
  expect([again.status, again.body]).toMatchObject([409, ["This account is deleted.", { code: "deleted" }]]);
  expect([undone.status, undone.body[1].code]).toEqual([409, "deleted"]);
  expect(await books()).toEqual([0, []]);
});

test("credit: the limit of a role is in the refusal, and from 200 dollars on a proof of identity is needed", async () => {
  const { id } = await person();
  const support = await staffOf(market, { role: "support", hubId: hub.id });
  expect((await give(support, id, 50)).status).toBe(200);
  const over = await give(support, id, 50.01, "More");
  expect([over.status, over.body]).toEqual([
    403,
    ["You may give at most $50.00 at once. Nothing was done.", { code: "over_limit", limit: 50 }],
  ]);
  expect((await support.get(`/customers/${id}`)).body.can).toMatchObject({ grant: true, grantLimit: 50 });
  const as = await manager();
  expect((await as.get(`/customers/${id}`)).body.can).toMatchObject({ grant: true, grantLimit: null });
  await db.staff_session.updateMany({
    where: { staff_id: as.person.id },
    data: { stepped_up_at: new Date(clock.now().getTime() - 6 * Minute.ms) },
  });
  expect((await give(as, id, 199.99, "Under")).status).toBe(200);
  const unproven = await give(as, id, 200, "From");
  expect([unproven.status, unproven.body[1].code]).toEqual([403, "step_up_required"]);
  const proven = await manager();
  expect((await give(proven, id, 200, "From")).status).toBe(200);
  const most = await give(proven, id, 1000.01, "Most");
  expect([most.status, most.body[0]]).toEqual([400, "Give an amount above zero and at most 1,000 dollars."]);
  const tooFine = await give(await manager(), id, 5.005);
  expect([tooFine.status, tooFine.body[0]]).toEqual([400, "Enter an amount with at most two decimals."]);
  expect([await creditOf(id), ...(await books())]).toEqual([44_999, 0, []]);
});

test("credit: two people who give the same for the same reason give it once, also from the command line", async () => {
  const { id, email } = await person();
  const [one, two] = [await manager(), await manager()];
  const answers = await Promise.all([give(one, id), give(two, id)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const [message, details] = answers.find(({ status }) => status === 409)!.body;
  expect([message, details.code]).toEqual([
    expect.stringMatching(
      /^Rosa Baker was given \$10\.00 for this reason already, on 2026-11-23 at \d\d:\d\d UTC by staff\.\S+\. Nothing was done\. To give it again, give another reason\.$/,
    ),
    "already_given",
  ]);
  const again = { amountCents: 1000, reason: "Late delivery", key: null, dryRun: false };
  expect(await grantCredit(operator(), await customerNamed(db, email!), again)).not.toBeNull();
  expect(await creditOf(id)).toBe(1000);
  // After a day it is another one.
  clock.advance(1 * Day.ms);
  expect((await give(await manager(), id)).status).toBe(200);
  expect(await books()).toEqual([0, []]);
});

test("credit: a request whose server died after it was written gets its own action when it is repeated", async () => {
  const { id } = await person();
  const as = await manager();
  const key = randomUUID();
  const send = async () => {
    const answer = await app.inject({
      method: "POST",
      url: `/api/admin/customers/${id}/credit`,
      headers: { cookie: as.cookie, "sec-fetch-site": "same-origin", "idempotency-key": key },
      payload: { amount: 10, reason: "Late delivery" },
    });
    return { status: answer.statusCode, body: answer.json() };
  };
  points.plan["credit:granted"] = "throw";
  expect((await send()).status).toBe(500);
  delete points.plan["credit:granted"];
  const repeated = await send();
  expect([repeated.status, repeated.body]).toMatchObject([200, { summary: { kind: "grant_credit" }, state: "done" }]);
  expect((await send()).body).toEqual(repeated.body);
  // Typed again in another tab.
  expect((await give(as, id)).body[1].code).toBe("already_given");
  expect([await creditOf(id), ...(await books())]).toEqual([1000, 0, []]);
});

test("credit: two managers who undo it at once take it back once", async () => {
  const { id } = await person(2500);
  const [one, two] = [await manager(), await manager()];
  const { body } = await give(one, id);
  const answers = await Promise.all([undo(one, body.id), undo(two, body.id)]);
  expect(answers.map((answer) => [answer.status, answer.body.state])).toEqual([
    [200, "undone"],
    [200, "undone"],
  ]);
  expect([await creditOf(id), ...(await books())]).toEqual([2500, 0, []]);
});
