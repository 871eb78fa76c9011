import { randomUUID } from "node:crypto";
import { mkdir, readdir, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";

import { execute, query, sql } from "@marketday/db";
import { STAFF_SESSION } from "@marketday/domain/staff";
import { addMs, Day } from "@marketday/domain/time";
import { expect, test } from "vitest";
import { z } from "zod";

import { buildTestApp } from "../../test/app.ts";
import { createCustomer, createHub, createOrder, createProduct } from "../../test/factories.ts";
import { createStaff } from "../../test/staff.ts";
import { sha256 } from "../lib/tokens.ts";
import { findFailures } from "../modules/job-failures/failure-sql.ts";
import { cleanUp } from "./clean-up.ts";

const market = await buildTestApp();
const { db, deps } = market;
const ROWS = 10_000;
const Counts = z.object({
  keys: z.number(),
  sessions: z.number(),
  guests: z.number(),
  limits: z.number(),
  mails: z.number(),
  results: z.number(),
});
const counts = async () =>
  (
    await query(
      db,
      sql`select (select count(*)::int from idempotency_key) as keys, (select count(*)::int from session) as sessions,
            (select count(*)::int from guest) as guests, (select count(*)::int from rate_limit) as limits,
            (select count(*)::int from mail) as mails, (select count(*)::int from auto_checkout_result) as results`,
      Counts,
    )
  )[0];

test(
  "clean-up: ten thousand old rows of each table are deleted a thousand at a time, rows in use stay",
  { tags: ["fail:D14"] },
  async () => {
    const hub = await createHub(db);
    const customer = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const now = market.clock.now();
    await execute(
      db,
      sql`with old as (select n, ${now}::timestamptz - interval '200 days' as at from generate_series(1, ${ROWS}::int) n),
          keys as (insert into idempotency_key (actor, key, request_hash, state, lease_until, created_at) select 'a', n::text, '', 'done', at, at from old),
          guests as (insert into guest (id, hub_id, created_at) select gen_random_uuid(), ${hub.id}::int, at from old),
          sessions as (insert into session (id, customer_id, created_at, last_seen_at) select gen_random_uuid(), ${customer.id}::int, at, at from old),
          limits as (insert into rate_limit (key, points, expire) select n::text, 1, 1 from old),
          mails as (insert into mail (key, template, to_email, data, created_at, sent_at) select 'old' || n, 'gift-card', 'a@example.com', '{}', at, at from old),
          people as (insert into customer (email) select 'old' || n || '@example.com' from old returning id)
        insert into auto_checkout_result (delivery_id, customer_id, outcome, done_at)
        select ${hub.deliveries[0]!.id}::int, id, 'placed', ${now}::timestamptz - interval '200 days' from people`,
    );
    await execute(
      db,
      sql`with k as (insert into idempotency_key (actor, key, request_hash, state, lease_until, created_at) values ('a', 'new', '', 'done', ${now}, ${now})),
          g as (insert into guest (id, hub_id, created_at) values (gen_random_uuid(), ${hub.id}::int, ${now})),
          s as (insert into session (id, customer_id, created_at, last_seen_at) values (gen_random_uuid(), ${customer.id}::int, ${now}, ${now})),
          l as (insert into rate_limit (key, points, expire) values ('new', 1, ${now.getTime() + 1000}::bigint)),
          waits as (insert into mail (key, template, to_email, data, created_at) values ('waits', 'gift-card', 'a@example.com', '{}', ${now}::timestamptz - interval '200 days'))
        insert into auto_checkout_result (delivery_id, customer_id) values (${hub.deliveries[0]!.id}::int, ${customer.id}::int)`,
    );
    const statements = await market.statements(() =>
      cleanUp({ deps, now, actor: { type: "system", job: "clean-up" } }),
    );
    const left = await counts();
    expect(left).toEqual({ keys: 1, sessions: 1, guests: 1, limits: 1, mails: 1, results: 1 });
    // Ten full batches of each, and the empty one that ends them.
    expect(statements.filter((text) => /delete from/i.test(text)).length).toBeGreaterThanOrEqual(6 * 11);
    await cleanUp({ deps, now, actor: { type: "system", job: "clean-up" } });
    expect(await counts()).toEqual(left);
  },
);

test(
  "clean-up: old webhook events and failed checkouts are deleted, those that may still be needed stay",
  { tags: ["fail:D14"] },
  async () => {
    const hub = await createHub(db);
    const { id: customer_id } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const now = market.clock.now();
    const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000);
    const event = (event_id: string, days: number, isProcessed = true) =>
      db.webhook_event.create({
        data: {
          provider: "stripe",
          event_id,
          type: "payment_intent.succeeded",
          received_at: daysAgo(days),
          processed_at: isProcessed ? daysAgo(days) : null,
        },
      });
    await event("old", 31);
    await event("recent", 29);
    await event("unfinished", 31, false);
    const attempt = async (
      days: number,
      state: "failed" | "placed" | "held",
      payment: { state: string; look_again_at?: Date } | null,
      refunded = false,
    ) => {
      const payment_id = payment && randomUUID();
      if (payment_id)
        await db.payment.create({
          data: {
            id: payment_id,
            charge_key: randomUUID(),
            customer_id,
            provider: "test",
            amount_cents: 100,
            created_at: daysAgo(days),
            ...payment,
          },
        });
      if (payment_id && refunded)
        await db.refund.create({
          data: {
            id: randomUUID(),
            payment_id,
            kind: "orphaned_charge",
            destination: "card",
            amount_cents: 100,
            reason: "test",
            state: "done",
            created_at: daysAgo(days),
          },
        });
      const { id } = await db.checkout_attempt.create({
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
          payment_id,
          lease_until: daysAgo(days),
          expires_at: daysAgo(days),
          created_at: daysAgo(days),
          finished_at: state === "held" ? null : daysAgo(days),
        },
      });
      return id;
    };
    const deleted = [
      await attempt(91, "failed", null),
      await attempt(91, "failed", { state: "voided" }),
      await attempt(91, "failed", { state: "failed" }),
    ];
    const retained = [
      await attempt(89, "failed", { state: "voided" }),
      await attempt(91, "placed", { state: "captured" }),
      await attempt(91, "held", { state: "created" }),
      await attempt(91, "failed", { state: "created" }),
      await attempt(91, "failed", { state: "authorized" }),
      await attempt(91, "failed", { state: "voided", look_again_at: now }),
      await attempt(91, "failed", { state: "captured" }, true),
      await attempt(91, "failed", { state: "voided" }, true),
    ];
    await cleanUp({ deps, now, actor: { type: "system", job: "clean-up" } });
    const left = await db.checkout_attempt.findMany({ where: { id: { in: [...deleted, ...retained] } } });
    expect(left.map(({ id }) => id).toSorted()).toEqual(retained.toSorted());
    expect((await db.webhook_event.findMany()).map(({ event_id }) => event_id).toSorted()).toEqual([
      "recent",
      "unfinished",
    ]);
  },
);

