import { toWkt } from "@marketday/domain/geo";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { ADDRESS, CHOICE, createCustomer, createHub, createProduct, PASSWORD } from "../../../test/factories.ts";

const market = await buildTestApp();
const { db, deps } = market;
/** Its outline has a strip of 46077, whose centroid is outside. */
const carmel = await createHub(db, {
  name: "Carmel market",
  zips: ["46032", "46033"],
  boundaries: [
    toWkt({
      type: "Polygon",
      coordinates: [
        [
          [-86.265, 39.9],
          [-86.0, 39.9],
          [-86.0, 40.1],
          [-86.265, 40.1],
          [-86.265, 39.9],
        ],
      ],
    }),
  ],
});
const lakeside = await createHub(db, { name: "Lakeside market", zips: ["60601"], lat: 41.88, lng: -87.62 });
const POINT = "lat=39.98&lng=-86.255";
const OUTSIDE = { ...ADDRESS, city: "Zionsville", zipCode: "46077" };
const PICKUP = { type: "pickup", pickupPointId: carmel.pickup_points[0]!.id, card: CHOICE.card } as const;

let n = 0;
const registration = (zipCode: string) => ({
  email: `neighbor${(n += 1)}@example.com`,
  password: PASSWORD,
  zipCode,
  firstName: "Ada",
  lastName: "Brown",
});
type Browser = ReturnType<typeof market.shopper>;

/** A guest with a cart of a market. */
async function guestWith(query: string, ...lines: object[]): Promise<Browser> {
  const browser = market.shopper();
  expect((await browser.post(`/auth/guest?${query}`)).status).toBe(200);
  if (lines.length > 0) expect((await browser.put("/cart", lines)).status).toBe(200);
  return browser;
}

const login = async (browser: Browser, { email }: { email: string | null }) =>
  browser.post("/auth/login", { username: email, password: PASSWORD });
const order = async (browser: Browser, choice: object) => {
  const { body: quote } = await browser.post("/checkout/quote", choice);
  return browser.post("/checkout", { ...choice, expectedTotal: quote.orderTotal });
};

