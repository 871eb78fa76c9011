import { Thread, ThreadSummary } from "@marketday/contracts/inbox";
import { Minute } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createVendor } from "../../../test/factories.ts";
import { mailsIn } from "../../../test/mails.ts";
import { race } from "../../../test/race.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";
import { sendDueMail } from "../mail/send-mail.ts";

const market = await buildTestApp();
const { db, clock, deps } = market;
const hub = await createHub(db);

/** Inserts a message of the vendor, a minute after the previous one. */
async function vendorWrites(threadId: number, message: string) {
  clock.advance(Minute.ms);
  await db.message.create({ data: { thread_id: threadId, sender: "U", message, created_at: clock.now() } });
  await db.thread.update({ where: { id: threadId }, data: { updated_at: clock.now() } });
}

test(
  "inbox: two messages to a vendor share one thread, and each is emailed to the vendor with the same answer link",
  { tags: ["spec:3-30", "spec:7.10-01", "spec:7.10-02", "spec:5-41"] },
  async () => {
    const farm = await createVendor(db, { name: "Goose Hill" });
    await db.vendor.update({ where: { id: farm.id }, data: { email: "goose@example.com" } });
    const anna = await signIn(market, { hubId: hub.id });
    const first = await anna.post(`/vendors/${farm.slug}/messages`, { message: "  Do you have goose eggs? " });
    expect(Thread.parse(first.body)).toEqual(first.body);
    expect([first.status, first.body]).toEqual([
      200,
      {
        id: expect.any(Number),
        vendor: { id: farm.id, slug: farm.slug, name: "Goose Hill", city: "Sheridan", state: "IN", avatar: null },
        isRead: true,
        lastMessage: { sender: "C", created: clock.now().toISOString(), message: "Do you have goose eggs?" },
        messages: [{ sender: "C", created: clock.now().toISOString(), message: "Do you have goose eggs?" }],
      },
    ]);
    clock.advance(Minute.ms);
    const second = await anna.post(`/vendors/${farm.id}/messages`, { message: "In spring?" });
    expect(second.body.id).toBe(first.body.id);
    expect(second.body.messages.map(({ message }: { message: string }) => message)).toEqual([
      "Do you have goose eggs?",
      "In spring?",
    ]);
    expect((await anna.get(`/inbox/${first.body.id}`)).body).toEqual(second.body);
    const { messages: _, ...summary } = second.body;
    const list = await anna.get("/inbox");
    expect(list.body).toEqual([summary]);
    expect(ThreadSummary.array().parse(list.body)).toEqual(list.body);
    expect([list.headers["cache-control"], list.headers["x-rows-per-page"]]).toEqual(["no-store", "5"]);

    await sendDueMail(deps);
    await sendDueMail(deps);
    const mails = (await mailsIn(market.dataDir)).filter((mail) => mail.to?.[0]?.address === "goose@example.com");
    const bodies = mails.map((mail) => mail.text ?? "").toSorted((a, b) => a.localeCompare(b));
    expect(bodies).toEqual([expect.stringContaining("Do you have goose eggs?"), expect.stringContaining("In spring?")]);
    // A thread has one answer link.
    const links = bodies.map((body) => /\/answer\/\S+/.exec(body)?.[0]);
    expect([links[0], new Set(links).size]).toEqual([expect.stringMatching(/^\/answer\/[0-9a-f-]{36}\.[\w-]{43}$/), 1]);
    expect(bodies.join()).not.toContain(anna.customer.email);
  },
);

test("inbox: a message to a vendor without an email address is emailed to the market", async () => {
  const farm = await createVendor(db, { name: "No Post Farm" });
  const anna = await signIn(market, { hubId: hub.id });
  await anna.post(`/vendors/${farm.id}/messages`, { message: "Hello" });
  const mail = await db.mail.findFirstOrThrow({
    where: { key: { startsWith: "vendor-message:" } },
    orderBy: { id: "desc" },
  });
  expect(mail.to_email).toBe(deps.env.supportEmail);
});

