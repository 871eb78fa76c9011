import { Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { mailsIn } from "../../../test/mails.ts";
import { endPauses } from "../../../test/pauses.ts";
import { proveHuman } from "../../../test/proof.ts";
import { turnstile } from "../../gateways/bot-check/turnstile.ts";
import { sendDueMail } from "../mail/send-mail.ts";

const market = await buildTestApp();
const { db, clock, deps } = market;

const form = {
  firstName: "Ada",
  lastName: "Brown",
  emailAddress: "Ada@Example.com",
  zipCode: "46032-1234",
  phoneNumber: "(317) 555-0142",
  message: "Where is <b>my</b> box?\nIt is Thursday.",
};
const storedLeads = () => db.lead.findMany({ where: { kind: "contact" }, orderBy: { id: "asc" } });

test(
  "contact form: the message is stored once, mailed to the market with the sender as reply address, and confirmed",
  { tags: ["spec:7.11-01", "spec:5-34", "spec:7.12-04"] },
  async () => {
    const browser = market.shopper();
    const token = await proveHuman(browser);
    const answer = await browser.post("/problems/contact-us", { ...form, token });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(await storedLeads()).toMatchObject([
      {
        email: "ada@example.com",
        name: "Ada Brown",
        zip_code: "46032-1234",
        data: { phone: form.phoneNumber, message: form.message },
      },
    ]);
    await sendDueMail(deps);
    const mails = await mailsIn(market.dataDir);
    const toMarket = mails.filter((mail) => mail.to?.[0]?.address === deps.env.supportEmail);
    const toWriter = mails.filter((mail) => mail.to?.[0]?.address === "ada@example.com");
    expect([toMarket.length, toWriter.length]).toEqual([1, 1]);
    expect(toMarket[0]!.replyTo).toEqual([{ address: "ada@example.com", name: "" }]);
    expect(toMarket[0]!.text).toContain("Where is <b>my</b> box?");
    expect(toMarket[0]!.html).toContain("Where is &lt;b&gt;my&lt;/b&gt; box?");
    expect(`${toWriter[0]!.text}${toWriter[0]!.html}`).not.toContain("my box");
    // The same proof is rejected, also from another browser.
    const again = await market.shopper().post("/problems/contact-us", { ...form, message: "More", token });
    expect([again.status, again.body[1]]).toEqual([400, { code: "bot_check", field: "token" }]);
    expect(await storedLeads()).toHaveLength(1);
  },
);

test(
  "contact form: missing, forged or expired proof is rejected, and nothing is stored",
  { tags: ["spec:7.11-01"] },
  async () => {
    const before = await storedLeads();
    const browser = market.shopper();
    const good = JSON.parse(Buffer.from(await proveHuman(browser), "base64").toString());
    const forged = (change: object) => Buffer.from(JSON.stringify({ ...good, ...change })).toString("base64");
    const { parameters } = good.challenge;
    for (const token of [
      "",
      "x",
      "e30=",
      forged({ solution: { ...good.solution, derivedKey: "00".repeat(32) } }),
      forged({ challenge: { ...good.challenge, signature: "00" } }),
      forged({ challenge: { ...good.challenge, parameters: { ...parameters, cost: 1 } } }),
      forged({
        challenge: { ...good.challenge, parameters: { ...parameters, data: { until: "2030-01-01T00:00:00Z" } } },
      }),
    ]) {
      const answer = await browser.post("/problems/contact-us", { ...form, token });
      expect([token, answer.status, answer.body[1]?.code]).toEqual([token, 400, "bot_check"]);
    }
    const late = await proveHuman(browser);
    clock.advance(15 * Minute.ms);
    expect((await browser.post("/problems/contact-us", { ...form, token: late })).status).toBe(400);
    expect(await storedLeads()).toEqual(before);
  },
);

test(
  "contact form: invalid fields are rejected with the texts of the spec, and nothing is stored",
  {
    tags: [
      "spec:5-35",
      "spec:5-36",
      "spec:5-37",
      "spec:5-38",
      "spec:5-39",
      "spec:9-02",
      "spec:9-05",
      "fail:I15",
      "fail:E4",
    ],
  },
  async () => {
    const before = await storedLeads();
    const browser = market.shopper();
    const table: [Record<string, unknown>, string | null][] = [
      [{ firstName: "" }, "Your first name is required"],
      [{ lastName: " " }, "Your last name is required"],
      [{ emailAddress: "a@b" }, "Valid email is required"],
      [{ emailAddress: '"a@evil.example" <b@good.example>' }, "Valid email is required"],
      [{ emailAddress: "a@good.example,b@evil.example" }, "Valid email is required"],
      [{ emailAddress: `${"a".repeat(10_000)}@example.com` }, "Valid email is required"],
      [{ zipCode: "4603" }, "Valid zip code is required"],
      [{ zipCode: "46032-12" }, "Valid zip code is required"],
      [{ phoneNumber: "555" }, "Phone Number not valid"],
      [{ message: "a".repeat(501) }, null],
      [{ message: "" }, null],
      [{ message: undefined }, null],
    ];
    for (const [change, message] of table) {
      const answer = await browser.post("/problems/contact-us", { ...form, token: "x", ...change });
      expect([change, answer.status, answer.body[1].code]).toEqual([change, 400, "invalid"]);
      if (message) expect(answer.body[0]).toBe(message);
    }
    expect(await storedLeads()).toEqual(before);
  },
);

test("contact form: line breaks in fields add no mail header", { tags: ["fail:E3"] }, async () => {
  const browser = market.shopper();
  const token = await proveHuman(browser);
  for (const change of [
    { emailAddress: "bob@example.com\r\nBcc: all@evil.example" },
    { zipCode: "46032\r\nBcc: all@evil.example" },
  ])
    expect((await browser.post("/problems/contact-us", { ...form, ...change, token })).status).toBe(400);
  const words = {
    ...form,
    // A name is one line: its line end is a space.
    firstName: "Bob\r\nBcc: all@evil.example",
    lastName: "Bob\nCc: all@evil.example",
    emailAddress: "bob@example.com",
    message: "Hi\r\nBcc: all@evil.example\r\n\r\nbody",
  };
  expect((await browser.post("/problems/contact-us", { ...words, token })).status).toBe(200);
  await sendDueMail(deps);
  for (const mail of await mailsIn(market.dataDir)) {
    expect([mail.to?.length, mail.cc, mail.bcc]).toEqual([1, undefined, undefined]);
    expect(mail.headers.filter(({ key }) => key === "bcc" || key === "cc")).toEqual([]);
  }
});

test("contact form: unreachable bot check fails closed", { tags: ["fail:E5"] }, async () => {
  const before = await storedLeads();
  const broken = await buildTestApp({
    url: market.url,
    // No server listens on this port.
    overrides: { botCheck: turnstile("secret", "http://127.0.0.1:1/siteverify") },
  });
  const browser = broken.shopper();
  expect((await browser.get("/problems/challenge")).body).toEqual({ challenge: null });
  const answer = await browser.post("/problems/contact-us", { ...form, token: "x" });
  expect([answer.status, answer.body[1].code]).toEqual([503, "bot_check_down"]);
  expect(await storedLeads()).toEqual(before);
});

test("contact form: twenty messages an hour from one IP address, then 429", async () => {
  const limited = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on" } });
  const browser = limited.shopper();
  for (let sent = 0; sent < 20; sent += 1)
    expect((await browser.post("/problems/contact-us", { ...form, token: "x" })).status).toBe(400);
  const answer = await browser.post("/problems/contact-us", { ...form, token: "x" });
  expect([answer.status, answer.body]).toEqual([
    429,
    ["Too many tries. Please wait a minute.", { code: "rate_limited" }],
  ]);
});

test(
  "contact form: the message is stored while the mail server is down, and mailed later",
  { tags: ["fail:E1"] },
  async () => {
    let taken = false;
    const parsed: string[] = [];
    const flaky = await buildTestApp({
      url: market.url,
      now: clock.now().toISOString(),
      overrides: {
        mailer: {
          describe: () => "a test",
          send: async (mail) => {
            if (!taken) throw new Error("refused");
            parsed.push(mail.to);
          },
        },
      },
    });
    const browser = flaky.shopper();
    const token = await proveHuman(browser);
    const waiting = { ...form, emailAddress: "waiting@example.com", token };
    expect((await browser.post("/problems/contact-us", waiting)).status).toBe(200);
    await sendDueMail(flaky.deps);
    expect(parsed).toEqual([]);
    taken = true;
    await endPauses(flaky.db, "mail");
    await sendDueMail(flaky.deps);
    expect(parsed.toSorted()).toEqual([deps.env.supportEmail, "waiting@example.com"].toSorted());
  },
);
