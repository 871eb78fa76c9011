import { randomUUID } from "node:crypto";

import { Customer, type AccountSession } from "@marketday/contracts/account";
import { Day } from "@marketday/domain/time";
import { describe, expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import {
  ADDRESS,
  createCustomer,
  createHub,
  createOrder,
  createProduct,
  GOOD_CARD,
  PASSWORD,
  setCard,
} from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { asCustomerId } from "../identity/context.ts";
import { deleteAccount } from "./delete-account.ts";

const market = await buildTestApp({ pages: true });
const { db, deps } = market;
const hub = await createHub(db);
const eggs = await createProduct(db, hub.id, { title: "Eggs", inventory: 1000 });
const customer = () => signIn(market, { hubId: hub.id });
const mailsTo = (email: string) => db.mail.findMany({ where: { to_email: email }, orderBy: { id: "asc" } });

describe("My Details", () => {
  test("a change sets the given fields and leaves the rest", { tags: ["spec:7.1-11", "spec:8-23"] }, async () => {
    const browser = await customer();
    const before = (await browser.get("/account/profile")).body;
    expect(before).toMatchObject({ id: browser.customer.id, isGuest: false });
    const change = {
      firstName: " Ada ",
      lastName: "Brown",
      handle: "ada-b",
      phone: "(317) 555-0142",
      zipCode: "46033",
      isGlutenFree: true,
      isVegan: true,
      subscribedAllMessages: false,
      subscribedMarketingEmails: true,
      subscribedMarketingSms: true,
      deliveryAddress: { ...ADDRESS, instructions: "Ring twice" },
    };
    const deliveryAddress = { ...ADDRESS, address2: "", instructions: "Ring twice" };
    const answer = await browser.put("/account/profile", change);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        ...before,
        ...change,
        firstName: "Ada",
        deliveryAddress,
        fulfillment: { type: "delivery", deliveryAddress, pickupPoint: null, deliveryFee: 8.95, problem: null },
      },
    ]);
    expect(Customer.parse((await browser.get("/account/profile")).body)).toEqual(answer.body);
    const again = await browser.put("/account/profile", {
      phone: "",
      deliveryAddress: { ...ADDRESS, address: "2 Elm St" },
    });
    expect(again.body).toMatchObject({ phone: null, firstName: "Ada", deliveryAddress: { address: "2 Elm St" } });
    expect(await db.address.count({ where: { customer_id: browser.customer.id } })).toBe(1);
  });

  test(
    "a value that the form rejects is rejected",
    { tags: ["spec:5-27", "spec:5-28", "spec:5-29", "spec:5-30", "fail:E3", "fail:E4"] },
    async () => {
      const browser = await customer();
      const before = (await browser.get("/account/profile")).body;
      for (const [change, message] of [
        [{ firstName: "" }, "Your first name is required"],
        [{ lastName: "  " }, "Your last name is required"],
        [{ handle: "" }, "A username is required"],
        [{ phone: "12" }, "Phone Number not valid"],
        [{ zipCode: "4603" }, "Must be 5 digits"],
        [{ deliveryAddress: { ...ADDRESS, address: " " } }, "Address is required"],
        [{ deliveryAddress: { ...ADDRESS, city: "" } }, "City is required"],
        [{ deliveryAddress: { ...ADDRESS, zipCode: "46032-1" } }, "Must be 5 digits"],
      ] as const) {
        const answer = await browser.put("/account/profile", change);
        expect([answer.status, answer.body[0]]).toEqual([400, message]);
      }
      for (const change of [
        { firstName: "\r\n\u200B" },
        { firstName: "n".repeat(101) },
        { email: '"a@evil" <b@good.example>' },
        { email: `${"a".repeat(10_000)}@x.example` },
        { email: "a@b.example\nBcc: c@d.example" },
        { isVegan: "yes" },
        { deliveryAddress: { ...ADDRESS, state: "XX" } },
      ])
        expect([change, (await browser.put("/account/profile", change)).status]).toEqual([change, 400]);
      expect((await browser.get("/account/profile")).body).toEqual(before);
    },
  );

  test("a taken email is 409; the old address is notified of a new one", { tags: ["fail:F18"] }, async () => {
    const [one, two] = [await customer(), await customer()];
    const taken = await one.put("/account/profile", {
      email: two.customer.email!.toUpperCase(),
      currentPassword: PASSWORD,
    });
    expect([taken.status, taken.body[1]]).toEqual([409, { code: "email_taken", field: "email" }]);

    await market.shopper().post("/auth/forgot", { email: one.customer.email });
    await market.app.settled();
    const { token } = (await mailsTo(one.customer.email!))[0]!.data as { token: string };
    const email = `moved.${one.customer.email}`;
    expect((await one.put("/account/profile", { email, currentPassword: PASSWORD })).body.email).toBe(email);
    expect((await mailsTo(one.customer.email!)).map(({ template }) => template)).toEqual([
      "password-reset",
      "email-changed",
    ]);
    expect((await market.shopper().post(`/auth/reset/${token}`, { password: "blue-wheelbarrow" })).body).toBe(
      "EXPIRED",
    );
    expect((await market.shopper().post("/auth/login", { username: email, password: PASSWORD })).status).toBe(200);
  });
});

