import PostalMime from "postal-mime";
import { beforeEach, describe, expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createAddress, createHub, createProduct, setCard, setInventory } from "../../../test/factories.ts";
import { fakeSmtp } from "../../../test/fake-smtp.ts";
import { signIn } from "../../../test/sign-in.ts";
import { smtpMailer } from "../../gateways/mailer/smtp-mailer.ts";
import { runAutoCheckouts } from "../../jobs/auto-checkout.ts";
import { runWeek, sendReminders } from "../../jobs/week.ts";
import { type OrderForMail, sampleLines, sampleOrder } from "../orders/find-order-for-mail.ts";
import { orderConfirmation } from "../orders/mails.ts";
import { sampleBack, sampleGoods } from "../week/mails.ts";
import { renderMail } from "./layout.ts";
import { readUnsubscribeToken, sendDueMail, unsubscribeToken } from "./send-mail.ts";

const smtp = await fakeSmtp();
const market = await buildTestApp({
  overrides: { mailer: smtpMailer(smtp.url, "Little Wagon <hello@little-wagon.example>") },
  env: { PUBLIC_URL: "https://market.example.org" },
});
const { db, deps, app } = market;
beforeEach(async () => {
  market.clock.set(MONDAY);
  await db.mail.deleteMany();
  smtp.taken.length = 0;
});
const tick = async (at: string) => {
  market.clock.set(at);
  const ctx = { now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps };
  await runWeek(ctx);
  await sendReminders(ctx);
  await sendDueMail(deps);
};
type Customer = Awaited<ReturnType<typeof signIn>>;
const mailsTo = (who: Customer) => smtp.taken.filter((mail) => mail.to?.[0]?.address === who.customer.email);
const subjectsTo = (who: Customer) => mailsTo(who).map((mail) => mail.subject);
const tagOf = (text: string) => /<\w+/.test(text);

