import { createHmac, generateKeyPairSync } from "node:crypto";

import { Customer } from "@marketday/contracts/account";
import { Coverage, Session } from "@marketday/contracts/auth";
import { toWkt } from "@marketday/domain/geo";
import { Day } from "@marketday/domain/time";
import jwt from "jsonwebtoken";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createCustomer, createHub, createProduct, PASSWORD } from "../../../test/factories.ts";

const market = await buildTestApp();
const { db, deps } = market;
const near = await createHub(db, { name: "Carmel", zips: ["46032", "46033"], lat: 39.97, lng: -86.13 });
const far = await createHub(db, {
  name: "Indianapolis",
  zips: ["46032"],
  lat: 39.77,
  lng: -86.16,
  deliveryDay: "Friday",
});
const drawn = await createHub(db, {
  name: "Boulder",
  zips: ["80301"],
  lat: 40.01,
  lng: -105.27,
  timeZone: "America/Denver",
  boundaries: [
    toWkt({
      type: "Polygon",
      coordinates: [
        [
          [-105.6, 39.9],
          [-105.0, 39.9],
          [-105.0, 40.3],
          [-105.6, 40.3],
          [-105.6, 39.9],
        ],
      ],
    }),
  ],
});

const REGISTRATION = { password: "wheelbarrow", zipCode: "46032", firstName: "Ada", lastName: "Brown" };
let n = 0;
const newEmail = () => `new${(n += 1)}@example.com`;
const sid = (browser: ReturnType<typeof market.shopper>) => browser.cookies.get("mkt_session");

describe("guest", () => {
  test(
    "is created from a zip code, a point or a hub",
    { tags: ["spec:7.1-06", "spec:7.1-02", "spec:4-01", "spec:4-02", "spec:4-03"] },
    async () => {
      for (const [place, hubId, kept] of [
        ["zipCode=46032", near.id, { zip_code: "46032", lat: null, lng: null }],
        ["lat=40.05&lng=-105.3", drawn.id, { lat: 40.05, lng: -105.3 }],
        [`hubId=${far.id}`, far.id, { zip_code: null, lat: null, lng: null }],
      ] as const) {
        const browser = market.shopper();
        const answer = await browser.post(`/auth/guest?${place}`);
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        const guest = Customer.parse(answer.body);
        expect(guest).toMatchObject({ isGuest: true, hubId, email: null, credit: 0 });
        expect(await db.guest.findUniqueOrThrow({ where: { id: String(guest.id) } })).toMatchObject(kept);
        const session = Session.parse((await browser.get("/auth")).body);
        expect(session).toMatchObject({ customerId: guest.id, hubId, isGuest: true });
      }
    },
  );

  test("stays the same guest, with the cart, when they choose another place by zip code, point or hub", async () => {
    const eggs = await createProduct(db, near.id);
    const browser = market.shopper();
    const { id } = (await browser.post("/auth/guest?zipCode=46032")).body;
    await browser.put("/cart", [eggs.line(2)]);
    const cookie = sid(browser);
    for (const place of ["lat=40.05&lng=-105.3", `hubId=${far.id}`, "zipCode=46033", "lat=39.97&lng=-86.13"])
      expect([place, (await browser.post(`/auth/guest?${place}`)).body.id]).toEqual([place, id]);
    expect(sid(browser)).toBe(cookie);
    expect((await browser.get("/cart")).body.items).toMatchObject([{ quantity: 2 }]);
  });

  test("gets every hub that serves the place, nearest first", async () => {
    const { body } = await market.shopper().post("/auth/guest?zipCode=46032");
    expect(Customer.parse(body).hubs.map(({ name }) => name)).toEqual(["Carmel", "Indianapolis"]);
    expect(body.deliveryDate).toBe("Thursday");
    expect(body.hubs[0].nextDeliveryDate).toBe("2026-11-26");
  });

  test("is rejected where no hub delivers, with the spec's sentence", { tags: ["spec:8-03"] }, async () => {
    for (const place of ["zipCode=99501", "lat=10&lng=10", "hubId=99999"]) {
      const answer = await market.shopper().post(`/auth/guest?${place}`);
      expect([answer.status, answer.body[0]]).toEqual([404, "Sorry, we do not currently support your location."]);
      expect(answer.headers["set-cookie"]).toBeUndefined();
    }
    for (const bad of ["zipCode=4603", "zipCode=abcde", "lat=91&lng=0", "hubId=0", "hubId=1.5", ""]) {
      expect([bad, (await market.shopper().post(`/auth/guest?${bad}`)).status]).toEqual([bad, 400]);
    }
  });

  test("checking coverage changes nothing", async () => {
    const browser = market.shopper();
    const answer = await browser.post("/auth/guest?zipCode=46033&check=true");
    expect(Coverage.parse(answer.body)).toEqual({
      hubs: [{ id: near.id, name: "Carmel", deliveryDay: "Thursday" }],
      hubId: near.id,
    });
    expect(browser.cookies.size).toBe(0);
  });

  test("keeps id and origin when the place changes", { tags: ["spec:2.2-01", "spec:2.2-06"] }, async () => {
    const browser = market.shopper();
    const trk = "t".repeat(70);
    const first = await browser.post(
      `/auth/guest?zipCode=46032&trk=${trk}&utmSource=flyer&utmCampaign=fall&os=ios&playerId=p1`,
    );
    expect(first.body).toMatchObject({
      trk: "t".repeat(50),
      utmSource: "flyer",
      utmCampaign: "fall",
      os: "ios",
      playerId: "p1",
    });
    const second = await browser.post("/auth/guest?zipCode=80301");
    expect(second.body).toMatchObject({ id: first.body.id, hubId: drawn.id, utmSource: "flyer", trk: "t".repeat(50) });
    expect((await browser.get("/auth")).body.hubId).toBe(drawn.id);
  });

  test("a registered customer's session is left as it is", async () => {
    const customer = await createCustomer(db, { hubId: near.id, pepper: deps.env.pepper });
    const browser = market.shopper();
    await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
    const answer = await browser.post(`/auth/guest?hubId=${far.id}`);
    expect(answer.body).toMatchObject({ id: customer.id, isGuest: false, hubId: near.id });
  });
});

