import { request as httpRequest } from "node:http";
import { text } from "node:stream/consumers";

import { transaction } from "@marketday/db";
import { Day } from "@marketday/domain/time";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub, createProduct } from "../../../test/factories.ts";
import { captureLog } from "../../../test/log-lines.ts";
import { signIn } from "../../../test/sign-in.ts";
import { vendorTokens } from "../../lib/tokens.ts";
import { issueLink } from "./answer-sql.ts";
import { revokeLink, type Subject } from "./store.ts";

const { log, lines } = captureLog();
const market = await buildTestApp({ overrides: { log } });
const { db, clock, deps } = market;
const hub = await createHub(db);

interface LinkLine {
  msg: string;
  linkId?: string;
  vendorId?: number;
  subject?: string;
  state?: string;
  method?: string;
}
/** What was logged of the uses of a link. */
const usesOf = (linkId: string | undefined) =>
  lines
    .map((line) => JSON.parse(line) as LinkLine)
    .filter((line) => line.msg === "vendor link" && line.linkId === linkId)
    .map(({ method, state }) => [method, state]);

/** A request over a socket, as any program with the address sends it. */
function send(method: string, path: string, fields?: Record<string, string>) {
  const body = fields && new URLSearchParams(fields).toString();
  return new Promise<{ status: number; location: string | undefined; body: string }>((resolve, reject) => {
    const sent = httpRequest(
      {
        port: market.port,
        host: "127.0.0.1",
        method,
        path,
        headers: {
          "user-agent": "LinkPreview/1.0",
          ...(body && { "content-type": "application/x-www-form-urlencoded" }),
        },
      },
      (response) => {
        void text(response).then((page) =>
          resolve({ status: response.statusCode ?? 0, location: response.headers.location, body: page }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body);
  });
}

/** Two vendors whose customers wrote to them, and the link of one of these subjects. */
async function scene(subject: Subject) {
  const eggs = await createProduct(db, hub.id, { title: "Duck eggs" });
  const other = await createProduct(db, hub.id, { title: "Plum jam" });
  const anna = await signIn(market, { hubId: hub.id });
  const ben = await signIn(market, { hubId: hub.id });
  await db.customer.update({
    where: { id: anna.customer.id },
    data: { first_name: "Anna", last_name: "Quillfeather", phone: "3175550142" },
  });
  await db.customer.update({ where: { id: ben.customer.id }, data: { first_name: "Bartholomew", last_name: "Stone" } });
  const write = async (who: typeof anna, product: typeof eggs, words: string) => ({
    thread: (await who.post(`/vendors/${product.vendor_id}/messages`, { message: `Message ${words}` })).body.id,
    question: (await who.post(`/products/${product.id}/questions`, { question: `Question ${words}` })).body[0].id,
    review: (await who.post(`/products/${product.id}/reviews`, { rating: 4, comment: `Review ${words}` }),
    await db.review.findFirstOrThrow({ where: { customer_id: who.customer.id, product_id: product.id } })).id,
  });
  const own = await write(anna, eggs, "of Anna to the ducks");
  await write(ben, eggs, "of another customer");
  await write(anna, other, "to another vendor");
  const link = await db.answer_link.findFirstOrThrow({ where: { subject, subject_id: own[subject] } });
  const path = `/answer/${vendorTokens("answer", deps.env.sessionSecrets).sign(link.id)}`;
  return { eggs, other, anna, ben, link, path, subjectId: own[subject] };
}

test.each<Subject>(["thread", "question", "review"])(
  "vendor link of a %s: shows that subject alone: no other vendor, customer or subject, no surname, address, phone or money",
  async (subject) => {
    const { anna, link, path, eggs, other } = await scene(subject);
    const page = await send("GET", path);
    expect(page.status).toBe(200);
    const words = { thread: "Message", question: "Question", review: "Review" }[subject];
    expect(page.body).toContain(`${words} of Anna to the ducks`);
    const vendor = await db.vendor.findUniqueOrThrow({ where: { id: other.vendor_id } });
    for (const secret of [
      "another customer",
      "another vendor",
      "Plum jam",
      vendor.name,
      "Quillfeather",
      "Bartholomew",
      "3175550142",
      String(anna.customer.email),
      "$",
      ...["Message", "Question", "Review"].filter((each) => each !== words).map((each) => `${each} of Anna`),
    ])
      expect([secret, page.body.includes(secret)]).toEqual([secret, false]);
    expect(page.body).not.toMatch(/<script|<nav|href="\/(?:shop|inbox|product)/);
    expect(usesOf(link.id)).toEqual([["GET", "open"]]);
    expect(link.vendor_id).toBe(eggs.vendor_id);
  },
);

test("vendor link: previews and HEAD change nothing, other methods are refused, and each use is logged without the token", async () => {
  const { link, path, subjectId } = await scene("question");
  expect((await send("HEAD", path)).status).toBe(200);
  for (let n = 0; n < 3; n += 1) expect((await send("GET", path)).status).toBe(200);
  for (const method of ["PUT", "DELETE", "PATCH"])
    expect([method, (await send(method, path)).status]).toEqual([
      method,
      expect.toSatisfy((code) => code >= 400 && code < 500),
    ]);
  expect(await db.question.findUniqueOrThrow({ where: { id: subjectId } })).toMatchObject({ answer: null });
  const answers = await Promise.all(["Yes.", "No.", "Maybe."].map((answer) => send("POST", path, { answer })));
  expect(answers.map(({ status }) => status).every((status) => status === 303 || status === 409)).toBe(true);
  const late = await send("POST", path, { answer: "Later." });
  expect(late.status).toBe(409);
  const uses = usesOf(link.id);
  expect(uses.filter(([method]) => method !== "POST")).toEqual([
    ["HEAD", "open"],
    ["GET", "open"],
    ["GET", "open"],
    ["GET", "open"],
  ]);
  expect(uses.filter(([method]) => method === "POST")).toHaveLength(4);
  expect(uses.at(-1)).toEqual(["POST", "used"]);
  const signature = path.split(".")[1]!;
  expect(lines.some((line) => line.includes(signature))).toBe(false);
});

test("vendor link: changed by one character anywhere it opens nothing, and its use is logged without a number", async () => {
  const { path, link, subjectId } = await scene("thread");
  const token = path.slice("/answer/".length);
  const before = usesOf(undefined).length;
  for (let at = 0; at < token.length; at += 1) {
    const letter = token[at] === "a" ? "b" : "a";
    const changed = `/answer/${token.slice(0, at)}${letter}${token.slice(at + 1)}`;
    expect([at, (await send("GET", changed)).status]).toEqual([at, 404]);
  }
  // The last characters of a signature have bits that no byte needs.
  for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    if (!token.endsWith(letter))
      expect([letter, (await send("POST", `/answer/${token.slice(0, -1)}${letter}`, { answer: "Hi" })).status]).toEqual(
        [letter, 404],
      );
  expect((await send("GET", path.toUpperCase().replace("/ANSWER/", "/answer/"))).status).toBe(404);
  expect(
    usesOf(undefined)
      .slice(before)
      .every(([, state]) => state === "unknown"),
  ).toBe(true);
  expect(usesOf(undefined).length).toBeGreaterThan(before + token.length);
  expect(usesOf(link.id)).toEqual([]);
  expect(await db.message.count({ where: { thread_id: subjectId } })).toBe(1);
});

test.each<[state: string, spoil: (subject: Subject, id: number) => Promise<unknown>]>([
  ["revoked", (subject, id) => revokeLink(db, subject, id, clock.now())],
  ["expired", async () => clock.advance(30 * Day.ms)],
  ["gone", (_subject, id) => db.thread.delete({ where: { id } })],
])("vendor link that is %s: shows no message, stores no answer, and each try is logged", async (state, spoil) => {
  const { path, link, subjectId } = await scene("thread");
  await spoil("thread", subjectId);
  const messages = await db.message.count();
  const page = await send("GET", path);
  const answer = await send("POST", path, { answer: "Let me in" });
  expect([page.status, answer.status]).toEqual([410, 410]);
  for (const { body } of [page, answer]) expect(body).not.toMatch(/Message of Anna|Anna/);
  expect(await db.message.count()).toBe(messages);
  expect(usesOf(link.id)).toEqual([
    ["GET", state],
    ["POST", state],
  ]);
});

test("vendor link: of a vendor that the shop does not show it still answers its customers", async () => {
  const { path, eggs, subjectId } = await scene("thread");
  await db.vendor.update({ where: { id: eggs.vendor_id }, data: { is_published: false } });
  expect((await send("POST", path, { answer: "We are back in May." })).status).toBe(303);
  expect(await db.message.count({ where: { thread_id: subjectId } })).toBe(2);
});

test("vendor link: one of another vendor's subject can't be made to answer this one", async () => {
  const first = await scene("thread");
  const second = await scene("thread");
  // A link of another vendor with this subject's number in its form.
  const answer = await send("POST", second.path, { answer: "Mine", subject_id: String(first.subjectId) });
  expect(answer.status).toBe(303);
  expect(await db.message.count({ where: { thread_id: first.subjectId } })).toBe(1);
  expect(await db.message.count({ where: { thread_id: second.subjectId } })).toBe(2);
  const issued = await transaction(db, (tx) =>
    issueLink(tx, { vendorId: first.eggs.vendor_id, subject: "thread", subjectId: first.subjectId, now: clock.now() }),
  );
  expect(issued).toBe(first.link.id);
});