describe("every mail", () => {
  test.each(Object.entries(deps.mailTemplates))(
    "%s: plain text has the same content and link as the HTML",
    (_name, template) => {
      const content = template.sample("Little Wagon");
      const mail = renderMail(content, deps.env);
      expect(mail.subject).not.toMatch(/undefined|NaN|null|\[object/);
      expect(mail.text).not.toMatch(/undefined|NaN|\[object/);
      expect(tagOf(mail.text)).toBe(false);
      // Readable on phones, no inverted colors in dark mode, long words wrap.
      expect(mail.html).toContain('<meta name="viewport" content="width=device-width,initial-scale=1">');
      expect(mail.html).toContain('<meta name="color-scheme" content="light only">');
      expect(mail.html).toMatch(/<body style="[^"]*overflow-wrap:anywhere/);
      for (const part of content.parts)
        if (typeof part !== "string")
          for (const [label, value] of part.rows) expect(mail.text).toContain(`${label}: ${value}`);
      if (content.link) {
        expect(mail.text).toContain(`https://market.example.org${content.link.path}`);
        expect(mail.html).toContain(`href="https://market.example.org${content.link.path}"`);
      }
    },
  );

  test("every mail that lists items names the size of each, once", () => {
    const titles = [
      ...sampleLines.map(({ product_title }) => product_title),
      ...sampleGoods.map(({ product }) => product),
      sampleBack.product_title,
    ];
    // What has a count is an item too, whatever it is called.
    const items = new RegExp(`((?<=\\d × )|${titles.join("|")})[^\\n(:]*?(?= \\(|:| is | from | did |$)`, "gm");
    const named = Object.entries(deps.mailTemplates).flatMap(([name, template]) => {
      const mail = renderMail(template.sample("Little Wagon"), deps.env);
      const found = [...`${mail.subject}\n${mail.text}`.matchAll(items)].map(([text]) => text);
      return found.length === 0 ? [] : [[name, [...new Set(found)].toSorted()] as const];
    });
    const ordered = ["Free-range eggs, Dozen", "Sourdough, Large loaf, 2 lb"];
    const goods = ["Carrots, Small · 8 oz", "Free-range eggs, Large · dozen"];
    expect(Object.fromEntries(named)).toEqual({
      "order-confirmation": ordered,
      "order-changed": ordered,
      "order-moved": ordered,
      "order-short": ordered,
      "auto-checkout-short": ordered,
      "auto-checkout-soon": ordered,
      "auto-checkout-changed": ordered,
      "back-in-stock": ["Wild blueberries, Pint, 11 oz"],
      "vendor-order": goods,
      "vendor-change": goods,
    });
  });

  test("order confirmation: has the parts of the receipt, without what is not in the total", () => {
    const labels = (order: OrderForMail) =>
      orderConfirmation(order).parts.flatMap((part) =>
        typeof part === "string" ? [] : part.rows.map(([label]) => label),
      );
    expect(labels(sampleOrder).slice(-6)).toEqual([
      "Items",
      "Discount",
      "Home delivery",
      "Tip for the driver",
      "Processing fee",
      "Tax",
    ]);
    const free = { ...sampleOrder, discount_cents: 0, tip_cents: 0, delivery_fee_cents: 0, card_fee_cents: 0 };
    expect(labels(free).slice(-4)).toEqual(["Items", "Home delivery", "Processing fee", "Tax"]);
    expect(renderMail(orderConfirmation(free), deps.env).text).toContain("Home delivery: Free");
  });

  test("order confirmation: shows that the card is authorized and not charged, and the time zone of the cutoff", () => {
    const order: OrderForMail = {
      ...sampleOrder,
      status: "open",
      time_zone: "America/Denver",
      authorized_cents: sampleOrder.order_total_cents,
    };
    const { text } = renderMail(orderConfirmation(order), deps.env);
    expect(text).toContain("Your card is authorized for $33.21, not charged yet. You’ll be charged when orders close.");
    // The order was lowered since.
    const lowered = renderMail(orderConfirmation({ ...order, authorized_cents: 3895 }), deps.env);
    expect(lowered.text).toContain(
      "Your card is authorized for $38.95, not charged yet. We’ll charge $33.21 of it when orders close.",
    );
    expect(text).toMatch(/You can add to this order or change it until .*\(Mountain Time\)\./);
    const paid = renderMail(orderConfirmation({ ...order, authorized_cents: 0 }), deps.env);
    expect(paid.text).not.toContain("authorized");
  });

  test("preview pages: in development only", async () => {
    const list = await app.inject("/dev/mails");
    expect(list.statusCode).toBe(200);
    for (const name of Object.keys(deps.mailTemplates)) {
      expect(list.body).toContain(`/dev/mails/${name}"`);
      const page = await app.inject(`/dev/mails/${name}`);
      expect([page.statusCode, page.headers["content-security-policy"]]).toEqual([
        200,
        expect.stringContaining("sandbox"),
      ]);
      expect((await app.inject(`/dev/mails/${name}.txt`)).headers["content-type"]).toContain("text/plain");
    }
    expect((await app.inject("/dev/mails/no-such")).statusCode).toBe(404);
    const live = await buildTestApp({
      url: market.url,
      env: {
        NODE_ENV: "production",
        PUBLIC_URL: "https://market.example.org",
        SESSION_SECRET: "k".repeat(20) + "j3J9".repeat(8),
        PASSWORD_PEPPER: "p9P1".repeat(12),
        RATE_LIMITS: "on",
        PAYMENTS: "offline",
      },
    });
    expect((await live.app.inject("/dev/mails")).statusCode).toBe(404);
  });
});

describe("reminders", () => {
  test("a day before auto-checkout: one mail with exactly what will be ordered, also with two servers", async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { title: "Eggs", priceCents: 650, inventory: 50 });
    const flat = await createProduct(db, hub.id, { vendorId: eggs.vendor_id, title: "Eggs", priceCents: 1500 });
    await db.variant.update({ where: { id: flat.variant.id }, data: { unit: "flat of 30" } });
    const who = await signIn(market, { hubId: hub.id });
    await createAddress(db, who.customer.id);
    await setCard(db, who.customer.id);
    await who.put("/subscriptions/status", { enabled: true, status: 1 });
    await who.put("/cart", [eggs.line(2), flat.line(1)]);
    const off = await signIn(market, { hubId: hub.id });
    await tick("2026-11-22T17:59:59Z");
    expect(subjectsTo(who)).toEqual([]);
    await Promise.all([tick("2026-11-22T18:00:00Z"), tick("2026-11-22T18:00:00Z")]);
    await tick("2026-11-22T19:00:00Z");
    expect(subjectsTo(who)).toEqual(["We order for you 1PM Monday"]);
    const [mail] = mailsTo(who);
    const { name } = await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } });
    const lines = [`2 × Eggs, Each (${name}): $13.00`, `1 × Eggs, flat of 30 (${name}): $15.00`];
    for (const line of lines) expect(mail!.text).toContain(line);
    await runAutoCheckouts({
      now: (market.clock.set("2026-11-23T18:00:00Z"), market.clock.now()),
      actor: { type: "system", job: "test" },
      deps,
    });
    const order = await db.order.findFirstOrThrow({ where: { customer_id: who.customer.id } });
    expect(mail!.text).toContain(`Total with fees and tax: $${(order.order_total_cents / 100).toFixed(2)}`);
    expect(await db.mail.count({ where: { to_email: off.customer.email! } })).toBe(0);
    await sendDueMail(deps);
    for (const line of lines) expect(mailsTo(who).at(-1)!.text).toContain(line);
  });

  test("a day before the cutoff: only to customers with a cart and no order, and never after the cutoff", async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 50 });
    const [cart, empty, quiet] = [
      await signIn(market, { hubId: hub.id }),
      await signIn(market, { hubId: hub.id }),
      await signIn(market, { hubId: hub.id }),
    ];
    await cart.put("/cart", [eggs.line(1)]);
    await quiet.put("/cart", [eggs.line(1)]);
    await db.customer.update({ where: { id: quiet.customer.id }, data: { subscribed_all_messages: false } });
    await tick("2026-11-24T06:00:00Z");
    expect([cart, empty, quiet].map(subjectsTo)).toEqual([["Order by 1AM Wednesday"], [], []]);
    expect(await db.mail.count({ where: { to_email: { in: [empty.customer.email!, quiet.customer.email!] } } })).toBe(
      0,
    );

    const late = await createHub(db);
    const milk = await createProduct(db, late.id);
    const who = await signIn(market, { hubId: late.id });
    await who.put("/cart", [milk.line(1)]);
    market.clock.set("2026-11-24T07:00:00Z");
    const ctx = () => ({ now: market.clock.now(), actor: { type: "system" as const, job: "test" }, deps });
    await runWeek(ctx());
    await sendReminders(ctx());
    // The mail server is back after the cutoff: the reminder is dropped.
    market.clock.set("2026-11-25T06:00:00Z");
    await sendDueMail(deps);
    expect(subjectsTo(who)).toEqual([]);
    expect(await db.mail.count({ where: { to_email: who.customer.email!, sent_at: null } })).toBe(0);
    expect(await db.mail.count({ where: { to_email: who.customer.email! } })).toBe(1);
  });

  test("sold-out item of a cart is in stock again: one mail", async () => {
    const hub = await createHub(db);
    const jam = await createProduct(db, hub.id, { title: "Jam", inventory: 3 });
    await db.variant.update({ where: { id: jam.variant.id }, data: { measure: "oz", measure_amount: 8 } });
    const who = await signIn(market, { hubId: hub.id });
    await who.put("/cart", [jam.line(2)]);
    await setInventory(db, jam.variant.id, hub.id, 0);
    await db.cart_item.updateMany({ where: { variant_id: jam.variant.id }, data: { watching: true } });
    await tick("2026-11-23T17:05:00Z");
    expect(subjectsTo(who)).toEqual([]);
    await setInventory(db, jam.variant.id, hub.id, 4);
    await tick("2026-11-23T17:06:00Z");
    await tick("2026-11-23T17:07:00Z");
    expect(subjectsTo(who)).toEqual(["Jam, 8 oz is back"]);
    expect(mailsTo(who)[0]!.text).toContain("There are 4 left.");
    expect((await who.get("/cart")).body.items).toMatchObject([{ watching: false, quantity: 2 }]);
  });
});