describe("sessions", () => {
  test("are listed with the current one first, and end one by one or all but the current", async () => {
    const browser = await customer();
    const { email } = browser.customer;
    const phone = market.shopper();
    const laptop = market.shopper();
    const agents = [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
      "Mozilla/5.0 (Windows NT 10.0) Chrome/141.0 Safari/537.36",
    ];
    for (const [place, other] of [phone, laptop].entries()) {
      market.clock.advance(1000);
      await other.post("/auth/login", { username: email, password: PASSWORD }, { "user-agent": agents[place]! });
    }
    const { body } = await browser.get<AccountSession[]>("/account/sessions");
    expect(body.map(({ device, isCurrent }) => [device, isCurrent])).toEqual([
      ["Another device", true],
      ["Chrome on Windows", false],
      ["Safari on iPhone", false],
    ]);
    const left = await browser.delete(`/account/sessions/${body[2]!.id}`);
    expect([left.status, left.body.length]).toEqual([200, 2]);
    expect((await phone.get("/auth")).status).toBe(401);
    expect((await browser.delete(`/account/sessions/${body[2]!.id}`)).status, "ended before").toBe(404);
    expect((await laptop.get("/auth")).status).toBe(200);
    expect((await browser.delete("/account/sessions")).body).toHaveLength(1);
    expect((await laptop.get("/auth")).status).toBe(401);
    expect((await browser.get("/auth")).status).toBe(200);
    market.clock.set("2026-11-23T17:00:00Z");
  });
});

describe("data export", () => {
  const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": "0" };
  const download = (token: string) => market.app.inject({ method: "POST", url: `/account/data/${token}`, headers });

  test("is sent by a mailed link that works once, for a day, after the password", { tags: ["fail:L1"] }, async () => {
    const browser = await customer();
    const { id, email } = browser.customer;
    await createOrder(db, { customerId: id, hub, product: eggs, quantity: 3 });
    await browser.put("/account/profile", { deliveryAddress: { ...ADDRESS, instructions: "Ring twice" } });
    const wrong = await browser.post("/account/export", { password: "wrong" });
    expect([wrong.status, wrong.body]).toEqual([
      400,
      ["That is not your current password.", { code: "wrong_password", field: "password" }],
    ]);
    expect((await browser.post("/account/export", { password: PASSWORD })).body).toEqual({ success: true });
    const mail = (await mailsTo(email!)).find(({ template }) => template === "data-export")!;
    expect(mail.is_secret).toBe(true);
    const { token } = mail.data as { token: string };
    // Programs open links too: only the button uses it up.
    for (const method of ["HEAD", "GET", "GET"] as const) {
      const page = await market.app.inject({ method, url: `/account/data/${token}` });
      expect([page.statusCode, page.headers["cache-control"]]).toEqual([200, "no-store"]);
      expect(page.body).not.toContain(email);
    }
    const both = await Promise.all([download(token), download(token)]);
    const file = both.find(({ statusCode }) => statusCode === 200)!;
    expect(both.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)).toEqual([200, 303]);
    expect([file.statusCode, file.headers["cache-control"], file.headers["content-disposition"]]).toEqual([
      200,
      "no-store",
      'attachment; filename="my-market-data.json"',
    ]);
    expect((await download(token)).headers.location, "once").toBe("/account?data=expired");
    const data = file.json();
    expect(data).toMatchObject({
      customer: { id, email },
      address: [{ instructions: "Ring twice" }],
      order_item: [{ product: "Eggs", quantity: 3 }],
    });
    // Every table with a customer is in the file, unless it is listed here.
    const tables = await db.$queryRaw<{ name: string }[]>`select table_name as name from information_schema.columns
      where table_schema = current_schema() and column_name = 'customer_id'`;
    const linkTables = ["password_reset", "data_export", "deletion"];
    expect(
      tables
        .map(({ name }) => name)
        .filter((name) => !(name in data))
        .toSorted(),
    ).toEqual(linkTables.toSorted());
    expect(file.body).not.toMatch(/argon2|token_hash|password_hash|provider_ref|fingerprint/);
    await browser.post("/account/export", { password: PASSWORD });
    const second = (await mailsTo(email!)).findLast(({ template }) => template === "data-export")!;
    market.clock.advance(Day.ms);
    const late = await download((second.data as { token: string }).token);
    expect([late.statusCode, late.headers.location]).toEqual([303, "/account?data=expired"]);
    const opened = await market.app.inject({ url: `/account/data/${token}` });
    expect([opened.statusCode, opened.headers.location]).toEqual([303, "/account?data=expired"]);
    expect((await download("nobodys")).headers.location).toBe("/account?data=expired");
    market.clock.set("2026-11-23T17:00:00Z");
  });
});

