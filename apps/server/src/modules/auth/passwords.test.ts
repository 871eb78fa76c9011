import { execute, queryOne, sql, sqlTransaction } from "@marketday/db";
import { Day, Hour, Minute } from "@marketday/domain/time";
import argon2 from "argon2";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, PASSWORD } from "../../../test/factories.ts";
import { waitForLock } from "../../../test/locks.ts";
import { race } from "../../../test/race.ts";
import { counted, signIn } from "../../../test/sign-in.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { assertNewPassword } from "./change-password.ts";

const market = await buildTestApp({ env: { PUBLIC_URL: "http://market.example" }, pages: true });
const { db, deps } = market;
const hub = await createHub(db);
const newCustomer = () => createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
const NEW = "blue-wheelbarrow-7";
const Count = z.object({ count: z.number() });
const CHECK = { message: "Check your email for instructions." };

const mailsTo = (email: string) => db.mail.findMany({ where: { to_email: email }, orderBy: { id: "asc" } });
/** The token of the last reset mail to an address. */
async function tokenFor(email: string): Promise<string> {
  expect((await market.shopper().post("/auth/forgot", { email })).body).toEqual(CHECK);
  await market.app.settled();
  const mail = (await mailsTo(email)).findLast(({ template }) => template === "password-reset");
  return (mail!.data as { token: string }).token;
}
const reset = (token: string, password = NEW) => market.shopper().post(`/auth/reset/${token}`, { password });
const logIn = (email: string, password: string) => market.shopper().post("/auth/login", { username: email, password });

