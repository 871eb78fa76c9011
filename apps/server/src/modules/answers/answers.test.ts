import { Day } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createProduct, PASSWORD } from "../../../test/factories.ts";
import { mailsIn } from "../../../test/mails.ts";
import { signIn } from "../../../test/sign-in.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { type Subject, revokeLink } from "./store.ts";

const market = await buildTestApp();
const { db, clock, deps, app } = market;
const hub = await createHub(db);

/** A vendor with an email address, a product and a customer. */
async function scene() {
  const eggs = await createProduct(db, hub.id, { title: "Duck eggs" });
  const email = `farm.${eggs.id}@example.com`;
  const farm = await db.vendor.update({ where: { id: eggs.vendor_id }, data: { email, name: "Duck & Sons" } });
  const anna = await signIn(market, { hubId: hub.id });
  await db.customer.update({ where: { id: anna.customer.id }, data: { first_name: "Anna", last_name: "Brown" } });
  const message = async (text = "Are they <b>larger</b>?\nBy how much?") =>
    (await anna.post(`/vendors/${farm.id}/messages`, { message: text })).body.id as number;
  const ask = async () =>
    (await anna.post(`/products/${eggs.id}/questions`, { question: "Do they keep?" })).body[0].id as number;
  return { eggs, farm, anna, email, message, ask };
}

/** The link in the latest mail to a vendor. */
async function linkTo(email: string): Promise<string> {
  await sendDueMail(deps);
  const row = await db.mail.findFirstOrThrow({ where: { to_email: email }, orderBy: { id: "desc" } });
  const link = await db.answer_link.findUniqueOrThrow({ where: { id: (row.data as { linkId: string }).linkId } });
  const path = `/answer/${vendorTokens("answer", deps.env.sessionSecrets).sign(link.id)}`;
  const mails = (await mailsIn(market.dataDir)).filter((mail) => mail.to?.[0]?.address === email);
  expect(mails.some((mail) => mail.text?.includes(path) && mail.html?.includes(path))).toBe(true);
  return path;
}

/** A page as a browser without script gets it. */
const open = (url: string) => app.inject({ url, headers: { accept: "text/html" } });
const send = (url: string, answer: string | null, headers: Record<string, string> = {}) =>
  app.inject({
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
    payload: answer === null ? "" : new URLSearchParams({ answer }).toString(),
  });

test("answer link: the vendor answers a message; the customer gets it in the inbox and a mail", async () => {
  const { anna, email, message } = await scene();
  const threadId = await message();
  const url = await linkTo(email);
  const page = await open(url);
  expect([page.statusCode, page.headers["cache-control"], page.headers["x-robots-tag"]]).toEqual([
    200,
    "no-store",
    "noindex",
  ]);
  expect(page.body).toContain("Anna B. wrote to Duck &amp; Sons");
  expect(page.body).toContain("Are they &lt;b&gt;larger&lt;/b&gt;?<br>By how much?");
  expect(page.body).not.toContain("Brown");
  expect(page.body).not.toContain(anna.customer.email);
  expect(page.body).not.toMatch(/<script|<nav|\/shop/);

  clock.advance(1000);
  const sent = await send(url, "By half.\r\nAnd richer.");
  expect([sent.statusCode, sent.headers.location]).toEqual([303, url]);
  const after = await open(url);
  expect([after.statusCode, after.body.includes("This was answered")]).toEqual([200, true]);
  expect((await anna.get(`/inbox/${threadId}`)).body).toMatchObject({
    isRead: false,
    lastMessage: { sender: "U", message: "By half.\nAnd richer." },
  });
  await sendDueMail(deps);
  await sendDueMail(deps);
  const mails = (await mailsIn(market.dataDir)).filter((mail) => mail.to?.[0]?.address === anna.customer.email);
  expect(mails.map(({ subject }) => subject)).toEqual(["Duck & Sons wrote to you"]);
  expect(mails[0]!.text).toContain(`/inbox/${threadId}`);
});

test("answer link: the answer to a question is public", { tags: ["spec:3-26"] }, async () => {
  const { eggs, anna, email, ask } = await scene();
  await ask();
  const url = await linkTo(email);
  expect((await open(url)).body).toContain("A question about Duck eggs");
  expect((await send(url, "Three weeks.")).statusCode).toBe(303);
  const { body } = await market.shopper().get(`/products/${eggs.id}/questions`);
  expect(body).toMatchObject([{ question: "Do they keep?", answer: "Three weeks." }]);
  await sendDueMail(deps);
  const mails = (await mailsIn(market.dataDir)).filter((mail) => mail.to?.[0]?.address === anna.customer.email);
  expect(mails.map(({ subject }) => subject)).toEqual(["Duck & Sons answered your question"]);
  expect(mails[0]!.text).toContain(`/product/${eggs.slug}`);
});