test(
  "clean-up: expired proofs, sent sign-ins, failures of long ago and photos without a report are deleted, newer ones stay",
  { tags: ["fail:D14"] },
  async () => {
    const { id: customer_id } = await createCustomer(db, { pepper: deps.env.pepper });
    const now = market.clock.now();
    const daysAgo = (days: number) => addMs(now, -days * Day.ms);
    await db.bot_proof.createMany({
      data: [
        { nonce: "old", expires_at: addMs(now, -1) },
        { nonce: "new", expires_at: addMs(now, 1) },
      ],
    });
    await db.identify_event.createMany({
      data: [8, 6].map((days) => ({
        event: "login",
        visit: `sent ${days} days ago`,
        customer_id,
        created_at: daysAgo(days),
        sent_at: daysAgo(days),
      })),
    });
    await db.job_failure.createMany({
      data: [31, 29].map((days) => ({
        job: "test",
        subject: `${days} days`,
        reason: "",
        since: daysAgo(days),
        next_at: daysAgo(days),
      })),
    });
    const folder = join(market.dataDir, "problems");
    await mkdir(folder, { recursive: true });
    for (const [file, days] of [
      ["old.jpg", 2],
      ["new.jpg", 0],
    ] as const) {
      await writeFile(join(folder, file), "");
      await utimes(join(folder, file), daysAgo(days), daysAgo(days));
    }
    try {
      await cleanUp({ deps, now, actor: { type: "system", job: "clean-up" } });
      expect({
        proofs: (await db.bot_proof.findMany()).map(({ nonce }) => nonce),
        events: (await db.identify_event.findMany({ where: { customer_id } })).map(({ visit }) => visit),
        failures: (await db.job_failure.findMany({ where: { job: "test" } })).map(({ subject }) => subject),
        photos: await readdir(folder),
      }).toEqual({ proofs: ["new"], events: ["sent 6 days ago"], failures: ["29 days"], photos: ["new.jpg"] });
    } finally {
      await db.job_failure.deleteMany({ where: { job: "test" } });
    }
  },
);

