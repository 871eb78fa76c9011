import { writeFile, mkdir } from "node:fs/promises";
import { dirname } from "node:path";

import { type InboxFacts, inboxTurn, type InboxKind } from "@marketday/domain/inbox-turn";
import { addMs, Day, Hour, Second } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { createHub, createOrder, createProduct } from "../../../test/factories.ts";
import { mailsIn } from "../../../test/mails.ts";
import { guestOf, signIn } from "../../../test/sign-in.ts";
import { staffOf } from "../../../test/staff.ts";
import { sendDueMail } from "../mail/send-mail.ts";
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

test("inbox: templates are created, changed and deleted; a name is taken once", async () => {
  const as = await support();
  const made = await as.post("/reply-templates", { name: "Late box", text: "Hi {name}, order {order} is late." });
  expect((await as.post("/reply-templates", { name: "Late box", text: "Other." })).body[1].code).toBe("taken");
  expect((await as.put(`/reply-templates/${made.body.id}`, { name: "Late", text: "Hi." })).body.name).toBe("Late");
  expect((await as.get("/reply-templates")).body).toContainEqual({ id: made.body.id, name: "Late", text: "Hi." });
  await as.delete(`/reply-templates/${made.body.id}`);
  expect((await as.delete(`/reply-templates/${made.body.id}`)).status).toBe(200);
  expect((await as.get("/reply-templates")).body).toEqual([]);
});

test("inbox: a hidden text is on no public surface within a second; its writer still sees it; Undo shows it again", async () => {
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
  // And who writes over it writes what is hidden.
  await ana.post(`/products/${eggs.id}/reviews`, { comment: `${words.review} again`, rating: 1 });
  expect(await walk()).not.toContain(words.review);
  expect((await itemOf(editor, `review/${ids.review}`)).hidden).toMatchObject({
    reason: "Insults",
    by: "Ada Kowalski",
  });

  for (const id of actions.toReversed()) expect((await editor.post(`/actions/${id}/undo`)).body.state).toBe("undone");
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
    const undo = (as: Staff, id: number) => as.post(`/actions/${id}/undo`);
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