describe("forgot password", () => {
  test(
    "known and unknown addresses get the same response for the same work",
    { tags: ["spec:7.1-07", "spec:5-14", "spec:8-27", "fail:F17"] },
    async () => {
      const { email } = await newCustomer();
      const hash = vi.spyOn(argon2, "hash");
      const verify = vi.spyOn(argon2, "verify");
      // All statements, also those after the response.
      const request = (address: string) =>
        counted(market, async () => {
          const answer = await market.shopper().post("/auth/forgot", { email: address });
          await market.app.settled();
          return answer;
        });
      const known = await request(email!.toUpperCase());
      const unknown = await request("unknown@example.com");
      expect([known.answer.status, known.answer.body]).toEqual([200, CHECK]);
      expect([unknown.answer.status, unknown.answer.body]).toEqual([200, CHECK]);
      const shape = (headers: object) => Object.keys(headers).toSorted();
      expect(shape(unknown.answer.headers)).toEqual(shape(known.answer.headers));
      expect(unknown.statements).toEqual(known.statements);
      expect(known.statements.length).toBeGreaterThan(0);
      expect([hash.mock.calls.length, verify.mock.calls.length]).toEqual([0, 0]);
      expect(await mailsTo(email!)).toHaveLength(1);
      expect(await mailsTo("unknown@example.com")).toEqual([]);
    },
  );

  test(
    "the response does not wait for work that depends on the account, or that fails",
    { tags: ["fail:F17", "fail:D5"] },
    async () => {
      const { email, id } = await newCustomer();
      const resets = sql`select count(*)::int as count from password_reset where customer_id = ${id}::int`;
      await sqlTransaction(db, async (tx) => {
        // From here on reading and writing accounts waits.
        await execute(tx, sql`lock table customer, password_reset, mail in access exclusive mode`);
        for (const address of [email!, "unknown@example.com"])
          expect((await market.shopper().post("/auth/forgot", { email: address })).body).toEqual(CHECK);
        expect(await queryOne(tx, resets, Count)).toEqual({ count: 0 });
      });
      await market.app.settled();
      expect((await mailsTo(email!)).map(({ template }) => template)).toEqual(["password-reset"]);
    },
  );

  test(
    "twenty requests an hour per network address are accepted, for known and unknown emails; then 429 until the hour has passed",
    { tags: ["fail:F17"] },
    async () => {
      const { email } = await newCustomer();
      const limited = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on", TRUST_PROXY: "127.0.0.1" } });
      const request = async (address: string, ip: string) =>
        (await limited.shopper().post("/auth/forgot", { email: address }, { "x-forwarded-for": ip })).status;
      for (let turn = 0; turn < 10; turn += 1)
        expect([
          await request(email!, "203.0.113.9"),
          await request(`unknown${turn}@example.com`, "203.0.113.9"),
        ]).toEqual([200, 200]);
      expect([await request(email!, "203.0.113.9"), await request("unknown@example.com", "203.0.113.9")]).toEqual([
        429, 429,
      ]);
      expect(await request(email!, "203.0.113.10")).toBe(200);
      await limited.app.settled();
      expect(await mailsTo(email!)).toHaveLength(3);
    },
  );

  test("a missing or invalid address gets the spec's sentence", { tags: ["spec:5-14", "fail:E4"] }, async () => {
    for (const body of [{}, { email: "" }, { email: "  " }, { email: 7 }, { email: '"a@evil" <b@good.example>' }]) {
      const answer = await market.shopper().post("/auth/forgot", body);
      expect([answer.status, answer.body[0], answer.body[1].field]).toEqual([
        400,
        "Please enter an email address.",
        "email",
      ]);
    }
    for (const email of [`${"a".repeat(10_000)}@x.example`, "a@b.example\r\nBcc: all@example.com", "a b@c.example"])
      expect((await market.shopper().post("/auth/forgot", { email })).status).toBe(400);
  });

  test(
    "one email address gets three mails an hour, with the same response for more",
    { tags: ["fail:E7"] },
    async () => {
      const { email } = await newCustomer();
      const limited = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on", TRUST_PROXY: "127.0.0.1" } });
      const from = { "x-forwarded-for": "203.0.113.20" };
      for (let turn = 0; turn < 15; turn += 1) {
        const answer = await limited.shopper().post("/auth/forgot", { email }, from);
        expect([answer.status, answer.body]).toEqual([200, CHECK]);
      }
      await limited.app.settled();
      expect(await mailsTo(email!)).toHaveLength(3);
    },
  );

  test("one email address gets ten mails a day", { tags: ["fail:E7"] }, async () => {
    const { email } = await newCustomer();
    const limited = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on", TRUST_PROXY: "127.0.0.1" } });
    const from = { "x-forwarded-for": "203.0.113.30" };
    // Limits use real time, which stands still here until it is moved.
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2027-03-01T08:00:00Z") });
    try {
      const sentBy = async (at: string) => {
        vi.setSystemTime(new Date(at));
        for (let turn = 0; turn < 4; turn += 1)
          expect((await limited.shopper().post("/auth/forgot", { email }, from)).body).toEqual(CHECK);
        await limited.app.settled();
        return (await mailsTo(email!)).length;
      };
      expect(await sentBy("2027-03-01T08:00:00Z")).toBe(3);
      expect(await sentBy("2027-03-01T10:00:00Z")).toBe(6);
      expect(await sentBy("2027-03-01T12:00:00Z")).toBe(9);
      expect(await sentBy("2027-03-01T14:00:00Z")).toBe(10);
      expect(await sentBy("2027-03-02T07:00:00Z")).toBe(10);
      expect(await sentBy("2027-03-02T09:00:00Z")).toBe(13);
    } finally {
      vi.useRealTimers();
    }
  });

  test("the mail links to the configured address, independent of the Host header", { tags: ["fail:F19"] }, async () => {
    for (const headers of [
      { host: "evil.example", "x-forwarded-host": "evil.example" },
      { forwarded: "host=evil.example", "x-forwarded-host": "evil.example" },
    ] as Record<string, string>[]) {
      const { email } = await newCustomer();
      const sent: { to: string; html: string; text: string }[] = [];
      const mailer = { send: async (mail: (typeof sent)[number]) => void sent.push(mail), describe: () => "here" };
      await market.shopper().post("/auth/forgot", { email }, headers);
      await market.app.settled();
      const token = ((await mailsTo(email!))[0]!.data as { token: string }).token;
      await sendDueMail({ ...deps, mailer });
      const mail = sent.find(({ to }) => to === email);
      expect(mail?.text).toContain(`http://market.example/password-reset/${token}`);
      expect(mail!.html + mail!.text).not.toContain("evil");
      // After sending, nothing in the database opens the link.
      expect((await mailsTo(email!))[0]!.data).toEqual({});
      expect(await db.password_reset.count({ where: { token_hash: token } })).toBe(0);
    }
  });
});