describe("home delivery", () => {
  test("register: a guest let in by location gets an account with the ZIP of that point, and their point decides: the order is taken", async () => {
    const eggs = await createProduct(db, carmel.id);
    const browser = await guestWith(POINT, eggs.line(1));
    expect((await browser.get(`/geo/zip?${POINT}`)).body.zipCode).toBe("46077");
    expect((await browser.get("/account/profile")).body.homeDelivery).toMatchObject({ isPossible: true });
    const { status, body } = await browser.post("/auth/register", registration("46077"));
    expect([status, body.hubId, body.homeDelivery?.isPossible], JSON.stringify(body)).toEqual([200, carmel.id, true]);
    const choice = { ...CHOICE, deliveryAddress: OUTSIDE };
    expect((await browser.post("/checkout/quote", choice)).body.homeDelivery).toMatchObject({ isPossible: true });
    expect((await order(browser, choice)).status).toBe(201);
  });

  test("register: the point counts only in its ZIP code, and is forgotten with it", async () => {
    const eggs = await createProduct(db, carmel.id);
    const browser = await guestWith(POINT, eggs.line(1));
    await browser.post("/auth/register", registration("46032"));
    const { body: quote } = await browser.post("/checkout/quote", { ...CHOICE, deliveryAddress: OUTSIDE });
    expect(quote.homeDelivery).toMatchObject({ zipCode: "46077", isPossible: false });

    const other = await guestWith(POINT);
    const { body: account } = await other.post("/auth/register", registration("46077"));
    await other.put("/account/profile", { zipCode: "46033" });
    const { body: back } = await other.put("/account/profile", { zipCode: "46077" });
    expect(back.homeDelivery).toMatchObject({ isPossible: false });
    expect(await db.customer.findUniqueOrThrow({ where: { id: account.id } })).toMatchObject({ lat: null, lng: null });
  });

  test("register: a point outside in a ZIP code that is served decides without an address, and refuses no address of that ZIP code", async () => {
    const shore = await createHub(db, {
      name: "Shore market",
      zips: [],
      boundaries: [
        toWkt({
          type: "Polygon",
          coordinates: [
            [
              [-85.2, 41.05],
              [-85.1, 41.05],
              [-85.1, 41.15],
              [-85.2, 41.15],
              [-85.2, 41.05],
            ],
          ],
        }),
      ],
    });
    const eggs = await createProduct(db, shore.id);
    const browser = await guestWith(`hubId=${shore.id}`, eggs.line(1));
    const zip = (await browser.get("/geo/zip?lat=41.08&lng=-85.14")).body.zipCode as string;
    const { body: account } = await browser.post("/auth/register", registration(zip));
    // From a cafe just outside of the outline.
    await db.customer.update({ where: { id: account.id }, data: { lat: 41.03, lng: -85.14 } });
    expect((await browser.get("/account/profile")).body.homeDelivery).toMatchObject({ isPossible: false });
    const address = { ...ADDRESS, city: "Fort Wayne", zipCode: zip };
    expect((await browser.get(`/geo/home-delivery?zipCode=${zip}`)).body).toMatchObject({ isPossible: true });
    const choice = { ...CHOICE, deliveryAddress: address };
    expect((await browser.post("/checkout/quote", choice)).body.homeDelivery).toMatchObject({ isPossible: true });
    const { body: saved } = await browser.put("/account/profile", { deliveryAddress: address });
    expect([saved.homeDelivery.isPossible, saved.fulfillment.problem]).toEqual([true, null]);
    expect((await order(browser, choice)).status).toBe(201);
  });

  test("register: a guest of a market's link whose ZIP it does not serve gets an account there, learns it at once, and can pick up", async () => {
    const eggs = await createProduct(db, carmel.id);
    const browser = await guestWith(`hubId=${carmel.id}`, eggs.line(2));
    const before = await browser.get("/geo/home-delivery?zipCode=46077");
    const { status, body } = await browser.post("/auth/register", registration("46077"));
    expect([status, body.hubId]).toEqual([200, carmel.id]);
    const note = "Carmel market does not deliver to 46077. You can pick up your order at Depot 1, Carmel.";
    expect(body.homeDelivery).toEqual({ zipCode: "46077", isPossible: false, note });
    expect(before.body).toEqual(body.homeDelivery);
    const delivery = { ...CHOICE, deliveryAddress: OUTSIDE };
    expect((await browser.post("/checkout/quote", delivery)).body.homeDelivery).toEqual(body.homeDelivery);
    const refused = await order(browser, delivery);
    expect([refused.status, refused.body[1].code]).toEqual([422, "outside_hub"]);
    expect((await browser.post("/checkout/quote", PICKUP)).body.homeDelivery).toBeNull();
    expect((await order(browser, PICKUP)).status).toBe(201);
  });

  test("register: another market that delivers to the ZIP is named, and the account stays in the guest's", async () => {
    const browser = await guestWith(`hubId=${carmel.id}`);
    const { body } = await browser.post("/auth/register", registration("60601"));
    expect(body.hubId).toBe(carmel.id);
    expect(body.homeDelivery.note).toContain("Lakeside market delivers there, on Thursdays.");
    expect(body.hubs.map(({ id }: { id: number }) => id)).toEqual([carmel.id, lakeside.id]);
  });

  test("profile: an address outside is stored, and answer, profile and quote say so; a market without pickup points says it too", async () => {
    const bare = await createHub(db, { name: "Bare market", zips: ["62701"], pickupPoints: 0 });
    const jam = await createProduct(db, bare.id);
    const customer = await createCustomer(db, { hubId: bare.id, zipCode: "62701", pepper: deps.env.pepper });
    const browser = market.shopper();
    await login(browser, customer);
    await browser.put("/cart", [jam.line(1)]);
    const changed = await browser.put("/account/profile", { deliveryAddress: OUTSIDE });
    const note =
      "Bare market does not deliver to 46077. It has no pickup points, so enter another address to order here.";
    expect([changed.status, changed.body.homeDelivery]).toEqual([200, { zipCode: "46077", isPossible: false, note }]);
    expect((await browser.get("/account/profile")).body.homeDelivery.note).toBe(note);
    expect((await browser.post("/checkout/quote", { type: "delivery" })).body.homeDelivery.note).toBe(note);
    const refused = await order(browser, { ...CHOICE, deliveryAddress: OUTSIDE });
    expect([refused.status, refused.body[0]]).toEqual([
      422,
      "Bare market does not deliver to 46077. Choose another address.",
    ]);
  });

  test("profile: when a market's outline and ZIPs shrink, customers who were inside learn it before they order", async () => {
    const wide = await createHub(db, { name: "Wide market", zips: ["47401", "47403"], lat: 39.1, lng: -86.5 });
    const browser = await guestWith("zipCode=47403");
    const { body } = await browser.post("/auth/register", registration("47403"));
    await browser.put("/account/profile", { deliveryAddress: { ...ADDRESS, zipCode: "47403" } });
    expect([body.hubId, body.homeDelivery.isPossible]).toEqual([wide.id, true]);
    await db.hub_zip.delete({ where: { hub_id_zip_code: { hub_id: wide.id, zip_code: "47403" } } });
    await market.waitForNotifications();
    const { body: after } = await browser.get("/account/profile");
    expect(after.hubId).toBe(wide.id);
    expect(after.homeDelivery).toMatchObject({ zipCode: "47403", isPossible: false });
    expect(after.hubs.map(({ id }: { id: number }) => id)).toEqual([wide.id]);
  });

  test("home delivery: without a market any that serves the ZIP is named, and where none does it is 404", async () => {
    const answer = await market.shopper().get("/geo/home-delivery?zipCode=60601");
    expect(answer.body).toMatchObject({ isPossible: true, note: "Lakeside market delivers to 60601 on Thursdays." });
    const none = await market.shopper().get("/geo/home-delivery?zipCode=99501");
    expect([none.status, none.body[0]]).toEqual([404, "Sorry, we do not currently support your location."]);
  });
});

