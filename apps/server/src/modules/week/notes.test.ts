import { expect, test } from "vitest";

import { buildTestApp, MONDAY } from "../../../test/app.ts";
import { ADDRESS, CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";
import { runWeek } from "../../jobs/week.ts";
import type { Context } from "../identity/context.ts";
import { renderMail } from "../mail/layout.ts";
import { cancelOrder } from "../orders/cancel-order.ts";
import { findWholeOrder } from "../orders/find-whole-order.ts";
import { readSheets } from "./read-sheets.ts";

const CUTOFF = "2026-11-25T06:00:00Z";
const market = await buildTestApp();
const { db, deps } = market;
const operator = (): Context => ({ now: market.clock.now(), actor: { type: "operator", name: "Ada" }, deps });

/** A shopper at home, who buys one of something with notes. */
async function scene() {
  market.clock.set(MONDAY);
  const hub = await createHub(db);
  const eggs = await createProduct(db, hub.id, { inventory: 50 });
  const who = await signIn(market, { hubId: hub.id });
  const buy = async (deliveryNotes: string, instructions = "Past the barn", choice: object = CHOICE) => {
    await who.put("/cart", [eggs.line(1)]);
    const body = { ...choice, deliveryNotes, deliveryAddress: { ...ADDRESS, instructions } };
    const quote = await who.post("/checkout/quote", body);
    const placed = await who.post("/checkout", { ...body, expectedTotal: quote.body.orderTotal });
    expect([quote.status, placed.status], JSON.stringify(placed.body)).toEqual([200, 201]);
    market.clock.advance(1000);
    return placed.body.orderId as number;
  };
  /** The mails that the shopper got, oldest first. */
  const mails = async () => {
    const rows = await db.mail.findMany({ where: { to_email: who.customer.email! }, orderBy: { id: "asc" } });
    return Promise.all(
      rows.map(async ({ template, data }) => {
        const content = await deps.mailTemplates[template]!.content(deps, data as never, market.clock.now());
        return content ? renderMail(content, deps.env) : null;
      }),
    );
  };
  const request = { hub: hub.slug, day: "2026-11-26" };
  const close = async () => {
    market.clock.set(CUTOFF);
    await runWeek({ now: market.clock.now(), actor: { type: "system", job: "week" }, deps });
  };
  const boxes = async () => (await readSheets(operator(), request)).day.boxes;
  return { hub, eggs, who, buy, mails, close, boxes };
}

test.each([
  ["\\n", "Gate code 4471\nLeave in the cooler"],
  ["\\r\\n", "Gate code 4471\r\nLeave in the cooler"],
  ["\\r and a tab", "Gate\tcode 4471\rLeave in the cooler"],
  ["invisible marks and a NUL", "\u202AGate code\u00A04471\u202C\0\nLeave\u200B in the cooler"],
])("notes with %s are ordered, and both lines are on receipt, mail, orders show and sheets", async (_, typed) => {
  const { who, buy, mails, close, boxes } = await scene();
  const id = await buy(typed);
  const notes = "Gate code 4471\nLeave in the cooler";
  expect((await who.get(`/orders/${id}`)).body.deliveryNotes).toBe(notes);
  const [receipt] = await mails();
  expect(receipt!.text).toContain(`Your notes:\n${notes}`);
  expect(receipt!.text).toContain("Carmel, IN 46032\nPast the barn");
  expect(receipt!.html).toContain("Gate code 4471<br>Leave in the cooler");
  expect(await findWholeOrder(db, id)).toMatchObject({ deliveryNotes: notes, boxNotes: notes });
  await close();
  expect(await boxes()).toMatchObject([{ notes, door: { instructions: "Past the barn" } }]);
});

test("an add-on's notes and new directions are with its box, each text once, until it is canceled", async () => {
  const { who, buy, mails, close, boxes } = await scene();
  const box = await buy("Gate code 4471");
  const added = await buy("Ring twice\nThe dog is friendly", "Side door now");
  await buy("Gate code 4471");
  const notes = "Gate code 4471\nRing twice\nThe dog is friendly\nSide door now";
  expect((await who.get(`/orders/${box}`)).body.deliveryNotes).toBe(notes);
  expect((await who.get("/orders")).body.payload[0].deliveryNotes).toBe(notes);
  expect((await mails())[1]!.text).toContain("Your notes:\nRing twice\nThe dog is friendly\n\n");
  for (const id of [box, added]) expect(await findWholeOrder(db, id)).toMatchObject({ boxNotes: notes });
  await close();
  expect(await boxes()).toMatchObject([{ notes, door: { instructions: "Past the barn" } }]);
  await cancelOrder(operator(), added, { to: "card", reason: "", key: null });
  expect(await boxes()).toMatchObject([{ notes: "Gate code 4471" }]);
});

test("an emptied first order leaves its notes to the add-on that takes its place, before that one's own", async () => {
  const { who, buy, mails, close, boxes } = await scene();
  const box = await buy("Gate code 4471");
  const added = await buy("Ring twice");
  await who.post("/orders/edit-order", { order: { id: box, items: [] } });
  expect((await who.get(`/orders/${box}`)).body).toMatchObject({
    id: added,
    deliveryNotes: "Gate code 4471\nRing twice",
  });
  expect((await mails()).at(-1)!.text).toContain("Your notes:\nGate code 4471\nRing twice\n\n");
  await close();
  expect(await boxes()).toMatchObject([{ orderId: added, notes: "Gate code 4471\nRing twice" }]);
});