describe("reset link", () => {
  test(
    "sets the password once, ends every session and sends a notice",
    { tags: ["spec:7.1-08", "fail:F18", "fail:F6"] },
    async () => {
      const browsers = [await signIn(market, { hubId: hub.id })];
      const { customer } = browsers[0]!;
      const other = market.shopper();
      await other.post("/auth/login", { username: customer.email, password: PASSWORD });
      const token = await tokenFor(customer.email!);
      const answer = await reset(token);
      expect([answer.status, answer.body]).toEqual([200, true]);
      expect(answer.headers["set-cookie"]).toBeUndefined();
      for (const browser of [browsers[0]!, other]) expect((await browser.get("/auth")).status).toBe(401);
      expect((await logIn(customer.email!, PASSWORD)).status).toBe(401);
      expect((await logIn(customer.email!, NEW)).status).toBe(200);
      expect((await mailsTo(customer.email!)).map(({ template }) => template)).toEqual([
        "password-reset",
        "password-changed",
      ]);
      const again = await reset(token, "another-password-9");
      expect([again.status, again.text]).toEqual([200, '"EXPIRED"']);
      expect((await logIn(customer.email!, NEW)).status).toBe(200);
    },
  );

  test("a browser that is logged in continues with a new session", { tags: ["fail:F1"] }, async () => {
    const browser = await signIn(market, { hubId: hub.id });
    const before = browser.cookies.get("mkt_session");
    const token = await tokenFor(browser.customer.email!);
    expect((await browser.post(`/auth/reset/${token}`, { password: NEW })).body).toBe(true);
    expect(browser.cookies.get("mkt_session")).not.toBe(before);
    expect((await browser.get("/auth")).body.customerId).toBe(browser.customer.id);
    const old = market.shopper();
    old.cookies.set("mkt_session", before!);
    expect((await old.get("/auth")).status).toBe(401);
  });

  test(
    "a browser that is logged in to another account stays logged in to that one",
    { tags: ["fail:F1"] },
    async () => {
      const browser = await signIn(market, { hubId: hub.id });
      const token = await tokenFor((await newCustomer()).email!);
      const answer = await browser.post(`/auth/reset/${token}`, { password: NEW });
      expect([answer.body, answer.headers["set-cookie"]]).toEqual([true, undefined]);
      expect((await browser.get("/auth")).body.customerId).toBe(browser.customer.id);
    },
  );

  test("is not superseded or used by requests and changes of another account", { tags: ["fail:F18"] }, async () => {
    const [one, two] = [await newCustomer(), await newCustomer()];
    const token = await tokenFor(one.email!);
    expect((await reset(await tokenFor(two.email!))).body).toBe(true);
    expect((await reset(token)).body).toBe(true);
  });

  test(
    "is expired when superseded, an hour old, after a change, or unknown",
    { tags: ["fail:F18", "spec:7.1-08"] },
    async () => {
      const { email } = await newCustomer();
      const first = await tokenFor(email!);
      const second = await tokenFor(email!);
      expect((await reset(first)).body).toBe("EXPIRED");
      market.clock.advance(Hour.ms);
      expect((await reset(second)).body).toBe("EXPIRED");
      const third = await tokenFor(email!);
      market.clock.advance(Hour.ms - 1);
      const browser = market.shopper();
      await browser.post("/auth/login", { username: email, password: PASSWORD });
      expect((await browser.post("/auth/update", { oldPassword: PASSWORD, newPassword: NEW })).status).toBe(200);
      expect((await reset(third)).body).toBe("EXPIRED");
      for (const nobodys of ["x", "../../etc/passwd", "a".repeat(1000), "1' or '1'='1"])
        expect((await reset(encodeURIComponent(nobodys))).body).toBe("EXPIRED");
      market.clock.set("2026-11-23T17:00:00Z");
    },
  );

  test("needs a password of six characters that is not common", { tags: ["spec:5-15", "fail:F11"] }, async () => {
    const { email } = await newCustomer();
    const token = await tokenFor(email!);
    for (const [password, message] of [
      [undefined, "A password is required."],
      ["", "A password is required."],
      ["fives", "Password must be at least 6 characters long."],
      ["qwerty", "This password is too common. Please choose another one."],
      ["Robin1", "This password is too common. Please choose another one."],
      ["p".repeat(257), "Password is too long. Use 256 characters at most."],
    ] as const) {
      const answer = await market.shopper().post(`/auth/reset/${token}`, { password });
      expect([answer.status, answer.body[0]]).toEqual([400, message]);
    }
    const without = await market.shopper().post("/auth/reset/", { password: NEW });
    expect([without.status, without.body[1].field]).toEqual([400, "token"]);
    expect((await market.shopper().post(`/auth/reset/${token}`, { password: "rkfox7", jwt: token })).body).toBe(true);
  });

  test("of twenty concurrent uses one succeeds", { tags: ["fail:F18"] }, async () => {
    const { email } = await newCustomer();
    const token = await tokenFor(email!);
    const { port } = market;
    const answers = await race(
      Array.from({ length: 20 }, (_, turn) => ({
        port,
        method: "POST" as const,
        path: `/api/auth/reset/${token}`,
        body: { password: `wheelbarrow-${turn}` },
        // The configured address has another port.
        headers: { origin: "http://market.example" },
      })),
    );
    const bodies = answers.map((answer) => (answer.status === "fulfilled" ? answer.value.body : answer.reason));
    expect(bodies.filter((body) => body === true)).toHaveLength(1);
    expect(bodies.filter((body) => body === "EXPIRED")).toHaveLength(19);
    expect((await mailsTo(email!)).filter(({ template }) => template === "password-changed")).toHaveLength(1);
  });
});