test(
  "clean-up: passkey challenges that have expired, staff sessions that ended yesterday, and API keys that ended 90 days ago are deleted, newer ones stay",
  { tags: ["fail:D14"] },
  async () => {
    const { id: staff_id } = await createStaff(market, "owner");
    const now = market.clock.now();
    const challenge = (challenge_hash: string, ms: number) => ({
      challenge_hash,
      purpose: "sign_in",
      browser: "",
      expires_at: addMs(now, ms),
    });
    await db.staff_challenge.createMany({ data: [challenge("old", -1), challenge("new", 1)] });
    const session = (user_agent: string, created: number, ended: number | null) => ({
      id: randomUUID(),
      staff_id,
      user_agent,
      created_at: addMs(now, -created),
      last_seen_at: now,
      ended_at: ended === null ? null : addMs(now, -ended),
    });
    const { absoluteMs } = STAFF_SESSION;
    await db.staff_session.createMany({
      data: [
        session("expired", absoluteMs + 1, null),
        session("open", absoluteMs - 1, null),
        session("ended yesterday", 0, Day.ms + 1),
        session("ended today", 0, Day.ms - 1),
      ],
    });
    const key = (name: string, ended: Partial<Record<"expires_at" | "revoked_at", Date>>) => ({
      staff_id,
      name,
      key_hash: sha256(name),
      start: "mkt_abcdef",
      permissions: ["orders.read"],
      created_at: addMs(now, -200 * Day.ms),
      expires_at: addMs(now, Day.ms),
      ...ended,
    });
    await db.staff_api_key.createMany({
      data: [
        key("works", {}),
        key("expired long ago", { expires_at: addMs(now, -90 * Day.ms - 1) }),
        key("revoked", { revoked_at: addMs(now, -90 * Day.ms + 1) }),
        key("revoked long ago", { revoked_at: addMs(now, -90 * Day.ms - 1) }),
      ],
    });
    await cleanUp({ deps, now, actor: { type: "system", job: "clean-up" } });
    const keys = await db.staff_api_key.findMany({ where: { staff_id }, orderBy: { name: "asc" } });
    expect(keys.map(({ name }) => name)).toEqual(["revoked", "works"]);
    expect((await db.staff_challenge.findMany()).map(({ challenge_hash }) => challenge_hash)).toEqual(["new"]);
    const sessions = await db.staff_session.findMany({ where: { staff_id }, orderBy: { user_agent: "asc" } });
    expect(sessions.map(({ user_agent }) => user_agent)).toEqual(["ended today", "open"]);
  },
);

test(
  "clean-up: notes that the staff removed are deleted after 90 days, newer ones and those that stand are not",
  { tags: ["fail:D14"] },
  async () => {
    const hub = await createHub(db);
    const product = await createProduct(db, hub.id, { inventory: 9 });
    const { id: customerId } = await createCustomer(db, { hubId: hub.id, pepper: deps.env.pepper });
    const { id: orderId } = await createOrder(db, { customerId, hub, product });
    const { id: staffId } = await createStaff(market, "owner");
    const now = market.clock.now();
    const removed = { old: addMs(now, -91 * Day.ms), newer: addMs(now, -89 * Day.ms), stands: null };
    for (const [text, removed_at] of Object.entries(removed)) {
      const note = { customer_id: customerId, text, created_at: addMs(now, -100 * Day.ms), removed_at };
      await db.order_note.create({ data: { ...note, order_id: orderId, kind: "inside", by: "staff:ada@example.com" } });
      await db.customer_note.create({ data: { ...note, staff_id: staffId } });
    }
    await cleanUp({ deps, now, actor: { type: "system", job: "clean-up" } });
    const texts = (rows: readonly { text: string }[]) => rows.map(({ text }) => text);
    const own = { where: { customer_id: customerId }, orderBy: { id: "asc" } } as const;
    const [onOrder, onPerson] = [await db.order_note.findMany(own), await db.customer_note.findMany(own)];
    expect([texts(onOrder), texts(onPerson)]).toEqual([
      ["newer", "stands"],
      ["newer", "stands"],
    ]);
  },
);

test(
  "clean-up: a kind of rows that cannot be deleted is named by doctor, the later kinds are deleted, and the next run retries it",
  { tags: ["fail:M3"] },
  async () => {
    const hub = await createHub(db);
    const now = market.clock.now();
    await execute(
      db,
      sql`with old as (select ${now}::timestamptz - interval '200 days' as at),
          g as (insert into guest (id, hub_id, created_at) select gen_random_uuid(), ${hub.id}::int, at from old)
        insert into mail (key, template, to_email, data, created_at, sent_at)
        select 'sent', 'gift-card', 'a@example.com', '{}', at, at from old`,
    );
    await execute(
      db,
      sql`create function keep_guests() returns trigger language plpgsql as $$ begin raise exception 'guests are kept'; end $$`,
    );
    await execute(db, sql`create trigger keep before delete on guest for each row execute function keep_guests()`);
    const run = () => cleanUp({ deps, now, actor: { type: "system", job: "clean-up" } });
    const old = async () => [
      await db.guest.count({ where: { created_at: { lt: addMs(now, -100 * Day.ms) } } }),
      await db.mail.count({ where: { key: "sent" } }),
    ];
    await run();
    expect(await old()).toEqual([1, 0]);
    expect(await findFailures(db, now)).toMatchObject([
      { job: "clean-up", subject: "old guests", reason: expect.stringContaining("guests are kept"), tries: 1 },
    ]);
    await execute(db, sql`drop trigger keep on guest`);
    await run();
    expect(await old()).toEqual([0, 0]);
    expect(await findFailures(db, now)).toEqual([]);
  },
);