test("zip code: answers city and state, also where no market delivers; 404 outside of the states", async () => {
  const at = async (zip: string) => {
    const { status, body } = await market.shopper().get(`/geo/zip/${zip}`);
    return status === 200 ? body : status;
  };
  expect(await at("46032")).toEqual({ city: "Carmel", state: "IN" });
  expect(await at("02108")).toEqual({ city: "Boston", state: "MA" });
  // San Juan, no such ZIP code, and too short.
  expect([await at("00901"), await at("00000"), await at("4603")]).toEqual([404, 404, 400]);
});

test("checkout: a guest's quote is that of the account they register, with delivery, processing and tip, and stores nothing", async () => {
  const eggs = await createProduct(db, carmel.id);
  const browser = await guestWith("zipCode=46032", eggs.line(2));
  const choices = [
    { type: "delivery", tipPercentage: 10 },
    { type: "pickup", pickupPointId: PICKUP.pickupPointId },
  ] as const;
  const quotes = async () => {
    const answers = [];
    for (const choice of choices) answers.push(await browser.post("/checkout/quote", choice));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    return answers.map(({ body }) => body);
  };
  const guest = await quotes();
  expect(guest.map(({ fees }) => fees.delivery > 0)).toEqual([true, false]);
  expect(guest[0].tip).toBeGreaterThan(0);
  expect(guest[0].paymentMethods).toEqual([]);
  // A code is an account's: without one no code is tried.
  const coded = await browser.post("/checkout/quote", { type: "delivery", discountCode: "FRIEND" });
  expect([coded.status, coded.body[1].code]).toEqual([401, "login_required"]);
  // The cart's own code counts, and null takes it off.
  const { id: codeId } = await db.discount_code.create({ data: { code: "GUESTQUOTE", amount_cents: 100 } });
  const { id: cartId } = await db.cart.findFirstOrThrow({ orderBy: { id: "desc" } });
  await db.cart.update({ where: { id: cartId }, data: { discount_code_id: codeId } });
  const discountOf = async (choice: object) =>
    (await browser.post("/checkout/quote", { ...choices[0], ...choice })).body.discountAmount;
  expect([await discountOf({}), await discountOf({ discountCode: null })]).toEqual([1, 0]);
  await db.cart.update({ where: { id: cartId }, data: { discount_code_id: null } });
  expect((await browser.post("/checkout", { ...CHOICE, expectedTotal: guest[0].orderTotal })).status).toBe(401);
  expect((await browser.post("/auth/register", registration("46032"))).status).toBe(200);
  expect(await quotes()).toEqual(guest);
  expect((await market.shopper().post("/checkout/quote", choices[0])).status).toBe(401);
});