test(
  "inbox: threads are listed five per page, most recent message first",
  { tags: ["spec:7.10-01", "spec:2.1-29", "spec:9-29"] },
  async () => {
    const anna = await signIn(market, { hubId: hub.id });
    const farms = [];
    for (let n = 0; n < 7; n += 1) {
      const farm = await createVendor(db);
      clock.advance(Minute.ms);
      const thread = await anna.post(`/vendors/${farm.id}/messages`, { message: `Message ${n}` });
      farms.push(thread.body.id);
    }
    await vendorWrites(farms[0], "I am first again");
    const ids = async (query: string) =>
      (await anna.get(`/inbox${query}`)).body.map(({ lastMessage }: ThreadSummary) => lastMessage?.message);
    expect(await ids("")).toEqual(["I am first again", "Message 6", "Message 5", "Message 4", "Message 3"]);
    expect(await ids("?page=2")).toEqual(["Message 2", "Message 1"]);
    expect(await ids("?page=3")).toEqual([]);
    const paged = await anna.get("/inbox", { "x-current-page": "2", "x-rows-per-page": "3" });
    expect([
      paged.headers["x-current-page"],
      paged.headers["x-rows-per-page"],
      paged.headers["x-total-results"],
    ]).toEqual(["2", "3", "7"]);
    expect(paged.body).toHaveLength(3);
    expect((await anna.get("/inbox?page=0")).status).toBe(400);
  },
);

test(
  "inbox: a thread is unread after a message of the vendor, until it is marked read or answered",
  { tags: ["spec:4-31", "spec:7.10-03", "spec:7.10-04"] },
  async () => {
    const farm = await createVendor(db);
    const anna = await signIn(market, { hubId: hub.id });
    const { id } = (await anna.post(`/vendors/${farm.id}/messages`, { message: "Hello" })).body;
    const state = async () => [
      (await anna.get("/inbox")).body[0].isRead,
      (await anna.get("/account/profile")).body.unreadCount,
    ];
    expect(await state()).toEqual([true, 0]);
    await vendorWrites(id, "Good day");
    expect(await state()).toEqual([false, 1]);
    // GET does not mark it read.
    expect((await anna.get(`/inbox/${id}`)).body.isRead).toBe(false);
    clock.advance(Minute.ms);
    const read = await anna.post(`/inbox/${id}/read`);
    expect([read.status, read.body.isRead, read.body.messages.length]).toEqual([200, true, 2]);
    expect(await state()).toEqual([true, 0]);
    await vendorWrites(id, "One more thing");
    expect(await state()).toEqual([false, 1]);
    clock.advance(Minute.ms);
    const answer = await anna.post(`/inbox/${id}/reply`, { reply: "Thank you" });
    expect([answer.body.isRead, answer.body.lastMessage]).toEqual([
      true,
      { sender: "C", created: clock.now().toISOString(), message: "Thank you" },
    ]);
    expect(await state()).toEqual([true, 0]);
  },
);

test(
  "inbox: another customer's thread returns the same 404 as an unknown one and is not changed",
  { tags: ["fail:G1", "spec:6-06"] },
  async () => {
    const farm = await createVendor(db);
    const [anna, ben] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
    const { id } = (await anna.post(`/vendors/${farm.id}/messages`, { message: "Between us" })).body;
    const before = await anna.get(`/inbox/${id}`);
    const guest = await guestOf(market, hub.id);
    for (const [request, unknown] of [
      [() => ben.get(`/inbox/${id}`), ben.get("/inbox/999999999")],
      [() => ben.post(`/inbox/${id}/read`), ben.post("/inbox/999999999/read")],
      [() => ben.post(`/inbox/${id}/reply`, { reply: "Hi" }), ben.post("/inbox/999999999/reply", { reply: "Hi" })],
    ] as const) {
      const [foreign, missing] = [await request(), await unknown];
      expect([foreign.status, foreign.body]).toEqual([404, missing.body]);
    }
    for (const answer of [
      await guest.get("/inbox"),
      await guest.get(`/inbox/${id}`),
      await guest.post(`/vendors/${farm.id}/messages`, { message: "Hi" }),
      await market.shopper().get("/inbox"),
    ])
      expect([answer.status, answer.body[1].code]).toEqual([401, "login_required"]);
    expect((await ben.get("/inbox")).body).toEqual([]);
    expect((await anna.get(`/inbox/${id}`)).body).toEqual(before.body);
    expect((await ben.post("/vendors/999999999/messages", { message: "Hi" })).status).toBe(404);
  },
);

test(
  "inbox: messages and replies of 1 to 250 characters are accepted, others return 400",
  { tags: ["spec:5-41", "spec:9-05", "fail:I15"] },
  async () => {
    const farm = await createVendor(db);
    const anna = await signIn(market, { hubId: hub.id });
    const { id } = (await anna.post(`/vendors/${farm.id}/messages`, { message: "a".repeat(250) })).body;
    const countMessages = () => db.message.count({ where: { thread_id: id } });
    for (const text of ["", "   ", "a".repeat(251), "\0", undefined, 7]) {
      const sent = await anna.post(`/vendors/${farm.id}/messages`, { message: text });
      const replied = await anna.post(`/inbox/${id}/reply`, { reply: text });
      expect([text, sent.status, replied.status]).toEqual([text, 400, 400]);
    }
    expect(await countMessages()).toBe(1);
    expect((await anna.post(`/inbox/${id}/reply`, { reply: "🥚".repeat(125) })).status).toBe(200);
  },
);

