import { writeFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

import { transaction, type Tx } from "@marketday/db";
import { type InboxFacts, inboxTurn, type InboxKind } from "@marketday/domain/inbox-turn";
import { addMs, Day, Hour, Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { waitForLock } from "../../../test/locks.ts";
import { mailsIn } from "../../../test/mails.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { answerSubject } from "../answers/answer-subject.ts";
import { findLink, spendLink } from "../answers/store.ts";
import { sendDueMail } from "../mail/send-mail.ts";
import { closeProblem } from "../problems/close-problem.ts";
import { photoPath } from "../problems/photos.ts";
import { runDueActions } from "../staff-actions/run-due-actions.ts";

const market = await buildTestApp();
const { db, deps, clock, app } = market;
const [own, other] = [await createHub(db), await createHub(db)];
const runActions = () => runDueActions({ now: clock.now(), actor: { type: "system", job: "staff-actions" }, deps });

/** A vendor with a product, and a shopper who writes to it. */
async function scene(hub = own) {
  const eggs = await createProduct(db, hub.id, { title: "Duck eggs" });
  await db.vendor.update({
    where: { id: eggs.vendor_id },
    data: { email: `farm.${eggs.vendor_id}@example.com`, name: "Duck Farm" },
  });
  const ana = await signIn(market, { hubId: hub.id });
  await db.customer.update({ where: { id: ana.customer.id }, data: { first_name: "Ana", last_name: "Brown" } });
  return {
    hub,
    eggs,
    ana,
    email: ana.customer.email!,
    message: async (text = "Are they large?") =>
      (await ana.post(`/vendors/${eggs.vendor_id}/messages`, { message: text })).body.id as number,
    ask: async (text = "Do they keep?") =>
      (await ana.post(`/products/${eggs.id}/questions`, { question: text })).body[0].id as number,
    review: async (comment = "Good yolks.", rating = 5) =>
      (await ana.post(`/products/${eggs.id}/reviews`, { comment, rating })).body[0].id as number,
    endorse: async (comment: string) => {
      await ana.post(`/vendors/${eggs.vendor_id}/endorse`, { score: 5, relationship: 1, comment });
      return (await db.endorsement.findFirstOrThrow({ where: { customer_id: ana.customer.id } })).id;
    },
    report: async (message = "Two were broken.") => {
      const order = await createOrder(db, { customerId: ana.customer.id, hub, product: eggs });
      const report = await db.problem_report.create({
        data: { order_id: order.id, customer_id: ana.customer.id, message, created_at: clock.now() },
      });
      return { id: report.id, order };
    },
  };
}
const support = (hub: { id: number } = own) => staffOf(market, { role: "support", hubId: hub.id });
type Staff = Awaited<ReturnType<typeof staffOf>>;
const itemOf = async (as: Staff, item: string) => (await as.get(`/inbox/${item}`)).body;
const reply = async (as: Staff, item: string, text: string, version?: string) =>
  as.post(`/inbox/${item}/reply`, { text, expectedVersion: version ?? (await itemOf(as, item)).version });
const hide = async (as: Staff, item: string, isHidden: boolean, part = "text") =>
  as.post(`/inbox/${item}/hide`, {
    isHidden,
    part,
    reason: isHidden ? "Insults" : "",
    expectedVersion: (await itemOf(as, item)).version,
  });
const close = async (as: Staff, item: string, isClosed: boolean, reason = "") =>
  as.post(`/inbox/${item}/close`, { isClosed, reason, expectedVersion: (await itemOf(as, item)).version });
const undo = (as: Staff, actionId: number) => as.post(`/actions/${actionId}/undo`);
const listed = async (as: Staff, query = "view=all&perPage=100"): Promise<string[]> =>
  (await as.get(`/inbox?${query}`)).body.items.map(({ kind, id }: { kind: string; id: number }) => `${kind}/${id}`);
const mailsTo = async (address: string) =>
  (await mailsIn(market.dataDir)).filter((mail) => mail.to?.[0]?.address === address);

test("inbox: the SQL of the turns agrees with the rule of the domain", async () => {
  const { eggs, ana, message, ask, review, endorse, report } = await scene();
  const owner = await staffOf(market, "owner");
  const at = clock.now();
  const ids: Record<InboxKind, number> = {
    message: await message(),
    question: await ask(),
    review: await review(),
    endorsement: await endorse("Fine people."),
    problem: (await report()).id,
    contact: (await db.lead.create({ data: { kind: "contact", email: "a@example.com", created_at: at } })).id,
    application: (await db.lead.create({ data: { kind: "job", email: "b@example.com", created_at: at } })).id,
  };
  const turnsAt = async (hours: number, vendorEmail: string | null, closedAt: Date | null) => {
    await db.vendor.update({ where: { id: eggs.vendor_id }, data: { email: vendorEmail } });
    const now = addMs(at, hours * Hour.ms);
    clock.set(now.toISOString());
    for (const [kind, id] of Object.entries(ids)) {
      const key = { kind, item_id: id };
      const [state] = [{ closed_at: closedAt }];
      if (kind === "problem")
        await db.problem_report.update({
          where: { id },
          data: { status: closedAt ? "closed" : "open", closed_at: closedAt },
        });
      else
        await db.inbox_state.upsert({
          where: { kind_item_id: key },
          create: { ...key, ...state },
          update: state,
        });
    }
    const fresh = await staffOf(market, "owner");
    for (const [kind, id] of Object.entries(ids) as [InboxKind, number][]) {
      const facts: InboxFacts = {
        kind,
        at,
        isAnswered: false,
        hasVendorEmail: vendorEmail !== null,
        closedAt,
        hiddenAt: null,
      };
      expect([kind, hours, (await itemOf(fresh, `${kind}/${id}`)).turn]).toEqual([kind, hours, inboxTurn(facts, now)]);
    }
  };
  await turnsAt(1, "farm@example.com", null);
  await turnsAt(49, "farm@example.com", null);
  await turnsAt(1, null, null);
  await turnsAt(49, "farm@example.com", addMs(at, Hour.ms));
  clock.set(MONDAY);
  expect((await listed(owner, "view=done&perPage=100")).length).toBeGreaterThan(0);
  expect(ana.customer.id).toBeGreaterThan(0);
});

test(
  "inbox: a person sees the items of their markets; one of another market is 404",
  { tags: ["fail:G1"] },
  async () => {
    const [here, there] = [await scene(), await scene(other)];
    const items = [
      `message/${await here.message()}`,
      `question/${await here.ask()}`,
      `review/${await here.review()}`,
      `endorsement/${await here.endorse("Kind.")}`,
      `problem/${(await here.report()).id}`,
    ];
    const foreign = [`message/${await there.message()}`, `problem/${(await there.report()).id}`];
    const form = await db.lead.create({ data: { kind: "contact", email: "c@example.com", zip_code: "00000" } });
    const [as, owner, editor] = [await support(), await staffOf(market, "owner"), await staffOf(market, "editor")];
    expect(await listed(as)).toEqual(expect.arrayContaining(items));
    for (const item of foreign) {
      expect(await listed(as)).not.toContain(item);
      expect((await as.get(`/inbox/${item}`)).status).toBe(404);
      expect((await reply(as, item, "Hello.", "x")).status).toBe(404);
      expect((await as.put(`/inbox/${item}/assignee`, { staffId: null })).status).toBe(404);
    }
    expect((await as.get(`/inbox/contact/${form.id}`)).status).toBe(404);
    expect(await listed(owner)).toEqual(expect.arrayContaining([...foreign, `contact/${form.id}`]));
    const read = await listed(editor);
    expect(read).toEqual(expect.arrayContaining([items[1], items[2], items[3]]));
    expect(read.some((item) => /^(message|problem|contact|application)/.test(item))).toBe(false);
    expect((await editor.get(`/inbox/${items[0]}`)).status).toBe(404);
    const { sender, from } = await itemOf(editor, items[2]!);
    expect([from, sender.name, sender.email]).toEqual(["Ana B.", "Ana B.", expect.stringMatching(/^.•••@/)]);
  },
);

test("inbox: an answer is held for 10 s, then in the shopper's inbox in the vendor's name, with an email", async () => {
  const { ana, message, email } = await scene();
  const item = `message/${await message()}`;
  const as = await support();
  const answer = "Hi Ana, <b>yes</b> & they are.";
  const first = await reply(as, item, answer);
  expect([first.status, first.body.action.state, first.body.item.pending.text]).toEqual([200, "held", answer]);
  expect(await runActions()).toBe(0);
  expect((await ana.get(`/inbox/${item.split("/")[1]}`)).body.messages).toHaveLength(1);
  clock.advance(10 * Second.ms);
  expect(await runActions()).toBe(1);
  expect((await ana.get(`/inbox/${item.split("/")[1]}`)).body.messages).toMatchObject([
    { sender: "C" },
    { sender: "U", message: answer },
  ]);
  const after = await itemOf(as, item);
  expect([after.turn, after.pending, after.conversation.at(-1)]).toEqual([
    "shopper",
    null,
    expect.objectContaining({ from: "market", by: "Ada Kowalski", text: answer }),
  ]);
  await sendDueMail(deps);
  const mail = (await mailsTo(email)).at(-1)!;
  expect([mail.text?.includes(answer), mail.html?.includes("<b>yes</b>")]).toEqual([true, false]);
  const audit = await db.audit_entry.findFirstOrThrow({ where: { action: "inbox reply" }, orderBy: { id: "desc" } });
  expect([audit.subject, audit.data]).toMatchObject([
    `thread:${item.split("/")[1]}`,
    { actionId: first.body.action.id },
  ]);
});

test("inbox: an answer that is undone within its 10 s is never sent", async () => {
  const { message } = await scene();
  const item = `message/${await message()}`;
  const as = await support();
  const { action } = (await reply(as, item, "Yes.")).body;
  expect((await as.post(`/actions/${action.id}/undo`)).body.state).toBe("undone");
  clock.advance(10 * Second.ms);
  expect(await runActions()).toBe(0);
  expect((await itemOf(as, item)).conversation).toHaveLength(1);
});

test(
  "inbox: two people answer at once: the second gets 409 with the first one's answer; a repeated request is one answer",
  { tags: ["fail:N1"] },
  async () => {
    const { message } = await scene();
    const item = `message/${await message()}`;
    const [ada, bo] = [await support(), await support()];
    const { version } = await itemOf(ada, item);
    const [first, again] = [await reply(ada, item, "Yes.", version), await reply(ada, item, "Yes.", version)];
    expect(again.body.action.id).toBe(first.body.action.id);
    const second = await reply(bo, item, "No.", version);
    expect([second.status, second.body[1].code, second.body[1].current.pending.text]).toEqual([
      409,
      "conflict",
      "Yes.",
    ]);
    clock.advance(10 * Second.ms);
    await runActions();
    const late = await reply(bo, item, "No.", version);
    expect([late.status, late.body[1].current.conversation.at(-1).text]).toEqual([409, "Yes."]);
    expect(await db.message.count({ where: { thread_id: Number(item.split("/")[1]), sender: "U" } })).toBe(1);
  },
);

test("inbox: the vendor answers while the market's answer is held: it is refused with the reason, and sent to no one", async () => {
  const { ask } = await scene();
  const id = await ask();
  const as = await support();
  const { action } = (await reply(as, `question/${id}`, "A week.")).body;
  await db.question.update({ where: { id }, data: { answer: "Two weeks.", answered_at: clock.now() } });
  clock.advance(10 * Second.ms);
  await runActions();
  const { state, problem } = await db.staff_action.findUniqueOrThrow({ where: { id: action.id } });
  expect([state, problem]).toEqual(["refused", expect.stringContaining("answered or changed meanwhile")]);
  expect((await db.question.findUniqueOrThrow({ where: { id } })).answer).toBe("Two weeks.");
  expect((await reply(as, `question/${id}`, "A week.")).status).toBe(409);
});

test(
  "inbox: a person whose role is revoked answers nothing, also what was held before",
  { tags: ["fail:N3"] },
  async () => {
    const { message } = await scene();
    const item = `message/${await message()}`;
    const as = await support();
    const { version } = await itemOf(as, item);
    const { action } = (await reply(as, item, "Yes.", version)).body;
    await db.staff_grant.deleteMany({ where: { staff_id: as.person.id } });
    await market.waitForNotifications();
    expect((await reply(as, item, "Yes, again.", version)).status).toBe(403);
    clock.advance(10 * Second.ms);
    await runActions();
    expect((await db.staff_action.findUniqueOrThrow({ where: { id: action.id } })).state).toBe("refused");
  },
);

test("inbox: a report is closed with its outcome, opened again, and answered by email", async () => {
  const { report, email } = await scene();
  const { id, order } = await report("Two were <script>alert(1)</script> broken.");
  const as = await support();
  const item = await itemOf(as, `problem/${id}`);
  expect(item).toMatchObject({ turn: "market", order: { id: order.id }, audience: "email" });
  const close = (isClosed: boolean, reason: string, expectedVersion: string) =>
    as.post(`/inbox/problem/${id}/close`, { isClosed, reason, expectedVersion });
  expect((await close(true, "", item.version)).status).toBe(400);
  const closed = await close(true, "Refunded two eggs.", item.version);
  expect(closed.body).toMatchObject({
    item: { turn: "done", can: { close: false, reopen: true } },
    action: { canUndo: true },
  });
  expect((await close(true, "Again.", item.version)).body.action).toBeNull();
  expect(
    await db.audit_entry.findFirst({ where: { action: "problems close", reason: "Refunded two eggs." } }),
  ).toMatchObject({
    subject: `order:${order.id}`,
    data: { problemId: id, actionId: closed.body.action.id },
  });
  await as.post(`/actions/${closed.body.action.id}/undo`);
  expect((await itemOf(as, `problem/${id}`)).turn).toBe("market");
  expect((await reply(as, `problem/${id}`, "We are sorry.")).status).toBe(200);
  clock.advance(10 * Second.ms);
  await runActions();
  await sendDueMail(deps);
  expect((await mailsTo(email)).at(-1)).toMatchObject({
    subject: "About the problem with your order",
    text: expect.stringContaining("We are sorry."),
  });
});

test("inbox: an application shows its fields, is answered by email once after a kill, and is done", async () => {
  const lead = await db.lead.create({
    data: {
      kind: "vendor",
      name: "Bea Hill",
      email: "bea.hill@example.com",
      zip_code: "46032",
      data: { business: "Hill Farm", products: "Lamb", message: "" },
      created_at: clock.now(),
    },
  });
  const owner = await staffOf(market, "owner");
  const item = await itemOf(owner, `application/${lead.id}`);
  expect([item.form, item.words, item.fields]).toEqual([
    "vendor",
    "Lamb",
    [
      { name: "business", value: "Hill Farm" },
      { name: "products", value: "Lamb" },
      { name: "zipCode", value: "46032" },
    ],
  ]);
  const { action } = (await reply(owner, `application/${lead.id}`, "Welcome, Bea.")).body;
  clock.advance(10 * Second.ms);
  await runActions();
  // As after a kill between sending and ending the action.
  await db.staff_action.update({
    where: { id: action.id },
    data: { state: "running", ended_at: null, due_at: clock.now() },
  });
  clock.advance(Second.ms);
  await runActions();
  await sendDueMail(deps);
  expect((await mailsTo("bea.hill@example.com")).map(({ subject }) => subject)).toEqual(["About your application"]);
  expect((await itemOf(owner, `application/${lead.id}`)).turn).toBe("done");
});

test("inbox: photos are read by who may answer there, and by no one else", { tags: ["fail:G1"] }, async () => {
  const { report } = await scene();
  const { id } = await report();
  const file = "11111111-2222-4333-8444-555555555555.jpg";
  await mkdir(dirname(photoPath(market.dataDir, file)), { recursive: true });
  await writeFile(photoPath(market.dataDir, file), Buffer.from([0xff, 0xd8, 0xff]));
  await db.problem_photo.create({ data: { id: file.replace(".jpg", ""), report_id: id, file } });
  const as = await support();
  const [{ url }] = (await itemOf(as, `problem/${id}`)).photos;
  const get = async (cookie: string | null, path: string = url) =>
    app.inject({ url: path, headers: { "sec-fetch-site": "same-origin", ...(cookie !== null && { cookie }) } });
  const shown = await get(as.cookie);
  expect([shown.statusCode, shown.headers["content-type"], shown.headers["x-content-type-options"]]).toEqual([
    200,
    "image/jpeg",
    "nosniff",
  ]);
  expect((await get(null)).statusCode).toBe(401);
  expect((await get((await support(other)).cookie)).statusCode).toBe(404);
  expect((await get((await staffOf(market, "editor")).cookie)).statusCode).toBe(403);
  const second = await (await scene()).report();
  expect((await get(as.cookie, url.replace(`/${id}/`, `/${second.id}/`))).statusCode).toBe(404);
  expect((await get(as.cookie, `/api/admin/inbox/problem/${id}/photos/..%2F..%2Fsecret`)).statusCode).toBe(404);
});

test("inbox: assigned to a person who may answer there, and to no one else; the filters find it", async () => {
  const { message } = await scene();
  const item = `message/${await message("Zucchini in winter?")}`;
  const [as, far] = [await support(), await support(other)];
  expect((await as.put(`/inbox/${item}/assignee`, { staffId: far.person.id })).status).toBe(400);
  expect((await as.put(`/inbox/${item}/assignee`, { staffId: as.person.id })).body.assignee.id).toBe(as.person.id);
  expect(await listed(as, "view=all&assigned=me")).toEqual([item]);
  expect(await listed(as, "view=all&assigned=none&q=zucchini")).toEqual([]);
  expect(await listed(as, `view=all&q=${encodeURIComponent("zucchini IN")}`)).toEqual([item]);
  expect(await listed(as, "view=all&kind=review&q=zucchini")).toEqual([]);
  expect(await listed(as, "view=all&q=%25_")).toEqual([]);
  expect((await as.get("/inbox/people")).body).toEqual(
    expect.arrayContaining([expect.objectContaining({ id: far.person.id, hubIds: [other.id] })]),
  );
});

test("inbox: a hidden text is on no public surface within a second; its writer still sees it; Undo shows it again, unless it was rewritten", async () => {
  const { eggs, ana, email, ask, review, endorse } = await scene();
  const words = {
    review: "Zounds-review",
    question: "Zounds-question",
    answer: "Zounds-answer",
    endorsement: "Zounds-endorsement",
  };
  const ids = {
    review: await review(words.review, 1),
    question: await ask(words.question),
    endorsement: await endorse(words.endorsement),
  };
  await db.question.update({
    where: { id: ids.question },
    data: { answer: words.answer, answered_at: clock.now() },
  });
  const { slug } = await db.product.findUniqueOrThrow({ where: { id: eggs.id } });
  const vendor = await db.vendor.findUniqueOrThrow({ where: { id: eggs.vendor_id } });
  const bo = await signIn(market, { hubId: own.id });
  const guest = await guestOf(market, own.id);
  const paths = [
    `/products/${eggs.id}`,
    `/products/${eggs.id}/reviews`,
    `/products/${eggs.id}/questions`,
    "/products",
    `/vendors/${vendor.id}`,
    `/vendors/${vendor.id}/products`,
    `/vendors/${vendor.id}/posts`,
    "/vendors",
    "/feed",
    "/search?q=zounds",
    "/suggestions?q=zounds",
  ];
  const pages = [`/product/${slug}`, `/vendor/${vendor.slug}`, "/", "/sitemap.xml", "/search?q=zounds"];
  /** All that a shopper who wrote none of it can read, as one text. */
  const walk = async (): Promise<string> => {
    const answers = [];
    for (const path of paths) for (const each of [bo, guest]) answers.push((await each.get(path)).body);
    const seen = [];
    for (const url of pages) seen.push((await app.inject({ url, headers: { accept: "text/html" } })).body);
    return JSON.stringify([answers, seen]);
  };
  const rating = async () => (await guest.get(`/products/${eggs.id}`)).body.ratingCount;
  const score = async () => (await guest.get(`/vendors/${vendor.id}`)).body.endorsementScore;
  const before = await walk();
  expect([before.includes(words.review), before.includes(words.question), before.includes(words.answer)]).toEqual([
    true,
    true,
    true,
  ]);
  // A guest's score may be a minute old.
  expect([await rating(), (await bo.get(`/vendors/${vendor.id}`)).body.endorsementScore]).toEqual([1, 5]);

  const editor = await staffOf(market, "editor");
  const actions: number[] = [];
  for (const [item, part] of [
    [`review/${ids.review}`, "text"],
    [`endorsement/${ids.endorsement}`, "text"],
    [`question/${ids.question}`, "answer"],
    [`question/${ids.question}`, "text"],
  ] as const) {
    const hidden = await hide(editor, item, true, part);
    expect(hidden.status, JSON.stringify(hidden.body)).toBe(200);
    actions.push(hidden.body.action.id);
  }
  await market.waitForNotifications();
  const after = await walk();
  expect(Object.values(words).filter((word) => after.includes(word))).toEqual([]);
  expect([await rating(), await score()]).toEqual([0, 0]);
  expect((await bo.get(`/products/${eggs.id}/reviews`)).headers["x-total-results"]).toBe("0");
  // Mails to the vendor that were not sent yet are dropped, and its link says no text.
  await sendDueMail(deps);
  const sent = JSON.stringify(await mailsTo(vendor.email!)) + JSON.stringify(await mailsTo(email));
  expect(Object.values(words).filter((word) => sent.includes(word))).toEqual([]);
  // Its writer sees it as if nothing had happened; the answer is not theirs.
  expect((await ana.get(`/products/${eggs.id}/reviews`)).body).toMatchObject([{ comment: words.review }]);
  expect((await ana.get(`/products/${eggs.id}/questions`)).body).toMatchObject([
    { question: words.question, answer: null },
  ]);
  expect((await ana.get(`/vendors/${vendor.id}`)).body.endorsementScore).toBe(5);
  // And who writes over it writes what is hidden, until a person has read it.
  clock.advance(Second.ms);
  await ana.post(`/products/${eggs.id}/reviews`, { comment: `${words.review} again`, rating: 1 });
  expect(await walk()).not.toContain(words.review);
  expect((await itemOf(editor, `review/${ids.review}`)).hidden).toMatchObject({
    reason: "Insults",
    by: "Ada Kowalski",
  });

  expect((await undo(editor, actions[0]!)).body[1]?.code).toBe("changed_since");
  expect((await hide(editor, `review/${ids.review}`, false)).status).toBe(200);
  for (const id of actions.slice(1).toReversed()) expect((await undo(editor, id)).body.state).toBe("undone");
  await market.waitForNotifications();
  const shown = await walk();
  expect([words.review, words.question, words.answer].filter((word) => !shown.includes(word))).toEqual([]);
  expect([await rating(), await score()]).toEqual([1, 5]);
});

test("inbox: a text is hidden for a reason by who may moderate there; twice is once", async () => {
  const { review } = await scene();
  const item = `review/${await review()}`;
  const [editor, far] = [await staffOf(market, "editor"), await staffOf(market, { role: "editor", hubId: other.id })];
  const { version } = await itemOf(editor, item);
  const send = (as: Staff, body: object) => as.post(`/inbox/${item}/hide`, { expectedVersion: version, ...body });
  expect((await send(editor, { isHidden: true })).status).toBe(400);
  expect((await send(editor, { isHidden: true, part: "answer", reason: "Rude" })).status).toBe(400);
  expect((await send(far, { isHidden: true, reason: "Rude" })).status).toBe(404);
  expect((await send(editor, { isHidden: true, reason: "Rude" })).status).toBe(200);
  expect((await send(editor, { isHidden: true, reason: "Rude" })).body.action).toBeNull();
  expect((await send(editor, { isHidden: false })).body[1]).toMatchObject({
    code: "conflict",
    current: { isHidden: true },
  });
  expect((await hide(editor, item, false)).body.item.isHidden).toBe(false);
  expect(addMs(clock.now(), Day.ms).getTime()).toBeGreaterThan(0);
});

test(
  "inbox: a hiding or showing that someone decided again since is not undone, and stays; the newest one is",
  { tags: ["fail:N13"] },
  async () => {
    const { review } = await scene();
    const item = `review/${await review()}`;
    const [ada, bo, cy] = [
      await staffOf(market, "editor"),
      await staffOf(market, "editor"),
      await staffOf(market, "editor"),
    ];
    const [hidden, shown, again] = [
      await hide(ada, item, true),
      await hide(bo, item, false),
      await hide(cy, item, true),
    ].map(({ body }) => body.action.id as number);
    const isHidden = async () => (await itemOf(ada, item)).isHidden;
    for (const [as, id] of [
      [ada, hidden],
      [bo, shown],
    ] as const) {
      const { status, body } = await undo(as, id!);
      expect([status, body[1]?.code]).toEqual([409, "changed_since"]);
    }
    expect(await isHidden()).toBe(true);
    expect((await undo(cy, again!)).body.state).toBe("undone");
    expect(await isHidden()).toBe(false);
    expect((await undo(ada, hidden!)).body[1]?.code).toBe("changed_since");
    // What came after it is undone, so the next older one can be.
    expect((await undo(bo, shown!)).body.state).toBe("undone");
    expect(await isHidden()).toBe(true);
    expect((await undo(ada, hidden!)).body.state).toBe("undone");
    expect(await isHidden()).toBe(false);
    // At once by two people it is undone once.
    const { body } = await hide(ada, item, true);
    const both = await Promise.all([undo(ada, body.action.id), undo(bo, body.action.id)]);
    expect(both.map((answer) => [answer.status, answer.body.state])).toEqual([
      [200, "undone"],
      [200, "undone"],
    ]);
  },
);

test(
  "inbox: a hiding or showing of a text that its writer has rewritten is not undone: no one has read the new one",
  { tags: ["fail:N13"] },
  async () => {
    const { ana, eggs, review } = await scene();
    const id = await review("Bad.", 1);
    const editor = await staffOf(market, "editor");
    const rewrite = async (comment: string) => {
      clock.advance(Second.ms);
      await ana.post(`/products/${eggs.id}/reviews`, { comment, rating: 1 });
    };
    const refused = async (actionId: number) => {
      const { status, body } = await undo(editor, actionId);
      expect([status, body[1]?.code]).toEqual([409, "changed_since"]);
    };
    const hidden = (await hide(editor, `review/${id}`, true)).body.action.id;
    await rewrite("Worse.");
    await refused(hidden);
    expect(await itemOf(editor, `review/${id}`)).toMatchObject({ isHidden: true, turn: "market", words: "Worse." });
    const shown = (await hide(editor, `review/${id}`, false)).body.action.id;
    await rewrite("Better.");
    await refused(shown);
    expect((await itemOf(editor, `review/${id}`)).isHidden).toBe(false);
    const deleted = (await hide(editor, `review/${id}`, true)).body.action.id;
    await db.review.delete({ where: { id } });
    await refused(deleted);
  },
);

test(
  "inbox: a closing is not undone once it was opened and closed again, and what was written since stays unread; the newest one is",
  { tags: ["fail:N13"] },
  async () => {
    const { ana, eggs, message, report } = await scene();
    const [ada, bo] = [await support(), await support()];
    const refused = async (actionId: number) => {
      const { status, body } = await undo(ada, actionId);
      expect([status, body[1]?.code]).toEqual([409, "changed_since"]);
    };
    const { id } = await report();
    const [first, opened, last] = [
      await close(ada, `problem/${id}`, true, "Waits for the vendor."),
      await close(bo, `problem/${id}`, false),
      await close(bo, `problem/${id}`, true, "Refunded."),
    ].map(({ body }) => body.action.id as number);
    await refused(first!);
    await refused(opened!);
    expect((await itemOf(ada, `problem/${id}`)).turn).toBe("done");
    expect((await undo(bo, last!)).body.state).toBe("undone");
    expect((await itemOf(ada, `problem/${id}`)).turn).toBe("market");
    // By a command, which is no action.
    await closeProblem({ now: clock.now(), actor: { type: "operator", name: "ops" }, deps }, id, "By phone.");
    await refused(opened!);

    const thread = `message/${await message()}`;
    const done = (await close(ada, thread, true)).body.action.id;
    const openedAgain = (await close(bo, thread, false)).body.action.id;
    clock.advance(Second.ms);
    await ana.post(`/vendors/${eggs.vendor_id}/messages`, { message: "Hello?" });
    await refused(done);
    await refused(openedAgain);
    expect((await itemOf(ada, thread)).turn).toBe("vendor");
    const closedAgain = (await close(ada, thread, true)).body.action.id;
    clock.advance(Second.ms);
    await ana.post(`/vendors/${eggs.vendor_id}/messages`, { message: "Anyone?" });
    await refused(closedAgain);

    // While it is answered, the answer is not stopped by an undo.
    const item = `message/${await (await scene()).message()}`;
    const closed = (await close(ada, item, true)).body.action.id;
    const { action } = (await reply(bo, item, "Yes.")).body;
    expect((await undo(ada, closed)).body[1]?.code).toBe("being_answered");
    expect((await undo(bo, action.id)).body.state).toBe("undone");
    expect((await undo(ada, closed)).body.state).toBe("undone");
    expect((await itemOf(ada, item)).turn).toBe("vendor");
  },
);

test(
  "inbox: what was done with an item of no market is listed and undone by who may in every market alone, and by its person",
  { tags: ["fail:G1"] },
  async () => {
    const [owner, colleague, as] = [await staffOf(market, "owner"), await staffOf(market, "manager"), await support()];
    const { ana, review, message } = await scene();
    await db.customer.update({ where: { id: ana.customer.id }, data: { hub_id: null } });
    const form = await db.lead.create({
      data: {
        kind: "contact",
        name: "Cleo Park",
        email: "cleo@example.com",
        zip_code: "00000",
        data: { message: "Hi" },
      },
    });
    const changes = [
      await reply(owner, `contact/${form.id}`, "Soon."),
      await close(owner, `message/${await message()}`, true),
      await hide(owner, `review/${await review()}`, true),
      await owner.post(`/customers/${ana.customer.id}/credit`, { amount: 5, reason: "Late" }),
    ].map(({ status, body }) => {
      expect(status, JSON.stringify(body)).toBe(200);
      return body.action ?? body;
    });
    // No name: it is of no market.
    expect(changes.map(({ hub, summary }) => [hub, summary.name])).toEqual(changes.map(() => [null, ""]));
    const ids = changes.map(({ id }) => id as number);
    const found = async (person: Staff) =>
      (await person.get("/actions")).body.filter(({ id }: { id: number }) => ids.includes(id));
    const editor = await staffOf(market, { role: "editor", hubId: own.id });
    for (const person of [as, editor]) {
      expect(await found(person)).toEqual([]);
      for (const id of ids) expect((await undo(person, id)).status).toBe(404);
    }
    const depot = await staffOf(market, "depot_lead");
    expect((await found(depot)).map(({ canUndo }: { canUndo: boolean }) => canUndo)).toEqual(ids.map(() => false));
    expect((await undo(depot, ids[0]!)).body).toEqual(["You may not do that in every market.", { code: "forbidden" }]);
    // A role in every market is narrowed to one: what the person did is still listed, and undone.
    await db.staff_grant.updateMany({
      where: { staff_id: owner.person.id },
      data: { role: "manager", hub_id: own.id },
    });
    expect(await found(owner)).toHaveLength(ids.length);
    expect((await undo(owner, ids[0]!)).body.state).toBe("undone");
    for (const id of ids.slice(1)) expect((await undo(colleague, id)).body.state).toBe("undone");
  },
);

test(
  "inbox: who reads no people gets no full name with what was hidden, and finds no address or last name by its letters",
  { tags: ["fail:G1"] },
  async () => {
    const { review, ana, email, message } = await scene();
    await db.customer.update({ where: { id: ana.customer.id }, data: { last_name: "Zywicki" } });
    const item = `review/${await review("Crisp.")}`;
    const thread = `message/${await message()}`;
    const [editor, as] = [await staffOf(market, { role: "editor", hubId: own.id }), await support()];
    const { body } = await hide(editor, item, true);
    expect(body.action.summary.name).toBe("Ana Z.");
    expect((await editor.get("/actions")).body[0].summary.name).toBe("Ana Z.");
    const search = (person: Staff, q: string) => listed(person, `view=all&perPage=100&q=${encodeURIComponent(q)}`);
    for (const q of [email, email.slice(0, 8), "Zy", "zywicki", "Ana Zy"]) {
      expect([q, await search(editor, q)]).toEqual([q, []]);
      expect(await search(as, q)).toContain(item);
    }
    for (const q of ["Ana", "Ana Z", "Crisp"]) expect(await search(editor, q)).toContain(item);
    // Reads people in another market alone.
    const both = await staffOf(market, { role: "editor", hubId: own.id }, { role: "support", hubId: other.id });
    expect(await search(both, "zywicki")).toEqual([]);
    expect(await search(as, "zywicki")).toEqual(expect.arrayContaining([item, thread]));
  },
);

/** Does `work` in a transaction that stays open until `commit`. */
async function pausedWrite(work: (tx: Tx) => Promise<unknown>) {
  const [written, resumed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = transaction(db, async (tx) => {
    await work(tx);
    written.resolve();
    await resumed.promise;
  });
  await Promise.race([written.promise, done]);
  return async () => {
    resumed.resolve();
    await done;
  };
}

test.each(["message", "review"] as const)(
  "inbox: the vendor answers a %s by link at the moment the market's answer is sent: the shopper gets one answer",
  { tags: ["fail:N1"] },
  async (kind) => {
    const { ana, message, review } = await scene();
    const id = await (kind === "message" ? message() : review());
    const as = await support();
    const { action } = (await reply(as, `${kind}/${id}`, "The market's answer.")).body;
    const about = { subject: kind === "message" ? "thread" : "review", subjectId: id } as const;
    const { id: linkId } = await db.answer_link.findFirstOrThrow({
      where: { subject: about.subject, subject_id: id, used_at: null },
    });
    clock.advance(10 * Second.ms);
    const commit = await pausedWrite(async (tx) => {
      await spendLink(tx, linkId, clock.now());
      await answerSubject(tx, about, "The vendor's answer.", clock.now());
    });
    const sending = runActions();
    await waitForLock(db, sending);
    await commit();
    await sending;
    expect((await findLink(db, linkId))?.used_at).toEqual(clock.now());
    const { state, problem } = await db.staff_action.findUniqueOrThrow({ where: { id: action.id } });
    expect([state, problem]).toEqual(["refused", expect.stringContaining("answered or changed meanwhile")]);
    const answers = await db.message.findMany({
      where: { thread: { customer_id: ana.customer.id }, sender: "U" },
      select: { message: true },
    });
    expect(answers).toEqual([{ message: "The vendor's answer." }]);
    expect(await db.inbox_reply.count({ where: { action_id: action.id } })).toBe(0);
  },
);

test("inbox: a review that its writer rewrites at the moment it is hidden is not hidden unread: 409 with the new text", async () => {
  const { review } = await scene();
  const id = await review("Old words.", 2);
  const editor = await staffOf(market, "editor");
  const { version } = await itemOf(editor, `review/${id}`);
  const commit = await pausedWrite((tx) =>
    tx.review.update({ where: { id }, data: { comment: "New words.", created_at: addMs(clock.now(), 1) } }),
  );
  const hiding = editor.post(`/inbox/review/${id}/hide`, {
    isHidden: true,
    part: "text",
    reason: "Insults",
    expectedVersion: version,
  });
  await waitForLock(db, hiding);
  await commit();
  const { status, body } = await hiding;
  expect([status, body[1]?.code, body[1]?.current.words]).toEqual([409, "conflict", "New words."]);
  expect((await itemOf(editor, `review/${id}`)).isHidden).toBe(false);
});