describe("the profile", () => {
  /** The fields of spec §3 Session / customer. */
  const FIELDS = [
    "avatar",
    "customerId",
    "dataSource",
    "deliveryAddress",
    "deliveryDate",
    "email",
    "firstName",
    "lastName",
    "handle",
    "hasPassword",
    "hubs",
    "hubId",
    "id",
    "image",
    "isGlutenFree",
    "isVegan",
    "isGuest",
    "isWagonPassActive",
    "lastOrderDate",
    "paymentInfo",
    "paymentType",
    "playerId",
    "os",
    "subscribedAllMessages",
    "subscribedMarketingEmails",
    "subscribedMarketingSms",
    "trk",
    "zipCode",
    "utmSource",
    "utmCampaign",
  ];

  test(
    "has each field for a guest, whose id has a hyphen, and for a customer, whose id is a positive number",
    { tags: ["spec:3-13"] },
    async () => {
      const browser = market.shopper();
      const from = "trk=farm-7&utmSource=flyer&utmCampaign=fall&os=ios&playerId=p1";
      const guest = (await browser.post(`/auth/guest?zipCode=46032&${from}`)).body;
      const origin = { trk: "farm-7", utmSource: "flyer", utmCampaign: "fall", os: "ios", playerId: "p1" };
      expect(Object.keys(guest)).toEqual(expect.arrayContaining(FIELDS));
      expect(guest).toMatchObject({
        ...origin,
        id: expect.stringMatching(/-/),
        customerId: guest.id,
        isGuest: true,
        hasPassword: false,
        email: null,
        handle: null,
        zipCode: "46032",
        hubId: near.id,
        // That of the first hub, where Indianapolis delivers on Friday.
        deliveryDate: "Thursday",
        hubs: [
          { id: near.id, name: "Carmel", deliveryDay: "Thursday" },
          { id: far.id, name: "Indianapolis", deliveryDay: "Friday" },
        ],
      });

      const email = newEmail();
      expect((await browser.post("/auth/register", { ...REGISTRATION, email })).status).toBe(200);
      const customer = (await browser.get("/account/profile")).body;
      expect(Object.keys(customer)).toEqual(expect.arrayContaining(FIELDS));
      expect(Number.isSafeInteger(customer.id) && customer.id > 0).toBe(true);
      expect(customer).toMatchObject({
        ...origin,
        customerId: customer.id,
        isGuest: false,
        hasPassword: true,
        email,
        firstName: "Ada",
        lastName: "Brown",
        // None was chosen: the names.
        handle: "Ada Brown",
        zipCode: "46032",
        deliveryDate: "Thursday",
        isWagonPassActive: false,
        lastOrderDate: null,
        paymentInfo: null,
      });
      expect((await browser.put("/account/profile", { handle: "ada-b" })).body).toMatchObject({ handle: "ada-b" });
    },
  );
});