describe("data export of one of two customers", () => {
  test("has the rows of that customer only", { tags: ["fail:L1"] }, async () => {
    const owner = await customer();
    const other = await customer();
    const delivery = hub.deliveries[0]!;
    const snapshot = await db.snapshot.create({
      data: {
        delivery_id: delivery.id,
        hub_id: hub.id,
        day: delivery.day,
        hub_name: hub.name,
        time_zone: hub.time_zone,
        cutoff_at: delivery.cutoff_at,
        frozen_at: delivery.cutoff_at,
      },
    });
    const orderIds = new Map<typeof owner, number>();
    for (const [index, browser] of [owner, other].entries()) {
      await browser.put("/cart", [eggs.line(index + 1)]);
      const sent = await browser.post(`/vendors/${eggs.vendor_id}/messages`, { message: `From ${index}` });
      expect(sent.status).toBe(200);
      const { id } = await createOrder(db, {
        customerId: browser.customer.id,
        hub,
        product: eggs,
        quantity: index + 3,
      });
      orderIds.set(browser, id);
      await db.snapshot_box.create({
        data: { snapshot_id: snapshot.id, order_id: id, tote: index + 1, name: `Person ${index}`, type: "delivery" },
      });
    }
    await owner.post("/account/export", { password: PASSWORD });
    const mail = (await mailsTo(owner.customer.email!)).find(({ template }) => template === "data-export")!;
    const { token } = mail.data as { token: string };
    const file = await market.app.inject({ method: "POST", url: `/account/data/${token}` });
    expect(file.json()).toMatchObject({
      orders: [{ id: orderIds.get(owner) }],
      order_item: [{ quantity: 3 }],
      snapshot_box: [{ order_id: orderIds.get(owner), name: "Person 0" }],
      message: [{ message: "From 0" }],
      cart_item: [{ quantity: 1 }],
    });
    expect(file.body).not.toContain(other.customer.email);
  });
});

