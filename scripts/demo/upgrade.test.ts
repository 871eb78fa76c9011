import { createDb } from "@marketday/db";
import { createOldDatabase, readSums } from "@marketday/db/testing/old-database";
import { buildTestApp } from "@marketday/server/testing/app";
import { ADDRESS, CHOICE, createProduct } from "@marketday/server/testing/factories";
import { signIn } from "@marketday/server/testing/sign-in";
import { expect, test } from "vitest";

import { fillDemo } from "./fill.ts";

const now = new Date("2026-11-18T15:00:00Z");
/** The test provider's card whose charges need the bank's challenge. */
const CHALLENGE_CARD = { ...CHOICE.card, number: "4000002500003155" };

/** Tables that migrations since then drop or add, and columns that they empty or add, by table. */
const CHANGED = {
  tables: [
    "job_claim",
    "dispute",
    "customer_note",
    "harvest_link",
    "inbox_reply",
    "inbox_state",
    "order_note",
    "reply_template",
    "saved_view",
    "shortage",
    "staff",
    "staff_action",
    "staff_action_order",
    "staff_api_key",
    "staff_challenge",
    "staff_grant",
    "staff_link",
    "staff_passkey",
    "staff_recovery_code",
    "staff_session",
    "vendor_arrival",
  ],
  columns: {
    payment: "unconfirmed_at",
    checkout_attempt: "stock_mark",
    stock_adjustment: ["level", "stock_mark"],
    orders: "waived_cents",
    refund: ["failure", "refused_at", "resolved_at", "closed_at", "bearer_id", "released_cents"],
    wagon_pass: "unconfirmed_method_id",
    gift_card: "code_version",
    identify_event: "next_at",
    cart: "ordered_version",
    cart_item: "hub_id",
    customer: ["pickup_point_id", "lat", "lng"],
    audit_entry: "hub_id",
    endorsement: ["id", "hidden_at", "hidden_by", "hidden_reason"],
    question: [
      "hidden_at",
      "hidden_by",
      "hidden_reason",
      "answer_hidden_at",
      "answer_hidden_by",
      "answer_hidden_reason",
    ],
    review: ["hidden_at", "hidden_by", "hidden_reason"],
  },
};
/** Columns without which no customer of this version can sign in and order: the old database has them while one is. */
const NEEDED = [
  { table: "cart", column: "ordered_version", type: "int not null default 0" },
  { table: "checkout_attempt", column: "stock_mark", type: "int" },
  { table: "cart_item", column: "hub_id", type: "int" },
  { table: "payment", column: "unconfirmed_at", type: "timestamptz" },
  { table: "customer", column: "lat", type: "float8" },
  { table: "customer", column: "lng", type: "float8" },
  { table: "customer", column: "pickup_point_id", type: "int" },
];

test(
  "upgrade: the demo with an open bank challenge keeps every row, its books balance, and the challenge can be completed",
  { tags: ["fail:D12"] },
  async () => {
    const old = await createOldDatabase();
    const filler = createDb({ url: old.url });
    const market = await buildTestApp({ url: old.url, now: now.toISOString() });
    try {
      await fillDemo({ db: filler, now, env: { pepper: market.deps.env.pepper, dataDir: market.dataDir } });
      await market.waitForNotifications();
      const { hub_id: hubId } = await filler.hub_zip.findFirstOrThrow({ where: { zip_code: ADDRESS.zipCode } });
      for (const { table, column, type } of NEEDED)
        await old.client.query(`alter table ${table} add column ${column} ${type}`);
      const browser = await signIn(market, { hubId });
      const eggs = await createProduct(filler, hubId, { inventory: 9 });
      await browser.put("/cart", [{ productId: eggs.id, variantId: eggs.variant.id, quantity: 2 }]);
      const { body: quote } = await browser.post("/checkout/quote", CHOICE);
      const choice = { ...CHOICE, card: CHALLENGE_CARD, savePaymentMethod: true, expectedTotal: quote.orderTotal };
      const { status, body } = await browser.post("/checkout", choice);
      expect([status, body.challenge?.attemptId], JSON.stringify(body)).toEqual([202, expect.any(String)]);
      expect(await filler.stock_hold.count()).toBe(1);

      for (const { table, column } of NEEDED) await old.client.query(`alter table ${table} drop column ${column}`);
      const before = await readSums(filler, CHANGED);
      await old.upgrade();
      expect(await readSums(filler, CHANGED)).toEqual(before);
      expect(await market.audit()).toEqual([]);
      const placed = await browser.post(`/checkout/${body.challenge.attemptId}/complete`, { approve: true });
      expect(placed.status).toBe(201);
      expect(await market.audit()).toEqual([]);
    } finally {
      await market.close();
      await filler.close();
    }
  },
);