describe("register", () => {
  test(
    "turns the browser's guest into a customer, with a new session",
    { tags: ["spec:7.1-05", "spec:4-04", "fail:F1"] },
    async () => {
      const browser = market.shopper();
      await browser.post("/auth/guest?zipCode=46032&utmSource=flyer");
      const planted = market.shopper();
      planted.cookies.set("mkt_session", sid(browser)!);
      const email = newEmail();
      const answer = await browser.post("/auth/register", { ...REGISTRATION, email: email.toUpperCase() });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(Customer.parse(answer.body)).toMatchObject({
        isGuest: false,
        email,
        firstName: "Ada",
        handle: "Ada Brown",
        hubId: near.id,
        utmSource: "flyer",
        hasPassword: true,
      });
      expect(sid(browser)).not.toBe(sid(planted));
      const replayed = await planted.get("/auth");
      expect([replayed.status, replayed.body[1].code]).toEqual([401, "login_required"]);
    },
  );

  test("rejects what the form rejects", { tags: ["spec:5-12", "spec:5-08"] }, async () => {
    const bad = [
      [{ email: "" }, "Email is required. please try again."],
      [{ email: undefined }, "Email is required. please try again."],
      [{ password: "four" }, "Password is too short"],
      [{ zipCode: "" }, "Zip Code is required"],
      [{ zipCode: undefined }, "Zip Code is required"],
      [{ zipCode: "4603" }, "Zip Code is required"],
      [{ zipCode: "460321" }, "Must be 5 digits"],
      [{ zipCode: "4603a" }, "Must be 5 digits"],
      [{ password: "qwerty" }, "This password is too common. Please choose another one."],
      [{ password: "p".repeat(257) }, "Password is too long. Use 256 characters at most."],
    ] as const;
    for (const [part, message] of bad) {
      const answer = await market.shopper().post("/auth/register", { ...REGISTRATION, email: newEmail(), ...part });
      expect([answer.status, answer.body[0]]).toEqual([400, message]);
    }
    for (const part of [
      { firstName: "" },
      { lastName: "" },
      { email: "a@b" },
      { email: "no-at-sign" },
      { email: '"a@evil" <b@good.example>' },
      { email: `${"a".repeat(260)}@x.example` },
      { firstName: "\r\n\u200B" },
    ]) {
      expect([
        part,
        (await market.shopper().post("/auth/register", { ...REGISTRATION, email: newEmail(), ...part })).status,
      ]).toEqual([part, 400]);
    }
    const away = await market
      .shopper()
      .post("/auth/register", { ...REGISTRATION, email: newEmail(), zipCode: "99501" });
    expect(away.status).toBe(404);
  });

  test("keeps the guest's hub, also where it does not deliver to the zip code; without a guest it is the nearest that does", async () => {
    for (const [guestHub, zipCode, hubId] of [
      [null, "46032", near.id],
      [far.id, "46032", far.id],
      [far.id, "46033", far.id],
      [far.id, "99501", far.id],
      [null, "46033", near.id],
    ] as const) {
      const browser = market.shopper();
      if (guestHub !== null) await browser.post(`/auth/guest?hubId=${guestHub}`);
      const { body } = await browser.post("/auth/register", { ...REGISTRATION, email: newEmail(), zipCode });
      expect([guestHub, zipCode, body.hubId]).toEqual([guestHub, zipCode, hubId]);
      expect((await browser.get("/auth")).body.hubId).toBe(hubId);
    }
  });

  test("register: the referrer of the guest's first link is kept, another one in the form wins, a deleted one is ignored", async () => {
    const [first, second, gone] = await Promise.all(
      [1, 2, 3].map(() => createCustomer(db, { hubId: near.id, pepper: deps.env.pepper })),
    );
    await db.customer.update({
      where: { id: gone!.id },
      data: { deleted_at: market.clock.now(), email: null, password_hash: null },
    });
    const referrerOf = async (links: string[], form: object) => {
      const browser = market.shopper();
      for (const link of links) expect((await browser.post(`/auth/guest?zipCode=46032${link}`)).status).toBe(200);
      const { status, body } = await browser.post("/auth/register", { ...REGISTRATION, email: newEmail(), ...form });
      expect(status).toBe(200);
      return (await db.referral.findUnique({ where: { friend_id: body.id } }))?.referrer_id;
    };
    const link = ({ id }: { id: number }) => `&referredByCustomerId=${id}`;
    expect(await referrerOf([link(first!), ""], {})).toBe(first!.id);
    expect(await referrerOf([link(first!)], { referredByCustomerId: second!.id })).toBe(second!.id);
    expect(await referrerOf([link(gone!)], {})).toBeUndefined();
    expect(await referrerOf([], { referredByCustomerId: gone!.id })).toBeUndefined();
  });

  test("reports a taken email, in upper and lower case", async () => {
    const email = newEmail();
    await market.shopper().post("/auth/register", { ...REGISTRATION, email });
    const answer = await market.shopper().post("/auth/register", { ...REGISTRATION, email: email.toUpperCase() });
    expect([answer.status, answer.body]).toEqual([
      409,
      ["An account with this email already exists. Please login.", { code: "email_taken", field: "email" }],
    ]);
  });

  test("register: a referrer is recorded when real and ignored when not", { tags: ["fail:K6"] }, async () => {
    const referrer = await createCustomer(db, { hubId: near.id, pepper: deps.env.pepper });
    const by = async (referredByCustomerId: unknown, email = newEmail()) => {
      const answer = await market.shopper().post("/auth/register", { ...REGISTRATION, email, referredByCustomerId });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return db.referral.findUnique({ where: { friend_id: answer.body.id } });
    };
    expect(await by(referrer.id)).toMatchObject({ referrer_id: referrer.id, refused: null });
    for (const nonsense of ["x", 1e18, "00000000-0000-4000-8000-000000000000", -1, 999_999, null, {}])
      expect(await by(nonsense)).toBeNull();
    expect(await by(String(referrer.id))).toMatchObject({ referrer_id: referrer.id });
  });
});