describe("delete account", () => {
  test("removes personal data, keeps the orders, and ends every access", { tags: ["fail:F9", "fail:L2"] }, async () => {
    const browser = await customer();
    const { id, email } = browser.customer;
    await browser.put("/account/profile", {
      phone: "317-555-0142",
      handle: "canary",
      deliveryAddress: { ...ADDRESS, address: "7 Canary Street" },
    });
    await browser.post("/payment-methods", { card: GOOD_CARD });
    await browser.post(`/products/${eggs.id}/favorite`);
    await browser.post(`/products/${eggs.id}/reviews`, { comment: "Canary yellow.", rating: 4 });
    await browser.post("/subscriptions", {
      productId: eggs.id,
      variantId: eggs.variant.id,
      qty: 1,
      subscription_interval: 1,
    });
    await browser.put("/cart", [eggs.line(2)]);
    const order = await createOrder(db, { customerId: id, hub, product: eggs });
    await db.order.update({
      where: { id: order.id },
      data: { address: { ...ADDRESS, address: "7 Canary Street" }, delivery_notes: "canary" },
    });
    const second = market.shopper();
    await second.post("/auth/login", { username: email, password: PASSWORD });

    expect((await browser.delete("/account", { password: "wrong" })).status).toBe(400);
    const cookie = browser.cookies.get("mkt_session")!;
    const answer = await browser.delete("/account", { password: PASSWORD });
    expect([answer.status, answer.body]).toEqual([200, { success: true }]);
    expect(browser.cookies.has("mkt_session")).toBe(false);

    const replay = market.shopper();
    replay.cookies.set("mkt_session", cookie);
    expect((await replay.get("/auth")).status).toBe(401);
    expect((await second.get("/auth")).status).toBe(401);
    expect((await market.shopper().post("/auth/login", { username: email, password: PASSWORD })).status).toBe(401);

    const row = await db.customer.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ email: null, password_hash: null, first_name: "", last_name: "", phone: null });
    expect(row.deleted_at).not.toBeNull();
    expect(await db.deletion.count({ where: { customer_id: id } })).toBe(1);
    const kept = await db.order.findUniqueOrThrow({ where: { id: order.id } });
    expect(kept).toMatchObject({ customer_id: id, delivery_notes: "", address: { address: "", city: "Carmel" } });
    const counts = await Promise.all([
      db.address.count({ where: { customer_id: id } }),
      db.cart.count({ where: { customer_id: id } }),
      db.favorite_product.count({ where: { customer_id: id } }),
      db.subscription.count({ where: { customer_id: id } }),
      db.payment_method.count({ where: { customer_id: id, deleted_at: null } }),
    ]);
    expect(counts).toEqual([0, 0, 0, 0, 0]);
    const reviews = await market.shopper().get(`/products/${eggs.id}/reviews`);
    expect(reviews.body).toMatchObject([{ rater: "Former customer", comment: "Canary yellow." }]);
    expect((await mailsTo(email!)).map(({ template }) => template)).toEqual(["account-deleted"]);
    expect((await market.audit()).filter(({ invariant }) => invariant === "V10")).toEqual([]);

    // The address is free again, for a new account with another id.
    const registration = { password: "wheelbarrow", zipCode: "46032", firstName: "Ada", lastName: "Brown" };
    const next = await market.shopper().post("/auth/register", { ...registration, email });
    expect(next.status).toBe(200);
    expect(next.body.id).toBeGreaterThan(id);
  });

  test("deletes the customer and the saved cards at the payment provider, after a dry run that deletes nothing", async () => {
    const browser = await customer();
    await setCard(db, browser.customer.id);
    const { id: _, ...saved } = await db.payment_method.findFirstOrThrow({
      where: { customer_id: browser.customer.id },
    });
    const removed = {
      provider_ref: `${saved.provider_ref}_removed`,
      is_default: false,
      deleted_at: market.clock.now(),
    };
    await db.payment_method.create({ data: { ...saved, ...removed } });
    const { deleteCard, deleteCustomer } = deps.payments;
    const deleted: unknown[] = [];
    deps.payments.deleteCard = async (ref) => void deleted.push(ref);
    deps.payments.deleteCustomer = async (id) => void deleted.push(id);
    try {
      const operator = { deps, now: market.clock.now(), actor: { type: "operator", name: "ada" } as const };
      const id = asCustomerId(browser.customer.id);
      await deleteAccount(operator, id, "by request", true);
      expect([deleted, (await browser.get("/auth")).status]).toEqual([[], 200]);
      await deleteAccount(operator, id, "by request");
      expect(deleted).toEqual([saved.provider_ref, id]);
    } finally {
      Object.assign(deps.payments, { deleteCard, deleteCustomer });
    }
    const [mail] = await mailsTo(browser.customer.email!);
    expect([mail!.template, mail!.data]).toEqual(["account-deleted", { hadPass: false }]);
  });

  test("is rejected while an order is open", { tags: ["fail:L2"] }, async () => {
    const browser = await customer();
    await createOrder(db, { customerId: browser.customer.id, hub, product: eggs, status: "open" });
    const answer = await browser.delete("/account", { password: PASSWORD });
    expect([answer.status, answer.body]).toEqual([
      409,
      [
        "You have an order on its way. Please cancel it, or delete your account once it has arrived.",
        { code: "order_open" },
      ],
    ]);
    expect((await browser.get("/auth")).status).toBe(200);
  });

  test(
    "is rejected in every state in which an order is to be delivered or something is being paid",
    { tags: ["fail:L2"] },
    async () => {
      const now = market.clock.now();
      const order = (status: string) => async (customerId: number) => {
        const { id } = await createOrder(db, { customerId, hub, product: eggs });
        await db.order.update({ where: { id }, data: { status } });
      };
      const payment =
        (state: string, purpose: object | null = { kind: "wagon-pass", plan: "monthly", passId: null }) =>
        (customer_id: number) =>
          db.payment.create({
            data: {
              id: randomUUID(),
              charge_key: randomUUID(),
              customer_id,
              provider: "test",
              state,
              amount_cents: 1395,
              ...(purpose && { purpose }),
              created_at: now,
            },
          });
      const attempt = (state: string) => (customer_id: number) =>
        db.checkout_attempt.create({
          data: {
            id: randomUUID(),
            customer_id,
            hub_id: hub.id,
            delivery_id: hub.deliveries[0]!.id,
            state,
            choice: {},
            plan: {},
            order_total_cents: 100,
            amount_due_cents: 100,
            lease_until: now,
            expires_at: now,
            created_at: now,
          },
        });
      const cases: [what: string, create: (customerId: number) => Promise<unknown>, expected: string][] = [
        ["a future order", order("future"), "order_open"],
        ["an open order", order("open"), "order_open"],
        ["a pending order", order("pending"), "order_open"],
        ["a closed order", order("closed"), "deleted"],
        ["a canceled order", order("cancelled"), "deleted"],
        ["a new payment", payment("created"), "order_open"],
        ["a payment with a challenge", payment("challenge"), "order_open"],
        ["an authorized payment", payment("authorized"), "order_open"],
        ["a captured payment", payment("captured"), "deleted"],
        ["an authorized charge of an order", payment("authorized", null), "deleted"],
        ["a held checkout", attempt("held"), "order_open"],
        ["a checkout with a challenge", attempt("challenge"), "order_open"],
        ["a failed checkout", attempt("failed"), "deleted"],
      ];
      for (const [what, create, expected] of cases) {
        const { id } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
        await create(id);
        const ctx = { deps, now, actor: { type: "system", job: "test" } } as const;
        const result = await deleteAccount(ctx, asCustomerId(id)).then(
          () => "deleted",
          ({ details }: { details: { code: string } }) => details.code,
        );
        const { deleted_at } = await db.customer.findUniqueOrThrow({ where: { id } });
        expect([what, result, deleted_at !== null]).toEqual([what, expected, expected === "deleted"]);
      }
    },
  );

  test("is rejected while a gift card or pass is being paid", { tags: ["fail:L2"] }, async () => {
    const browser = await customer();
    const payment = await db.payment.create({
      data: {
        id: randomUUID(),
        customer_id: browser.customer.id,
        provider: "test",
        state: "challenge",
        amount_cents: 1395,
        purpose: { kind: "wagon-pass", plan: "monthly", passId: null },
        created_at: market.clock.now(),
      },
    });
    const answer = await browser.delete("/account", { password: PASSWORD });
    expect([answer.status, answer.body[1].code]).toEqual([409, "order_open"]);
    await db.payment.update({ where: { id: payment.id }, data: { state: "failed" } });
    expect((await browser.delete("/account", { password: PASSWORD })).status).toBe(200);
  });
});