test("answer link: the answer to a review goes only to the inbox of its author", async () => {
  const { eggs, farm, anna, email } = await scene();
  await anna.post(`/products/${eggs.id}/reviews`, { rating: 3.5, comment: "A little small." });
  const url = await linkTo(email);
  const page = await open(url);
  expect(page.body).toContain("3.5 of 5 stars for Duck eggs");
  expect(page.body).toContain("A little small.");
  await send(url, "The next ones are bigger.");
  expect((await anna.get("/inbox")).body).toMatchObject([
    { vendor: { id: farm.id }, isRead: false, lastMessage: { sender: "U", message: "The next ones are bigger." } },
  ]);
  const reviews = await market.shopper().get(`/products/${eggs.id}/reviews`);
  expect(JSON.stringify(reviews.body)).not.toContain("bigger");
});

test("answer link: the answer to a review of an account that was deleted is stored for no one, and the page stays plain", async () => {
  const { eggs, anna, email } = await scene();
  await anna.post(`/products/${eggs.id}/reviews`, { rating: 5, comment: "Very good." });
  const url = await linkTo(email);
  expect((await anna.delete("/account", { password: PASSWORD })).status).toBe(200);
  expect((await send(url, "Thank you.")).statusCode).toBe(303);
  expect((await open(url)).statusCode).toBe(200);
  expect(await db.thread.count({ where: { customer_id: anna.customer.id } })).toBe(0);
});

test("answer link: of a long thread the vendor reads the latest twenty messages, the oldest of them first", async () => {
  const { email, message } = await scene();
  const threadId = await message("Number 0.");
  const at = clock.now();
  await db.message.createMany({
    data: Array.from({ length: 20 }, (_, n) => ({
      thread_id: threadId,
      sender: "C",
      message: `Number ${n + 1}.`,
      created_at: new Date(at.getTime() + n + 1),
    })),
  });
  const { body } = await open(await linkTo(email));
  expect(body.match(/Number \d+\./g)).toEqual(Array.from({ length: 20 }, (_, n) => `Number ${n + 1}.`));
});

test("answer link: a used link is rejected; the next message has a new one", async () => {
  const { anna, email, message } = await scene();
  const threadId = await message("First");
  const used = await linkTo(email);
  await send(used, "One");
  const again = await send(used, "Two");
  expect([again.statusCode, again.body.includes("This was answered")]).toEqual([409, true]);
  const messages = async () =>
    (await anna.get(`/inbox/${threadId}`)).body.messages.map((row: { message: string }) => row.message);
  expect(await messages()).toEqual(["First", "One"]);
  clock.advance(1000);
  await message("Second");
  const next = await linkTo(email);
  expect(next).not.toBe(used);
  expect((await send(next, "Two")).statusCode).toBe(303);
  expect(await messages()).toEqual(["First", "One", "Second", "Two"]);
});

test("answer link: concurrent submissions store one answer", async () => {
  const { anna, email, message } = await scene();
  const threadId = await message();
  const url = await linkTo(email);
  const answers = await Promise.all(["One", "Two", "Three", "Four"].map((text) => send(url, text)));
  expect(answers.every(({ statusCode }) => statusCode === 303 || statusCode === 409)).toBe(true);
  expect((await anna.get(`/inbox/${threadId}`)).body.messages).toHaveLength(2);
  expect(await db.mail.count({ where: { template: "vendor-answer", to_email: String(anna.customer.email) } })).toBe(1);
});