describe("login", () => {
  test(
    "works by email in upper and lower case; a wrong one gets the spec's sentence",
    { tags: ["spec:7.1-04", "spec:5-03", "fail:F16"] },
    async () => {
      const customer = await createCustomer(db, { hubId: near.id, pepper: deps.env.pepper });
      const right = await market
        .shopper()
        .post("/auth/login", { username: ` ${customer.email!.toUpperCase()} `, password: PASSWORD });
      expect([right.status, right.body.id]).toEqual([200, customer.id]);
      const wrong = await market.shopper().post("/auth/login", { username: customer.email, password: "wrong" });
      const unknown = await market
        .shopper()
        .post("/auth/login", { username: "unknown@example.com", password: "wrong" });
      expect([wrong.status, wrong.body[0]]).toEqual([401, "Invalid email or password. Please check those values."]);
      expect([unknown.status, unknown.body]).toEqual([wrong.status, wrong.body]);
      const statementsOf = async (username: string) =>
        (await market.statements(() => market.shopper().post("/auth/login", { username, password: "x" }))).length;
      expect(await statementsOf("unknown@example.com")).toBe(await statementsOf(customer.email!));
    },
  );

  test("keeps the push address and the system of the app, each also alone", { tags: ["spec:7.1-04"] }, async () => {
    const customer = await createCustomer(db, { hubId: near.id, pepper: deps.env.pepper });
    const login = { username: customer.email, password: PASSWORD };
    const kept = () =>
      db.customer.findUniqueOrThrow({ where: { id: customer.id }, select: { player_id: true, os: true } });
    await market.shopper().post("/auth/login", { ...login, playerId: "p1" });
    expect(await kept()).toEqual({ player_id: "p1", os: null });
    await market.shopper().post("/auth/login", { ...login, os: "ios" });
    expect(await kept()).toEqual({ player_id: "p1", os: "ios" });
    await market.shopper().post("/auth/login", login);
    expect(await kept()).toEqual({ player_id: "p1", os: "ios" });
  });

  test("gives an account without a hub the guest's; one with a hub keeps it", async () => {
    for (const hubId of [null, far.id]) {
      const customer = await createCustomer(db, { hubId, pepper: deps.env.pepper });
      const browser = market.shopper();
      await browser.post("/auth/guest?zipCode=46033");
      const { body } = await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
      const stored = await db.customer.findUniqueOrThrow({ where: { id: customer.id } });
      expect([hubId, body.hubId, stored.hub_id]).toEqual([hubId, hubId ?? near.id, hubId ?? near.id]);
    }
  });

  test.for(["login", "register"] as const)(
    "%s in a browser that is logged in to another account ends that session",
    { tags: ["fail:F1"] },
    async (way) => {
      const [first, second] = await Promise.all(
        [1, 2].map(() => createCustomer(db, { hubId: near.id, pepper: deps.env.pepper })),
      );
      const browser = market.shopper();
      await browser.post("/auth/login", { username: first!.email, password: PASSWORD });
      const replay = market.shopper();
      replay.cookies.set("mkt_session", sid(browser)!);
      const input =
        way === "login" ? { username: second!.email, password: PASSWORD } : { ...REGISTRATION, email: newEmail() };
      const { status, body } = await browser.post(`/auth/${way}`, input);
      expect([status, body.id === first!.id]).toEqual([200, false]);
      expect((await replay.get("/auth")).status).toBe(401);
      expect((await browser.get("/auth")).body.customerId).toBe(body.id);
    },
  );

  test(
    "ends the session it replaces, and logout ends it everywhere",
    { tags: ["spec:7.1-10", "fail:F1", "fail:F2"] },
    async () => {
      const customer = await createCustomer(db, { hubId: near.id, pepper: deps.env.pepper });
      const other = await buildTestApp({
        url: market.url,
        env: { SESSION_SECRET: deps.env.sessionSecrets[0]!, PASSWORD_PEPPER: deps.env.pepper },
      });
      const browser = market.shopper();
      await browser.post("/auth/guest?zipCode=46032");
      const guestCookie = sid(browser)!;
      await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
      const cookie = sid(browser)!;
      const replayedAt = async (app: typeof market, value: string) => {
        const replay = app.shopper();
        replay.cookies.set("mkt_session", value);
        return (await replay.get("/auth")).status;
      };
      expect(await replayedAt(market, guestCookie)).toBe(401);
      expect([await replayedAt(market, cookie), await replayedAt(other, cookie)]).toEqual([200, 200]);
      expect((await browser.put("/auth/logout")).body).toEqual({ success: true });
      expect(sid(browser)).toBeUndefined();
      expect(await replayedAt(market, cookie)).toBe(401);
      await expect.poll(() => replayedAt(other, cookie), { interval: 20 }).toBe(401);
    },
  );

  test("an account has at most twenty live sessions", { tags: ["fail:F7"] }, async () => {
    const customer = await createCustomer(db, { hubId: near.id, pepper: deps.env.pepper });
    const come = async () => {
      const browser = market.shopper();
      const { status } = await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
      return { browser, status };
    };
    const opens = async ({ browser }: Awaited<ReturnType<typeof come>>) => (await browser.get("/auth")).status;
    const atOnce = await Promise.all(Array.from({ length: 24 }, come));
    // More concurrent logins than are hashed at once get 503.
    for (const { status } of atOnce) expect([200, 503]).toContain(status);
    expect(await db.session.count({ where: { customer_id: customer.id, ended_at: null } })).toBeLessThanOrEqual(20);
    const inTurn: Awaited<ReturnType<typeof come>>[] = [];
    for (let turn = 0; turn < 21; turn += 1) {
      market.clock.advance(1000);
      inTurn.push(await come());
    }
    expect(inTurn.map(({ status }) => status)).toEqual(inTurn.map(() => 200));
    const [oldest, ...rest] = inTurn;
    expect(await opens(oldest!)).toBe(401);
    for (const browser of rest) expect(await opens(browser)).toBe(200);
    for (const browser of atOnce.filter(({ status }) => status === 200)) expect(await opens(browser)).toBe(401);
  });
});