test("profile: a zip code that the market does not deliver to is stored, and the answer says so and offers pickup", async () => {
  const browser = await customer();
  const zipOf = async () => (await db.customer.findUniqueOrThrow({ where: { id: browser.customer.id } })).zip_code;
  const changed = await browser.put("/account/profile", { firstName: "Ada", zipCode: "80302" });
  expect([changed.status, changed.body.firstName, changed.body.zipCode]).toEqual([200, "Ada", "80302"]);
  expect(changed.body.homeDelivery).toEqual({
    zipCode: "80302",
    isPossible: false,
    note: expect.stringMatching(/ does not deliver to 80302\. You can pick up your order at Depot 1, Carmel\.$/),
  });
  expect(await zipOf()).toBe("80302");
  const back = await browser.put("/account/profile", { zipCode: "46033" });
  expect(back.body.homeDelivery).toMatchObject({ zipCode: "46033", isPossible: true });
  expect(await zipOf()).toBe("46033");
});

test("profile: the last order's date is that of the last one that was not cancelled", async () => {
  const browser = await customer();
  const order = { customerId: browser.customer.id, hub, product: eggs };
  const lastOrderDate = async () => (await browser.get("/account/profile")).body.lastOrderDate;
  expect(await lastOrderDate()).toBeNull();
  await createOrder(db, { ...order, createdAt: new Date("2026-11-02T12:00:00Z") });
  await createOrder(db, { ...order, createdAt: new Date("2026-11-09T12:00:00Z"), status: "cancelled" });
  expect(await lastOrderDate()).toBe("2026-11-02");
});
