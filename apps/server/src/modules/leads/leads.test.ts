import { Hour } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { mailsIn } from "../../../test/mails.ts";
import { race } from "../../../test/race.ts";
import { sendDueMail } from "../mail/send-mail.ts";

const market = await buildTestApp();
const { db, clock, deps } = market;

const vendor = {
  kind: "vendor",
  email: "farm@example.com",
  zipCode: "46032",
  business: "Hill Farm",
  name: "Ada Brown",
  phone: "317-555-0142",
  website: "hillfarm.example",
  products: "Eggs, and lamb in spring.",
};
const driver = {
  kind: "driver",
  email: "driver@example.com",
  zipCode: "46032",
  name: "Ben Miller",
  phone: "317-555-0143",
  vehicle: "A van with a cooler",
  days: ["Thursday", "Friday"],
};
const job = {
  kind: "job",
  email: "cook@example.com",
  zipCode: "46032",
  name: "Cleo Diaz",
  phone: "317-555-0144",
  position: "Packer",
  message: "I like early mornings.",
};

test(
  "applications: stored, mailed to the market with the applicant as reply address, and confirmed",
  { tags: ["spec:1-06"] },
  async () => {
    const browser = market.shopper();
    for (const body of [vendor, driver, job]) {
      const answer = await browser.post("/leads", body);
      expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    }
    const rows = await db.lead.findMany({ orderBy: { id: "asc" } });
    expect(rows.map(({ kind, email, name, data }) => ({ kind, email, name, data }))).toMatchObject([
      { kind: "vendor", email: "farm@example.com", name: "Ada Brown", data: { business: "Hill Farm" } },
      { kind: "driver", data: { vehicle: "A van with a cooler", days: ["Thursday", "Friday"] } },
      { kind: "job", data: { position: "Packer", message: "I like early mornings." } },
    ]);
    await sendDueMail(deps);
    const mails = await mailsIn(market.dataDir);
    const toMarket = mails.filter((mail) => mail.to?.[0]?.address === deps.env.supportEmail);
    expect(toMarket.map((mail) => String(mail.replyTo?.[0]?.address)).toSorted()).toEqual([
      "cook@example.com",
      "driver@example.com",
      "farm@example.com",
    ]);
    expect(mails.filter((mail) => mail.to?.[0]?.address === "farm@example.com")).toHaveLength(1);
    const toFarm = mails.find((mail) => mail.to?.[0]?.address === "farm@example.com");
    expect(toFarm?.subject).toBe("We have your application");
    expect(`${toFarm?.text}${toFarm?.html}`).not.toContain("Hill Farm");
  },
);

test("email signup: stored without sending a mail", async () => {
  const browser = market.shopper();
  const mails = await db.mail.count();
  for (const body of [
    { kind: "email", email: "New@Example.com" },
    { kind: "email", email: "new@example.com" },
    { kind: "zip", email: "far@example.com", zipCode: "99501" },
  ])
    expect((await browser.post("/leads", body)).body).toEqual({ success: true });
  expect(await db.lead.findMany({ where: { kind: { in: ["email", "zip"] } }, orderBy: { id: "asc" } })).toMatchObject([
    { kind: "email", email: "new@example.com", zip_code: "" },
    { kind: "zip", email: "far@example.com", zip_code: "99501" },
  ]);
  expect(await db.mail.count()).toBe(mails);
});

test("application: concurrent duplicates are one lead, a changed one is another; one confirmation per day", async () => {
  const { port } = market;
  const body = { ...job, email: "twice@example.com" };
  const request = { port, method: "POST", path: "/api/leads", body } as const;
  const answers = await race([request, request, request, request]);
  expect(answers.map((answer) => answer.status === "fulfilled" && answer.value.status)).toEqual([200, 200, 200, 200]);
  const count = () => db.lead.count({ where: { email: "twice@example.com" } });
  expect(await count()).toBe(1);
  const browser = market.shopper();
  await browser.post("/leads", { ...body, message: "And I can drive." });
  expect(await count()).toBe(2);
  clock.advance(Hour.ms + 1);
  await browser.post("/leads", body);
  expect(await count()).toBe(3);
  const to = { to_email: "twice@example.com" };
  expect([await db.mail.count({ where: to }), await db.mail.count({ where: { template: "application" } })]).toEqual([
    1, 6,
  ]);
});

test("invalid applications: 400 and not stored", { tags: ["fail:E3", "fail:E4"] }, async () => {
  const before = await db.lead.count();
  const browser = market.shopper();
  for (const body of [
    {},
    { kind: "contact", email: "a@example.com" },
    { kind: "email" },
    { kind: "email", email: "a@example.com\r\nBcc: b@example.com" },
    { kind: "email", email: '"a@evil" <b@good.example>' },
    { kind: "zip", email: "a@example.com", zipCode: "4603" },
    { ...vendor, business: "" },
    { ...vendor, name: "\r\n\u200B" },
    { ...vendor, products: "a".repeat(1001) },
    { ...vendor, phone: "555" },
    { ...driver, days: [] },
    { ...driver, days: ["Someday"] },
    { ...job, message: "" },
  ]) {
    const answer = await browser.post("/leads", body);
    expect([body, answer.status, answer.body[1].code]).toEqual([body, 400, "invalid"]);
  }
  expect(await db.lead.count()).toBe(before);
});

test("application: as another kind or under another name it is another one, and on the next day it is confirmed again", async () => {
  const browser = market.shopper();
  const email = "both@example.com";
  const count = async () => [
    await db.lead.count({ where: { email } }),
    await db.mail.count({ where: { to_email: email } }),
  ];
  // Of two kinds whose remaining fields are the same.
  for (const kind of ["email", "vendor", "job"]) await browser.post("/leads", { ...vendor, ...job, kind, email });
  expect(await count()).toEqual([3, 2]);
  await browser.post("/leads", { ...job, email, name: "Cleo A. Diaz" });
  expect(await count()).toEqual([4, 2]);
  clock.advance(24 * Hour.ms);
  await browser.post("/leads", { ...job, email });
  expect(await count()).toEqual([5, 3]);
});