describe("the session cookie", () => {
  test("is HttpOnly and Lax, and on https Secure with the host prefix", { tags: ["fail:F4"] }, async () => {
    const plain = await market.shopper().post("/auth/guest?zipCode=46032");
    expect(String(plain.headers["set-cookie"])).toMatch(
      /^mkt_session=.*; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    const https = await buildTestApp({ url: market.url, env: { PUBLIC_URL: "https://market.example" } });
    const secure = await https.shopper().post("/auth/guest?zipCode=46032", undefined, { host: "market.example" });
    expect(String(secure.headers["set-cookie"])).toMatch(
      /^__Host-mkt_session=.*; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
    );
  });

  test("a forged or foreign cookie opens no session", { tags: ["fail:F3"] }, async () => {
    const customer = await createCustomer(db, { hubId: near.id, pepper: deps.env.pepper });
    const browser = market.shopper();
    await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
    const real = sid(browser)!;
    const secret = deps.env.sessionSecrets[0]!;
    const { header, payload } = jwt.decode(real, { complete: true })! as {
      header: jwt.JwtHeader;
      payload: jwt.JwtPayload;
    };
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const keyid = header.kid!;
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const raw = (head: object, body: object) => {
      const text = `${encode(head)}.${encode(body)}`;
      return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
    };
    const [h, p, s] = real.split(".");
    const seconds = (instant: Date) => Math.floor(instant.getTime() / 1000);
    const tokens: Record<string, string> = {
      "alg none": `${encode({ ...header, alg: "none" })}.${p}.`,
      HS384: jwt.sign(payload, secret, { algorithm: "HS384", keyid }),
      RS256: jwt.sign(payload, privateKey, { algorithm: "RS256", keyid }),
      "kid path": raw({ ...header, kid: "../../etc/passwd" }, payload),
      jku: raw({ alg: "HS256", jku: "https://evil.example/keys" }, payload),
      jwk: raw({ alg: "HS256", jwk: { kty: "oct", k: "c2VjcmV0" } }, payload),
      "no kid": raw({ alg: "HS256" }, payload),
      "empty signature": `${h}.${p}.`,
      "other signature": `${h}.${p}.${s!.slice(0, -4)}AAAA`,
      "other payload": `${h}.${encode({ ...payload, sub: "11111111-1111-4111-8111-111111111111" })}.${s}`,
      expired: jwt.sign({ ...payload, exp: seconds(market.clock.now()) - 10 }, secret, { keyid }),
      "nbf future": jwt.sign({ ...payload, nbf: seconds(new Date()) + 3600 }, secret, { keyid }),
      "other audience": jwt.sign({ ...payload, aud: "reset" }, secret, { keyid }),
      "other issuer": jwt.sign({ ...payload, iss: "evil" }, secret, { keyid }),
      "reset purpose": jwt.sign({ ...payload, for: "reset" }, secret, { keyid }),
      "sub no uuid": jwt.sign({ ...payload, sub: "1 or 1=1" }, secret, { keyid }),
      "other secret": jwt.sign(payload, "x".repeat(48), { keyid }),
      "unknown session": jwt.sign({ ...payload, sub: "11111111-1111-4111-8111-111111111111" }, secret, { keyid }),
      garbage: "garbage",
      "two dots": "..",
      huge: `${h}.${"A".repeat(12_000)}.${s}`,
    };
    for (const [what, token] of Object.entries(tokens)) {
      const thief = market.shopper();
      thief.cookies.set("mkt_session", token);
      const answer = await thief.get("/auth");
      expect([what, answer.status, answer.body[1]?.code]).toEqual([what, 401, "session_expired"]);
      expect(String(answer.headers["set-cookie"])).toMatch(/^mkt_session=;/);
    }
    expect((await browser.get("/auth")).status).toBe(200);
  });

  test("an expired guest session is replaced silently; an expired customer session is reported", async () => {
    const guest = market.shopper();
    await guest.post("/auth/guest?zipCode=46032");
    const customer = await createCustomer(db, { hubId: near.id, pepper: deps.env.pepper });
    const browser = market.shopper();
    await browser.post("/auth/login", { username: customer.email, password: PASSWORD });
    try {
      market.clock.advance(29 * Day.ms);
      expect((await browser.get("/auth")).body.isGuest).toBe(false);
      // The last use is written after the response.
      await expect
        .poll(async () => (await db.session.findFirstOrThrow({ where: { customer_id: customer.id } })).last_seen_at)
        .toEqual(market.clock.now());
      market.clock.advance(2 * Day.ms);
      market.app.dropSession(null);
      expect((await browser.get("/auth")).status, "used in between").toBe(200);
      const quiet = await guest.get("/auth");
      expect([quiet.status, quiet.body]).toEqual([
        200,
        { customerId: null, hubId: null, isGuest: null, expiresAt: null },
      ]);
      expect(guest.cookies.size).toBe(0);
      market.clock.advance(31 * Day.ms);
      market.app.dropSession(null);
      const expired = await browser.get("/auth");
      expect([expired.status, expired.body]).toEqual([
        401,
        ["Your session has expired. Please login to continue.", { code: "session_expired" }],
      ]);
    } finally {
      market.clock.set("2026-11-23T17:00:00Z");
    }
  });
});

test("zip code: a point is looked up in the market's own tables", async () => {
  const place = deps.geocoder.place("46032")!;
  const { body } = await market.shopper().get(`/geo/zip?lat=${place.lat + 0.001}&lng=${place.lng}`);
  expect(body).toMatchObject({ zipCode: "46032", city: "Carmel", state: "IN" });
  expect((await market.shopper().get("/geo/zip?lat=0&lng=-30")).status).toBe(404);
  expect((await market.shopper().get("/geo/zip?lat=NaN&lng=0")).status).toBe(400);
});

test("profile: none without a session", async () => {
  const answer = await market.shopper().get("/account/profile");
  expect([answer.status, answer.body]).toEqual([401, ["Please login to continue.", { code: "login_required" }]]);
});

test("rate limits: count over all servers in the database", { tags: ["fail:I6"] }, async () => {
  const env = { RATE_LIMITS: "on" };
  const [one, two] = [await buildTestApp({ url: market.url, env }), await buildTestApp({ url: market.url, env })];
  const statuses: number[] = [];
  for (let turn = 0; turn < 34; turn += 1)
    statuses.push((await (turn % 2 ? one : two).shopper().post("/auth/guest?zipCode=46032&check=true")).status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(30);
  const refused = await one.shopper().post("/auth/guest?zipCode=46032&check=true");
  expect([refused.status, refused.body]).toEqual([
    429,
    ["Too many tries. Please wait a minute.", { code: "rate_limited" }],
  ]);
  expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
});