describe("change password", () => {
  test(
    "a login that began with the old password, and is finished after the change, opens no session",
    { tags: ["fail:F6"] },
    async () => {
      const { id, email } = await newCustomer();
      const [isChanged, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const changing = sqlTransaction(db, async (tx) => {
        await execute(tx, sql`update customer set password_hash = 'another' where id = ${id}::int`);
        isChanged.resolve();
        await release.promise;
      });
      await isChanged.promise;
      // The old password is still the stored one; the login waits for the customer's row.
      const login = logIn(email!, PASSWORD);
      await waitForLock(db, login);
      release.resolve();
      await changing;
      const { status, headers } = await login;
      expect([status, headers["set-cookie"]]).toEqual([401, undefined]);
      expect(await db.session.count({ where: { customer_id: id } })).toBe(0);
    },
  );

  test("ends every other session and keeps this one", { tags: ["spec:7.1-09", "spec:8-22", "fail:F6"] }, async () => {
    const browser = await signIn(market, { hubId: hub.id });
    const { email } = browser.customer;
    const others = [market.shopper(), market.shopper()];
    for (const other of others) await other.post("/auth/login", { username: email, password: PASSWORD });
    const answer = await browser.post("/auth/update", { oldPassword: PASSWORD, newPassword: NEW });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect((await browser.get("/auth")).status).toBe(200);
    for (const other of others) expect((await other.get("/auth")).status).toBe(401);
    expect((await logIn(email!, PASSWORD)).status).toBe(401);
    expect((await mailsTo(email!)).map(({ template }) => template)).toEqual(["password-changed"]);
  });

  test(
    "needs the old one; a wrong one is 400 and counts as a failed login",
    { tags: ["fail:F21", "spec:8-16"] },
    async () => {
      const { customer } = await signIn(market, { hubId: hub.id });
      const limited = await buildTestApp({
        url: market.url,
        env: { RATE_LIMITS: "on", SESSION_SECRET: deps.env.sessionSecrets[0]!, PASSWORD_PEPPER: deps.env.pepper },
      });
      const browser = limited.shopper();
      await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
      const statuses: number[] = [];
      for (let turn = 0; turn < 12; turn += 1) {
        const answer = await browser.post("/auth/update", { oldPassword: "wrong", newPassword: NEW });
        statuses.push(answer.status);
        if (turn === 0)
          expect(answer.body).toEqual([
            "That is not your current password.",
            { code: "wrong_password", field: "oldPassword" },
          ]);
      }
      expect(statuses).toEqual([...Array<number>(10).fill(400), 429, 429]);
      expect((await browser.get("/auth")).status).toBe(200);
    },
  );

  test("has the rules of a reset", { tags: ["fail:F11"] }, async () => {
    const browser = await signIn(market, { hubId: hub.id });
    for (const [newPassword, message] of [
      ["fives", "Password must be at least 6 characters long."],
      ["123456", "This password is too common. Please choose another one."],
    ]) {
      const answer = await browser.post("/auth/update", { oldPassword: PASSWORD, newPassword });
      expect([answer.status, answer.body[0]]).toEqual([400, message]);
    }
  });
});

describe("names in passwords", { tags: ["fail:F11"] }, () => {
  const TOO_COMMON = "This password is too common. Please choose another one.";
  /** Passwords of names only, for an account with this email in a market with this name. */
  const namesOf = (email: string) => [
    "carmel market",
    "Carmel market",
    "Carmel99",
    "carmelmarket1",
    email,
    `${email.toUpperCase()}!`,
    "Robin Tester",
    "Little Wagon",
  ];
  const place = { name: "Carmel market", zips: ["46074"] };
  /** The status and message for each password. */
  const tryAll = async (email: string, send: (password: string) => Promise<{ status: number; body: any }>) => {
    const answers: unknown[] = [];
    for (const password of namesOf(email)) {
      const { status, body } = await send(password);
      answers.push([password, status, body[0]]);
    }
    expect(answers).toEqual(namesOf(email).map((password) => [password, 400, TOO_COMMON]));
  };

  test("register: the market's name of the zip code, or of the guest, and the whole email are refused", async () => {
    const carmel = await createHub(db, place);
    await createHub(db, { name: "Zionsville barn", zips: ["46074"] });
    const email = "robin.own-address@example.com";
    const person = { email, zipCode: "46074", firstName: "Robin", lastName: "Tester" };
    await tryAll(email, (password) => market.shopper().post("/auth/register", { ...person, password }));
    const guest = market.shopper();
    expect((await guest.post(`/auth/guest?hubId=${carmel.id}`)).status).toBe(200);
    await tryAll(email, (password) => guest.post("/auth/register", { ...person, password }));
    expect((await guest.post("/auth/register", { ...person, password: "Zionsville7" })).body.hubId).toBe(carmel.id);
  });

  test("reset and change: the name of the customer's market and the whole email are refused", async () => {
    const carmel = await createHub(db, place);
    const browser = await signIn(market, { hubId: carmel.id });
    const email = browser.customer.email!;
    await db.customer.update({
      where: { id: browser.customer.id },
      data: { first_name: "Robin", last_name: "Tester" },
    });
    const token = await tokenFor(email);
    await tryAll(email, (password) => reset(token, password));
    await tryAll(email, (newPassword) => browser.post("/auth/update", { oldPassword: PASSWORD, newPassword }));
    // In another market it is a word like others.
    await db.customer.update({ where: { id: browser.customer.id }, data: { hub_id: hub.id } });
    expect((await reset(token, "Carmel99")).body).toBe(true);
  });
});

describe("bridge", () => {
  const cross = (query: string, headers: Record<string, string> = {}) =>
    market.app.inject({ url: `/embed/bridge?${query}`, headers: { "sec-fetch-site": "none", ...headers } });

  test("opens the same session once, for a minute", { tags: ["spec:7.1-03", "fail:F22"] }, async () => {
    const browser = await signIn(market, { hubId: hub.id });
    const { body } = await browser.get("/auth/bridge");
    expect(Date.parse(body.expiresAt) - market.clock.now().getTime()).toBe(Minute.ms);
    const head = {
      method: "HEAD",
      url: `/embed/bridge?token=${body.token}`,
      headers: { "sec-fetch-site": "none" },
    } as const;
    expect((await market.app.inject(head)).headers["set-cookie"]).toBeUndefined();
    const [one, two] = await Promise.all([
      cross(`token=${body.token}&to=/cart`),
      cross(`token=${body.token}&to=/cart`),
    ]);
    const [opened, refused] = one.statusCode === 302 ? [one, two] : [two, one];
    expect([opened.statusCode, opened.headers.location]).toEqual([302, "/cart?app=true"]);
    expect(refused.statusCode).toBe(401);
    expect(refused.headers["set-cookie"]).toBeUndefined();
    const view = market.shopper();
    view.cookies.set("mkt_session", opened.cookies.find(({ name }) => name === "mkt_session")!.value);
    expect((await view.get("/auth")).body.customerId).toBe(browser.customer.id);
    expect((await cross(`token=${body.token}`)).statusCode).toBe(401);
    const late = (await browser.get("/auth/bridge")).body.token;
    market.clock.advance(Minute.ms);
    expect((await cross(`token=${late}`)).statusCode).toBe(401);
    const ended = (await browser.get("/auth/bridge")).body.token;
    await browser.put("/auth/logout");
    expect((await cross(`token=${ended}`)).statusCode).toBe(401);
    market.clock.set("2026-11-23T17:00:00Z");
  });

  test(
    "redirects only to a path of the shop, and not from a foreign page",
    { tags: ["fail:H13", "fail:F8"] },
    async () => {
      const browser = await signIn(market, { hubId: hub.id });
      for (const [to, location] of [
        ["/orders?x=1#top", "/orders?x=1&app=true#top"],
        ["//evil.example", "/shop?app=true"],
        ["/\\evil.example", "/shop?app=true"],
        ["https://evil.example/", "/shop?app=true"],
        ["javascript:alert(1)", "/shop?app=true"],
        ["/a\r\nSet-Cookie: x=1", "/shop?app=true"],
        ["/./%2f/evil.example", "/%2f/evil.example?app=true"],
        ["/.//evil.example", "/shop?app=true"],
        ["", "/shop?app=true"],
      ]) {
        const { token } = (await browser.get("/auth/bridge")).body;
        const answer = await cross(`token=${token}&to=${encodeURIComponent(to!)}`);
        expect([to, answer.statusCode, answer.headers.location]).toEqual([to, 302, location]);
        expect(Object.keys(answer.headers)).not.toContain("x");
      }
      const { token } = (await browser.get("/auth/bridge")).body;
      expect((await cross(`token=${token}`, { "sec-fetch-site": "cross-site" })).statusCode).toBe(401);
      expect((await cross(`token=${token}`)).statusCode, "a refused page does not use it up").toBe(302);
    },
  );
});

test("log: addresses with tokens are not in it", { tags: ["fail:F20"] }, async () => {
  const lines: string[] = [];
  const { pino } = await import("pino");
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const talkative = await buildTestApp({ url: market.url, overrides: { log }, pages: true });
  for (const url of [
    "/password-reset/CANARY1",
    "/account/data/CANARY1",
    "/embed/bridge?token=CANARY1",
    "/answer/CANARY1",
  ])
    await talkative.app.inject({ url, headers: { accept: "text/html" } });
  await talkative.shopper().post("/auth/reset/CANARY1", { password: "wheelbarrow" });
  const output = lines.join("\n");
  expect(output).toContain("/api/auth/reset/…");
  expect(output).not.toContain("CANARY1");
});

test("session: lasts 29 idle days, but not 90 in all", { tags: ["fail:F5"] }, async () => {
  const browser = await signIn(market, { hubId: hub.id });
  try {
    for (const day of [29, 58, 87]) {
      market.clock.advance(29 * Day.ms);
      expect([day, (await browser.get("/auth")).status]).toEqual([day, 200]);
    }
    market.clock.advance(3 * Day.ms);
    const answer = await browser.get("/auth");
    expect([answer.status, answer.body[0]]).toEqual([401, "Your session has expired. Please login to continue."]);
  } finally {
    market.clock.set("2026-11-23T17:00:00Z");
  }
});

test(
  "session secret: the new one signs, the old one still verifies, an unknown one does not",
  { tags: ["fail:F10"] },
  async () => {
    const [old, fresh] = ["o".repeat(20) + "ld-secret-of-the-market", "n".repeat(20) + "ew-secret-of-the-market"];
    const server = (SESSION_SECRET: string) =>
      buildTestApp({ url: market.url, env: { SESSION_SECRET, PASSWORD_PEPPER: deps.env.pepper } });
    const [before, during, after] = [await server(old), await server(`${fresh},${old}`), await server(fresh)];
    const { email } = await newCustomer();
    const sessionAt = async (app: typeof market) => {
      const browser = app.shopper();
      expect((await browser.post("/auth/login", { username: email, password: PASSWORD })).status).toBe(200);
      return browser.cookies.get("mkt_session")!;
    };
    const opens = async (app: typeof market, cookie: string) => {
      const browser = app.shopper();
      browser.cookies.set("mkt_session", cookie);
      return (await browser.get("/auth")).status;
    };
    const [signedOld, signedFresh] = [await sessionAt(before), await sessionAt(during)];
    expect([await opens(during, signedOld), await opens(during, signedFresh)]).toEqual([200, 200]);
    expect([await opens(after, signedOld), await opens(after, signedFresh)]).toEqual([401, 200]);
    expect(await opens(before, signedFresh), "a server without the new secret").toBe(401);
  },
);

test.for([
  [1, "jxw4q", false],
  [1, "jxw4qb", true],
  [9, "blue-77x", false],
  [9, "blue-77xy", true],
] as const)("PASSWORD_MIN %i: a new password %s is taken: %s", ([passwordMin, password, isTaken]) => {
  const check = () =>
    assertNewPassword({ ...deps.env, passwordMin }, password, {
      first_name: "Ada",
      last_name: "Moss",
      email: "a@b.example",
      hub_name: null,
    });
  if (isTaken) expect(check).not.toThrow();
  else expect(check).toThrow(`Password must be at least ${Math.max(6, passwordMin)} characters long.`);
});