test("inbox: a repeated reply is stored once; its idempotency key is that of its customer, and free again after an error", async () => {
  const farm = await createVendor(db);
  const [anna, ben] = [await signIn(market, { hubId: hub.id }), await signIn(market, { hubId: hub.id })];
  const threadOf = async (who: typeof anna): Promise<number> =>
    (await who.post(`/vendors/${farm.id}/messages`, { message: "Hello" })).body.id;
  const [annas, bens] = [await threadOf(anna), await threadOf(ben)];
  const key = { "idempotency-key": "reply-1" };
  const reply = (who: typeof anna, threadId: number) => who.post(`/inbox/${threadId}/reply`, { reply: "Thanks" }, key);
  expect((await reply(ben, annas)).status).toBe(404);
  const first = await reply(anna, annas);
  clock.advance(Minute.ms);
  const again = await reply(anna, annas);
  expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
  expect([first.headers["idempotent-replayed"], again.headers["idempotent-replayed"]]).toEqual([undefined, "true"]);
  const other = await reply(ben, bens);
  expect([other.status, other.headers["idempotent-replayed"]]).toEqual([200, undefined]);
  const countOf = (thread_id: number) => db.message.count({ where: { thread_id } });
  expect([await countOf(annas), await countOf(bens)]).toEqual([2, 2]);
});

test("inbox: concurrent first messages to a vendor create one thread", async () => {
  const farm = await createVendor(db);
  const anna = await signIn(market, { hubId: hub.id });
  const { port } = market;
  const answers = await race(
    Array.from({ length: 6 }, (_, n) => ({
      port,
      method: "POST" as const,
      path: `/api/vendors/${farm.id}/messages`,
      body: { message: `Message ${n}` },
      cookie: anna.cookieHeader(),
    })),
  );
  expect(answers.map((answer) => answer.status === "fulfilled" && answer.value.status)).toEqual(Array(6).fill(200));
  const threads = await db.thread.findMany({ where: { customer_id: anna.customer.id }, include: { messages: true } });
  expect(threads.map(({ messages }) => messages.length)).toEqual([6]);
  expect(await db.answer_link.count({ where: { subject: "thread", subject_id: threads[0]!.id } })).toBe(1);
});

test("inbox: the 31st message within an hour returns 429", async () => {
  const limited = await buildTestApp({ url: market.url, env: { RATE_LIMITS: "on" } });
  const farm = await createVendor(db);
  const anna = await signIn(limited, { hubId: hub.id });
  for (let n = 0; n < 30; n += 1)
    expect((await anna.post(`/vendors/${farm.id}/messages`, { message: `Message ${n}` })).status).toBe(200);
  const more = await anna.post(`/vendors/${farm.id}/messages`, { message: "One more" });
  expect([more.status, more.body[1].code]).toEqual([429, "rate_limited"]);
});

test("inbox: messages of one instant are in the order in which they were sent, in a thread and in the list", async () => {
  const farms = [await createVendor(db), await createVendor(db)];
  const anna = await signIn(market, { hubId: hub.id });
  const ids: number[] = [];
  for (const farm of farms) ids.push((await anna.post(`/vendors/${farm.id}/messages`, { message: "First" })).body.id);
  const { body } = await anna.post(`/inbox/${ids[1]}/reply`, { reply: "Second" });
  expect(body.messages.map(({ message }: { message: string }) => message)).toEqual(["First", "Second"]);
  expect(body.lastMessage.message).toBe("Second");
  const list = await anna.get("/inbox");
  expect(list.body.map(({ id }: ThreadSummary) => id)).toEqual([ids[1], ids[0]]);
});

test("inbox: a thread that was read by a later request stays read after an earlier one", async () => {
  const farm = await createVendor(db);
  const anna = await signIn(market, { hubId: hub.id });
  const { id } = (await anna.post(`/vendors/${farm.id}/messages`, { message: "Hello" })).body;
  const early = clock.now();
  await vendorWrites(id, "Good day");
  expect((await anna.post(`/inbox/${id}/read`)).body.isRead).toBe(true);
  const late = clock.now();
  clock.set(early.toISOString());
  const again = await anna.post(`/inbox/${id}/read`);
  clock.set(late.toISOString());
  expect(again.body.isRead).toBe(true);
});
