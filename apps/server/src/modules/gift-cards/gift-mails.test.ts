import { sqlTransaction } from "@marketday/db";
import { calendarDate, formatLongWithYear } from "@marketday/domain/calendar-date";
import { beforeEach, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createHub, GOOD_CARD, newKey } from "../../../test/factories.ts";
import { failpoints } from "../../../test/failpoint.ts";
import { waitForLock } from "../../../test/locks.ts";
import { mailsIn } from "../../../test/mails.ts";
import { signIn } from "../../../test/sign-in.ts";
import type { Context } from "../identity/context.ts";
import { markUnsent } from "../mail/outbox-store.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { lockGiftCard } from "./gift-card-sql.ts";
import { issueGiftCard } from "./grant-credit.ts";
import { resendGiftCard } from "./resend-gift-card.ts";

const points = failpoints();
const market = await buildTestApp({ overrides: { failpoint: points.at } });
const { db, deps } = market;
const hub = await createHub(db);
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "ada" }, deps });

beforeEach(() => market.clock.set(MONDAY));

let recipients = 0;
const newRecipient = () => `recipient-${(recipients += 1)}@example.com`;
type Shopper = Awaited<ReturnType<typeof signIn>>;

const sendAll = () => Promise.all([sendDueMail(deps), sendDueMail(deps)]);
const mailsTo = async (address: string) =>
  (await mailsIn(market.dataDir)).filter((mail) => mail.to?.[0]?.address === address);
/** The codes that an address was mailed. */
const codesTo = async (address: string): Promise<string[]> =>
  (await mailsTo(address)).flatMap(({ text }) => /Your code: (\S+)/.exec(text ?? "")?.[1] ?? []);
const codeTo = async (address: string): Promise<string> => {
  const codes = await codesTo(address);
  expect(codes).toHaveLength(1);
  return codes[0]!;
};
const redeem = async (code: string): Promise<number> =>
  (await (await signIn(market, { hubId: hub.id })).post("/gift-cards/redeem", { code })).status;

/** A card bought for today; its mail is not sent yet. */
async function bought(part: object = {}) {
  const buyer = await signIn(market, { hubId: hub.id });
  const recipientEmail = newRecipient();
  const answer = await buyer.post("/gift-cards", {
    amount: 50,
    recipientEmail,
    message: "Eat well",
    deliverOn: "2026-11-23",
    card: GOOD_CARD,
    ...part,
  });
  expect(answer.status).toBe(201);
  return { buyer, recipientEmail, id: answer.body.id as number };
}
const own = async (buyer: Shopper) => (await buyer.get("/gift-cards")).body;
const resend = (buyer: Shopper, id: number, recipientEmail: string, version = 1) =>
  buyer.post(`/gift-cards/${id}/resend`, { recipientEmail, version });