describe("unsubscribe", () => {
  test("one-click request or the button of the page: ends reminders and marketing, and nothing else", async () => {
    const hub = await createHub(db);
    const eggs = await createProduct(db, hub.id, { inventory: 50 });
    const who = await signIn(market, { hubId: hub.id });
    await who.put("/cart", [eggs.line(1)]);
    await tick("2026-11-24T06:00:00Z");
    const [mail] = mailsTo(who);
    const header = (key: string) => mail!.headers.find((candidate) => candidate.key === key)?.value;
    expect(header("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
    const url = /^<https:\/\/market\.example\.org(\/unsubscribe\/[^>]+)>$/.exec(header("list-unsubscribe")!)?.[1];
    expect(mail!.text).toContain(url);
    const page = await app.inject(url!);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain("<button>Unsubscribe</button>");
    const where = { id: who.customer.id };
    await db.customer.update({ where, data: { subscribed_marketing_emails: true } });
    const wants = async () => {
      const { subscribed_all_messages: all, subscribed_marketing_emails: marketing } =
        await db.customer.findUniqueOrThrow({ where });
      return [all, marketing];
    };
    expect(await wants()).toEqual([true, true]);
    const click = await app.inject({
      method: "POST",
      url: url!,
      headers: {
        "content-type": "application/x-www-form-urlencoded",
        origin: "https://mail.example.com",
        "sec-fetch-site": "cross-site",
      },
      payload: "List-Unsubscribe=One-Click",
    });
    expect([click.statusCode, ...(await wants())]).toEqual([200, false, false]);
    expect((await app.inject({ method: "POST", url: url! })).statusCode).toBe(200);
    // Mail programs should send it as multipart (RFC 8058 §3.2); then, and by a button without fields, it works too.
    const multipart = `--b\r\ncontent-disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n`;
    for (const [type, payload] of [
      ["multipart/form-data; boundary=b", multipart],
      ["application/x-www-form-urlencoded", ""],
    ] as const) {
      await db.customer.update({ where, data: { subscribed_all_messages: true } });
      const headers = { "content-type": type, "content-length": String(payload.length) };
      const posted = await app.inject({ method: "POST", url: url!, headers, payload });
      expect([type, posted.statusCode, ...(await wants())]).toEqual([type, 200, false, false]);
    }
    // A reminder that is already queued is dropped.
    await db.mail.updateMany({ where: { to_email: who.customer.email! }, data: { sent_at: null, next_at: null } });
    smtp.taken.length = 0;
    expect([await sendDueMail(deps), smtp.taken]).toEqual([0, []]);
  });

  test("link with an invalid signature: 404", async () => {
    const secrets = deps.env.sessionSecrets;
    const token = unsubscribeToken(7, secrets);
    expect(readUnsubscribeToken(token, ["other", ...secrets])).toBe(7);
    for (const bad of [token.replace("7.", "8."), `${token}x`, "7.", "", "0." + token.slice(2), token.toUpperCase()]) {
      expect(readUnsubscribeToken(bad, secrets)).toBeNull();
      expect((await app.inject({ method: "POST", url: `/unsubscribe/${bad || "x"}` })).statusCode).toBe(404);
    }
    expect(readUnsubscribeToken(token, ["other"])).toBeNull();
  });

  test("mail that is not a reminder: sent whatever the preferences, without an unsubscribe link", async () => {
    const who = await signIn(market, { hubId: (await createHub(db)).id });
    await db.customer.update({ where: { id: who.customer.id }, data: { subscribed_all_messages: false } });
    await db.mail.create({
      data: {
        key: "x",
        template: "wagon-pass-lapsed",
        to_email: who.customer.email!,
        data: {},
        created_at: market.clock.now(),
      },
    });
    expect(await sendDueMail(deps)).toBe(1);
    expect(mailsTo(who)[0]!.headers.map(({ key }) => key)).not.toContain("list-unsubscribe");
  });
});

test("file mailer: files parse and have the same headers", async () => {
  const { fileMailer } = await import("../../gateways/mailer/file-mailer.ts");
  const { readdir, readFile } = await import("node:fs/promises");
  const dir = `${market.dataDir}/mail-test`;
  const mailer = fileMailer(dir, "a@b.example", deps.log);
  await mailer.send({
    to: "rosa@example.com",
    subject: "Order by 1AM",
    text: "Hello",
    html: "<p>Hello</p>",
    messageId: "<1@x>",
    unsubscribe: "https://x/unsubscribe/1",
  });
  const [name] = await readdir(dir);
  const mail = await PostalMime.parse(await readFile(`${dir}/${name}`));
  expect([mail.subject, mail.text?.trim(), mail.headers.find(({ key }) => key === "list-unsubscribe")?.value]).toEqual([
    "Order by 1AM",
    "Hello",
    "<https://x/unsubscribe/1>",
  ]);
  // Auto-responders do not reply (RFC 3834).
  expect(mail.headers.find(({ key }) => key === "auto-submitted")?.value).toBe("auto-generated");
});