describe("a cart of another market", () => {
  test("login: an account of another market keeps it, the guest's cart stays, and cart and quote name both markets and no stock", async () => {
    const lines = await Promise.all([1, 2, 3].map(() => createProduct(db, carmel.id)));
    const browser = await guestWith(`hubId=${carmel.id}`, ...lines.map((item) => item.line(2)));
    const account = await createCustomer(db, { hubId: lakeside.id, zipCode: "60601", pepper: deps.env.pepper });
    const { body: profile } = await login(browser, account);
    expect(profile.hubId).toBe(lakeside.id);

    const { body: cart } = await browser.get("/cart");
    const body =
      "Your account shops at Lakeside market. Lakeside market does not sell them. They stay here for Carmel market.";
    const other = { id: carmel.id, name: "Carmel market", ownName: "Lakeside market", isUndecided: false };
    expect(cart.otherMarket).toEqual({ ...other, title: "Your cart is from Carmel market.", body });
    expect(cart.items.map(({ quantity, isPublished }: any) => [quantity, isPublished])).toEqual([
      [2, false],
      [2, false],
      [2, false],
    ]);
    expect(cart.banners).toEqual([
      { id: `market-${carmel.id}`, type: "warning", title: "Your cart is from Carmel market.", body, action: null },
    ]);
    const { body: quote } = await browser.post("/checkout/quote", { type: "pickup" });
    expect([quote.orderTotal, quote.marketNote]).toEqual([0, `Your cart is from Carmel market. ${body}`]);
    const refused = await browser.post("/checkout", { ...PICKUP, expectedTotal: 0 });
    expect([refused.status, refused.body[0], refused.body[1].code]).toEqual([409, quote.marketNote, "other_market"]);
    expect(JSON.stringify([cart.banners, cart.otherMarket, quote, refused.body])).not.toMatch(
      /stock|sold out|checked out/i,
    );

    // The cart's market, in one step: the checkout goes on there.
    expect((await browser.put(`/hubs/${carmel.id}/switch`)).status).toBe(200);
    const { body: back } = await browser.get("/cart");
    expect([back.otherMarket, back.banners, back.items.every(({ isPublished }: any) => isPublished)]).toEqual([
      null,
      [],
      true,
    ]);
    expect((await order(browser, PICKUP)).status).toBe(201);
  });

  test("login: lines that both markets sell stay undecided until one is chosen, and automatic orders leave them alone", async () => {
    const honey = await createProduct(db, carmel.id, { hubs: [carmel.id, lakeside.id] });
    const browser = await guestWith(`hubId=${carmel.id}`, honey.line(2));
    const account = await createCustomer(db, { hubId: lakeside.id, zipCode: "60601", pepper: deps.env.pepper });
    await login(browser, account);
    expect((await browser.get("/cart")).body.otherMarket).toMatchObject({ id: carmel.id, isUndecided: true });
    await browser.put("/subscriptions/status", { enabled: true, status: 1 });
    const { body: boxes } = await browser.get("/subscriptions/next-boxes");
    expect(JSON.stringify(boxes)).not.toContain(honey.title);

    expect((await browser.put(`/hubs/${lakeside.id}/switch`)).status).toBe(200);
    expect((await browser.get("/cart")).body).toMatchObject({ otherMarket: null, items: [{ quantity: 2 }] });
    const { body: after } = await browser.get("/subscriptions/next-boxes");
    expect(JSON.stringify(after)).toContain(honey.title);
  });

  test("login: a cart with lines of both markets counts those of the other one, and the account's can be ordered", async () => {
    const eggs = await createProduct(db, carmel.id);
    const fish = await createProduct(db, lakeside.id);
    const account = await createCustomer(db, { hubId: lakeside.id, zipCode: "60601", pepper: deps.env.pepper });
    const before = market.shopper();
    await login(before, account);
    await before.put("/cart", [fish.line(1)]);
    const browser = await guestWith(`hubId=${carmel.id}`, eggs.line(1));
    await login(browser, account);
    const { body: cart } = await browser.get("/cart");
    expect(cart.otherMarket).toMatchObject({
      title: "1 item in your cart is from Carmel market.",
      body: "Your account shops at Lakeside market. Lakeside market does not sell it. It stays here for Carmel market.",
    });
    const pickup = { ...PICKUP, pickupPointId: lakeside.pickup_points[0]!.id };
    expect((await order(browser, pickup)).status).toBe(201);
    expect((await browser.get("/cart")).body.items).toMatchObject([{ product: { id: eggs.id } }]);
  });

  test("checkout: an order that was reviewed in one market is not placed in another one, at the same total", async () => {
    const honey = await createProduct(db, carmel.id, { hubs: [carmel.id, lakeside.id] });
    const browser = await guestWith(`hubId=${carmel.id}`, honey.line(1));
    await browser.post("/auth/register", registration("46032"));
    const choice = { ...CHOICE, type: "pickup", pickupPointId: lakeside.pickup_points[0]!.id };
    const { body: quote } = await browser.post("/checkout/quote", choice);
    // Another tab.
    await browser.put(`/hubs/${lakeside.id}/switch`);
    const seen = { ...choice, expectedTotal: quote.orderTotal, expectedHubId: carmel.id };
    const refused = await browser.post("/checkout", seen);
    expect([refused.status, refused.body[0], refused.body[1].code]).toEqual([
      409,
      "You shop at Lakeside market now. Please review your order.",
      "market_changed",
    ]);
    expect(refused.body[1].quote.orderTotal).toBe(quote.orderTotal);
    expect((await browser.post("/checkout", { ...seen, expectedHubId: lakeside.id })).status).toBe(201);
  });

  test("cart and checkout: a market that is not published any more says so, and takes no order", async () => {
    const winter = await createHub(db, { name: "Winter market", zips: ["61820"] });
    const kale = await createProduct(db, winter.id);
    const browser = await guestWith(`hubId=${winter.id}`, kale.line(1));
    await browser.post("/auth/register", registration("61820"));
    const choice = { ...PICKUP, pickupPointId: winter.pickup_points[0]!.id };
    const { body: quote } = await browser.post("/checkout/quote", choice);
    await db.hub.update({ where: { id: winter.id }, data: { is_published: false } });
    await market.waitForNotifications();
    expect((await browser.get("/cart")).body.banners).toMatchObject([
      { title: "Your market is closed at the moment.", body: "Choose another market.", action: "/hubs" },
    ]);
    for (const call of ["/checkout/quote", "/checkout"]) {
      const refused = await browser.post(call, { ...choice, expectedTotal: quote.orderTotal });
      expect([refused.status, refused.body[0]]).toEqual([
        422,
        "Winter market is closed at the moment. Choose another market.",
      ]);
    }
    // A guest of it who registers now is in a market that serves their ZIP code.
    const guest = await guestWith(`hubId=${lakeside.id}`);
    await db.guest.update({
      where: { id: String((await guest.get("/auth")).body.customerId) },
      data: { hub_id: winter.id },
    });
    expect((await guest.post("/auth/register", registration("60601"))).body.hubId).toBe(lakeside.id);
  });

  test("guest: a link to another market moves them, and the cart says where it is from", async () => {
    const eggs = await createProduct(db, carmel.id);
    const browser = await guestWith(`hubId=${carmel.id}`, eggs.line(1));
    await browser.post(`/auth/guest?hubId=${lakeside.id}`);
    expect((await browser.get("/cart")).body.otherMarket).toMatchObject({
      title: "Your cart is from Carmel market.",
      body: "You are at Lakeside market now. Lakeside market does not sell it. It stays here for Carmel market.",
    });
  });

  test("cart: an item that its own market takes off sale is not counted as one of another market", async () => {
    const plums = await createProduct(db, carmel.id);
    const browser = await guestWith(`hubId=${carmel.id}`, plums.line(1));
    await db.product.update({ where: { id: plums.id }, data: { is_published: false } });
    await market.waitForNotifications();
    const { body: cart } = await browser.get("/cart");
    expect(cart.otherMarket).toBeNull();
    expect(cart.banners).toMatchObject([
      { title: `${plums.title}, Each is not sold in Carmel market.`, body: "It stays here until it is sold again." },
    ]);
  });

  test("login: a second account of the same browser, an expired guest and a lost answer move no one to another market", async () => {
    const account = await createCustomer(db, { hubId: lakeside.id, zipCode: "60601", pepper: deps.env.pepper });
    const browser = await guestWith("zipCode=46032");
    for (const _ of [1, 2]) expect((await login(browser, account)).body.hubId).toBe(lakeside.id);
    expect((await browser.post(`/auth/guest?hubId=${carmel.id}`)).body.hubId).toBe(lakeside.id);
    expect((await browser.get("/auth")).body.hubId).toBe(lakeside.id);
    // A customer who registers another account stays in the market of their session.
    const { body } = await browser.post("/auth/register", registration("46032"));
    expect(body.hubId).toBe(lakeside.id);
  });
});