test("gift card that is bought: its buyer gets one receipt with amount, recipient, day and message, and no code", async () => {
  const { buyer, recipientEmail } = await bought({ deliverOn: "2026-12-24" });
  await sendAll();
  const mails = await mailsTo(buyer.customer.email!);
  expect(mails.map(({ subject }) => subject)).toEqual(["Your gift card: receipt for $50.00"]);
  const text = mails[0]!.text!;
  expect(text).toContain(`For: ${recipientEmail}`);
  expect(text).toContain(`Emailed on: ${formatLongWithYear(calendarDate("2026-12-24"))}`);
  expect(text).toContain("Paid: $50.00");
  expect(text).toContain("Your message: “Eat well”");
  expect(text).toMatch(/See your gift cards: http:\/\/\S+\/gift-card#sent/);
  expect(text).not.toMatch(/[A-Z2-9]{4}-[A-Z2-9]{4}/);
});

test("gift card: the same press twice, and a repeated request, write one receipt", async () => {
  const buyer = await signIn(market, { hubId: hub.id });
  const body = { amount: 25, recipientEmail: newRecipient(), deliverOn: "2026-11-23", card: GOOD_CARD };
  const headers = { "idempotency-key": newKey() };
  await Promise.all([buyer.post("/gift-cards", body, headers), buyer.post("/gift-cards", body, headers)]);
  await buyer.post("/gift-cards", body, headers);
  await sendAll();
  expect(await mailsTo(buyer.customer.email!)).toHaveLength(1);
  expect(await codesTo(body.recipientEmail)).toHaveLength(1);
});

test.each([
  ["America/Indianapolis", "2026-12-24T12:00:00Z"],
  ["Pacific/Honolulu", "2026-12-24T17:00:00Z"],
  ["Pacific/Auckland", "2026-12-23T18:00:00Z"],
])("gift card for a day of a market in %s: mailed at seven in its morning, and not before", async (timeZone, due) => {
  const there = await createHub(db, { timeZone });
  const buyer = await signIn(market, { hubId: there.id });
  const recipientEmail = newRecipient();
  const body = { amount: 25, recipientEmail, deliverOn: "2026-12-24", card: GOOD_CARD };
  expect((await buyer.post("/gift-cards", body)).status).toBe(201);
  market.clock.set(new Date(Date.parse(due) - 1000).toISOString());
  await sendAll();
  expect(await codesTo(recipientEmail)).toEqual([]);
  market.clock.set(due);
  await sendAll();
  expect(await codesTo(recipientEmail)).toHaveLength(1);
});

test("gift cards of a customer: listed with their state, without a code, and never another customer's", async () => {
  const { buyer, recipientEmail, id } = await bought();
  const card = {
    id,
    amount: 50,
    recipientEmail,
    message: "Eat well",
    deliverOn: "2026-11-23",
    state: "waiting",
    version: 1,
    canResend: true,
  };
  expect(await own(buyer)).toEqual([card]);
  const mail = await db.mail.findUniqueOrThrow({ where: { key: `gift-card:${id}` } });
  await markUnsent(db, mail.id, "550 no such user");
  expect(await own(buyer)).toEqual([{ ...card, state: "failing" }]);
  await sendAll();
  expect(await own(buyer)).toEqual([{ ...card, state: "sent" }]);
  // The clean-up deletes sent mails.
  await db.mail.deleteMany({ where: { id: mail.id } });
  expect(await own(buyer)).toEqual([{ ...card, state: "sent" }]);
  expect(await redeem(await codeTo(recipientEmail))).toBe(200);
  expect(await own(buyer)).toEqual([{ ...card, state: "redeemed", canResend: false }]);
  const stranger = await signIn(market, { hubId: hub.id });
  expect(await own(stranger)).toEqual([]);
  expect((await resend(stranger, id, newRecipient())).status).toBe(404);
});

test("gift card sent again to another address: the first code is dead at once, the second one is good once, and the buyer is mailed", async () => {
  const { buyer, recipientEmail, id } = await bought();
  await sendAll();
  const first = await codeTo(recipientEmail);
  const right = newRecipient();
  const answer = await resend(buyer, id, right);
  expect([answer.status, answer.body]).toEqual([
    200,
    expect.objectContaining({ recipientEmail: right, state: "waiting", version: 2, canResend: true }),
  ]);
  expect(await redeem(first)).toBe(422);
  await sendAll();
  const second = await codeTo(right);
  expect(await codesTo(recipientEmail)).toEqual([first]);
  expect([await redeem(first), await redeem(second), await redeem(second)]).toEqual([422, 200, 422]);
  const subjects = (await mailsTo(buyer.customer.email!)).map(({ subject }) => subject ?? "").toSorted();
  expect(subjects).toEqual([`Your gift card is sent to ${right}`, "Your gift card: receipt for $50.00"]);
  expect(await market.audit()).toEqual([]);
});

test("gift card sent again before its day: only the new address is mailed, on that day", async () => {
  const { buyer, recipientEmail, id } = await bought({ deliverOn: "2026-12-24" });
  const right = newRecipient();
  expect((await resend(buyer, id, right)).body).toMatchObject({ state: "waiting", deliverOn: "2026-12-24" });
  await sendAll();
  expect(await codesTo(right)).toEqual([]);
  market.clock.set("2026-12-24T12:00:00Z");
  await sendAll();
  expect([await codesTo(recipientEmail), (await codesTo(right)).length]).toEqual([[], 1]);
});

test("gift card that was redeemed: not sent again, by buyer or operator", async () => {
  const { buyer, recipientEmail, id } = await bought();
  await sendAll();
  expect(await redeem(await codeTo(recipientEmail))).toBe(200);
  const again = await resend(buyer, id, newRecipient());
  expect([again.status, again.body]).toEqual([
    409,
    ["This gift card was redeemed already, so it can't be sent again.", { code: "redeemed" }],
  ]);
  await expect(
    resendGiftCard(operator(), id, { to: newRecipient(), version: 1, reason: "lost", dryRun: false }),
  ).rejects.toMatchObject({ status: 409, details: { code: "redeemed" } });
  expect(await market.audit()).toEqual([]);
});

test("gift card sent again by twenty presses to one address: one new code and one mail", async () => {
  const { buyer, id } = await bought();
  const right = newRecipient();
  const answers = await Promise.all(Array.from({ length: 20 }, () => resend(buyer, id, right)));
  expect(answers.map(({ status, body }) => [status, body.version])).toEqual(Array.from({ length: 20 }, () => [200, 2]));
  await sendAll();
  expect(await redeem(await codeTo(right))).toBe(200);
});

test("gift card sent again from two tabs to two addresses: one wins, the other tab sees which", async () => {
  const { buyer, id } = await bought();
  const [left, right] = [newRecipient(), newRecipient()];
  const answers = await Promise.all([resend(buyer, id, left), resend(buyer, id, right)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  const [winner, loser] = answers[0].status === 200 ? [left, right] : [right, left];
  expect(answers.find(({ status }) => status === 409)!.body).toEqual([
    `This gift card was sent to ${winner} in the meantime. Look again before you send it to another address.`,
    { code: "changed" },
  ]);
  await sendAll();
  expect(await codesTo(loser)).toEqual([]);
  expect(await redeem(await codeTo(winner))).toBe(200);
});

test("gift card sent again while its code is redeemed: one of the two, and the money once", async () => {
  for (let round = 0; round < 4; round += 1) {
    const { buyer, recipientEmail, id } = await bought();
    await sendAll();
    const first = await codeTo(recipientEmail);
    const right = newRecipient();
    const [redeemed, sent] = await Promise.all([redeem(first), resend(buyer, id, right)]);
    expect([
      [200, 409],
      [422, 200],
    ]).toContainEqual([redeemed, sent.status]);
    await sendAll();
    const codes = await codesTo(right);
    expect(codes).toHaveLength(sent.status === 200 ? 1 : 0);
    for (const code of codes) expect(await redeem(code)).toBe(200);
  }
  expect(await market.audit()).toEqual([]);
});

test("gift card that two operators send again at once to two addresses: one of them sees where it went, and one code is good", async () => {
  const { id } = await bought();
  const addresses = [newRecipient(), newRecipient()];
  const sendings = await sqlTransaction(db, async (tx) => {
    await lockGiftCard(tx, id);
    const both = addresses.map((to) =>
      resendGiftCard(operator(), id, { to, version: 1, reason: "called", dryRun: false }).then(
        () => null,
        (error: unknown) => error,
      ),
    );
    await waitForLock(db, Promise.all(both), 2);
    return { both };
  });
  const results = await Promise.all(sendings.both);
  expect(results.filter((error) => error === null)).toHaveLength(1);
  expect(results.find((error) => error !== null)).toMatchObject({ status: 409, details: { code: "changed" } });
  await sendAll();
  const codes = (await Promise.all(addresses.map(codesTo))).flat();
  expect(codes).toHaveLength(1);
  expect(await redeem(codes[0]!)).toBe(200);
});

test("gift card whose sending again dies before its commit: the first code stays the only one", async () => {
  const { buyer, recipientEmail, id } = await bought();
  await sendAll();
  points.plan["gift-card:resent"] = "throw";
  const right = newRecipient();
  expect((await resend(buyer, id, right)).status).toBe(500);
  delete points.plan["gift-card:resent"];
  await sendAll();
  expect(await codesTo(right)).toEqual([]);
  expect(await own(buyer)).toMatchObject([{ recipientEmail, version: 1 }]);
  expect(await redeem(await codeTo(recipientEmail))).toBe(200);
});

test("gift card whose first mail is being sent while it is sent again: the dead code is not mailed after it", async () => {
  const { buyer, recipientEmail, id } = await bought();
  const mail = await db.mail.findUniqueOrThrow({ where: { key: `gift-card:${id}` } });
  const right = newRecipient();
  await resend(buyer, id, right);
  // A server that has read the first mail before it was dropped, or a backup that has it.
  await db.mail.create({ data: { ...mail, data: mail.data as object } });
  await sendAll();
  expect([await codesTo(recipientEmail), (await codesTo(right)).length]).toEqual([[], 1]);
});

test("gift card that its buyer sent ten times: the eleventh is refused, and an operator can still send it", async () => {
  const { buyer, id } = await bought();
  for (let version = 1; version < 10; version += 1)
    expect((await resend(buyer, id, newRecipient(), version)).status).toBe(200);
  expect(await own(buyer)).toMatchObject([{ version: 10, canResend: false }]);
  const refused = await resend(buyer, id, newRecipient(), 10);
  expect([refused.status, refused.body[1].code]).toEqual([409, "sent_often"]);
  const right = newRecipient();
  await resendGiftCard(operator(), id, { to: right, version: 10, reason: "called", dryRun: false });
  await sendAll();
  expect(await redeem(await codeTo(right))).toBe(200);
});

test("gift cards resend by an operator: also to the address that it has, a dry run changes nothing, and it is in the audit log", async () => {
  const recipientEmail = newRecipient();
  const card = { recipientEmail, amountCents: 2500, message: "", deliverOn: "2026-11-23" };
  const how = { reason: "raffle", key: `raffle ${recipientEmail}`, dryRun: false };
  const { id } = await issueGiftCard(operator(), { ...card, ...how });
  await sendAll();
  const first = await codeTo(recipientEmail);
  const again = { to: null, version: 1, reason: "spam folder" };
  await resendGiftCard(operator(), id!, { ...again, dryRun: true });
  await sendAll();
  expect(await codesTo(recipientEmail)).toEqual([first]);
  await resendGiftCard(operator(), id!, { ...again, dryRun: false });
  await sendAll();
  const codes = await codesTo(recipientEmail);
  expect(codes).toHaveLength(2);
  expect(await redeem(first)).toBe(422);
  expect(await redeem(codes.find((code) => code !== first)!)).toBe(200);
  expect(
    await db.audit_entry.findMany({ where: { subject: `gift-card:${id}`, action: "gift-cards resend" } }),
  ).toMatchObject([{ actor: "operator:ada", reason: "spam folder", data: { isNewAddress: false } }]);
});

test("gift card that is redeemed: one mail with what was added and what there is", async () => {
  const { recipientEmail } = await bought();
  await sendAll();
  const code = await codeTo(recipientEmail);
  const finder = await signIn(market, { hubId: hub.id });
  await Promise.all(Array.from({ length: 5 }, () => finder.post("/gift-cards/redeem", { code })));
  await sendAll();
  const mails = await mailsTo(finder.customer.email!);
  expect(mails.map(({ subject }) => subject)).toEqual(["Your gift card: $50.00 of store credit"]);
  expect(mails[0]!.text).toContain("Added: $50.00\nYour store credit: $50.00");
});