test("answer link: expired, revoked and forged links, and those of deleted subjects, show their state", async () => {
  const state = async (of: Subject, spoil: (subjectId: number, url: string) => Promise<string>) => {
    const { anna, email, message, ask } = await scene();
    const subjectId = of === "thread" ? await message() : await ask();
    const url = await spoil(subjectId, await linkTo(email));
    const before = await db.message.count();
    const [page, answer] = [await open(url), await send(url, "Let me in")];
    expect([answer.statusCode, answer.body.includes(/<h1>(.*?)<\/h1>/.exec(page.body)![1]!)]).toEqual([
      page.statusCode,
      true,
    ]);
    expect(await db.message.count()).toBe(before);
    expect(page.body).not.toContain("larger");
    expect(page.body).not.toContain(anna.customer.email);
    return [page.statusCode, /<h1>(.*?)<\/h1>/.exec(page.body)![1]];
  };
  expect(
    await state("question", async (id, url) => {
      await revokeLink(db, "question", id, clock.now());
      return url;
    }),
  ).toEqual([410, "This link was taken back"]);
  expect(
    await state("question", async (id, url) => {
      await db.question.delete({ where: { id } });
      return url;
    }),
  ).toEqual([410, "There is nothing to answer any more"]);
  const unknown = [404, "This link does not work"];
  const forged = (url: string) => url.replace(/.(?=.{9}$)/, (letter) => (letter === "x" ? "y" : "x"));
  expect(await state("thread", async (_, url) => forged(url))).toEqual(unknown);
  expect(await state("thread", async (_, url) => url.split(".")[0]!)).toEqual(unknown);
  expect(await state("thread", async (_, url) => `/answer/${"a".repeat(5_000)}${url.slice(-3)}`)).toEqual(unknown);
  const foreign = vendorTokens("answer", ["another secret that is long enough to sign"]);
  expect(await state("thread", async (_, url) => `/answer/${foreign.sign(url.slice(8, 44))}`)).toEqual(unknown);
  expect(
    await state("thread", async (_, url) => {
      clock.advance(30 * Day.ms);
      return url;
    }),
  ).toEqual([410, "This link has expired"]);
});

test("answer link: a later message makes it valid for another 30 days; a revoked one leaves those of others", async () => {
  const { email, message } = await scene();
  const other = await scene();
  const threadId = await message("First");
  await other.message();
  const [url, othersUrl] = [await linkTo(email), await linkTo(other.email)];
  const before = clock.now();
  clock.advance(20 * Day.ms);
  await message("Second");
  expect(await linkTo(email)).toBe(url);
  clock.advance(9 * Day.ms);
  expect([(await open(url)).statusCode, (await open(othersUrl)).statusCode]).toEqual([200, 200]);
  clock.advance(Day.ms);
  expect([(await open(url)).statusCode, (await open(othersUrl)).statusCode]).toEqual([200, 410]);
  clock.advance(20 * Day.ms);
  expect((await open(url)).body).toContain("This link has expired");
  clock.set(before);
  await revokeLink(db, "thread", threadId, clock.now());
  expect([(await open(url)).statusCode, (await open(othersUrl)).statusCode]).toEqual([410, 200]);
});

test("answer link: a question that an operator answered counts as answered", async () => {
  const { email, ask } = await scene();
  const id = await ask();
  const url = await linkTo(email);
  await db.question.update({ where: { id }, data: { answer: "By phone.", answered_at: clock.now() } });
  expect((await open(url)).body).toContain("This was answered");
  expect((await send(url, "By mail.")).statusCode).toBe(409);
  expect((await db.question.findUniqueOrThrow({ where: { id } })).answer).toBe("By phone.");
});

test(
  "answer link: an invalid answer is returned with its text, and the link stays open",
  { tags: ["fail:I15", "fail:H2"] },
  async () => {
    const { anna, email, message } = await scene();
    const threadId = await message();
    const url = await linkTo(email);
    for (const [text, error] of [
      [null, "Write an answer"],
      ["  ", "Write an answer"],
      ["\0\u200B", "Write an answer"],
      [`${"a".repeat(250)}<i>`, "Your answer has 253 characters; 250 is the most"],
    ] as const) {
      const answer = await send(url, text);
      expect([text, answer.statusCode, answer.body.includes(error)]).toEqual([text, 400, true]);
      if (text?.includes("<i>")) expect(answer.body).toContain(`${"a".repeat(250)}&lt;i&gt;</textarea>`);
    }
    expect((await send(url, "a".repeat(20_000))).statusCode).toBe(413);
    expect((await anna.get(`/inbox/${threadId}`)).body.messages).toHaveLength(1);
    // A line break is one character, as the browser counts it.
    expect((await send(url, `${"a\r\n".repeat(124)}ab`)).statusCode).toBe(303);
  },
);

test("answer link: the mail's row contains no message and no token", { tags: ["fail:L2"] }, async () => {
  const { email, message } = await scene();
  await message("The canary sings");
  const row = await db.mail.findFirstOrThrow({ where: { to_email: email } });
  expect(JSON.stringify(row.data)).not.toMatch(/canary|\./);
});
