import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { CHOICE, createHub, createProduct } from "../../../test/factories.ts";
import { signIn } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const hub = await createHub(market.db);
const eggs = await createProduct(market.db, hub.id);

test(
  "checkout: an order stores the shopper's origin, truncated and without malformed values",
  { tags: ["spec:2.2-01", "spec:2.2-06"] },
  async () => {
    for (const [origin, kept] of [
      [
        { trk: "t".repeat(70), utmSource: "flyer", utmCampaign: "fall" },
        { trk: "t".repeat(50), utmSource: "flyer", utmCampaign: "fall" },
      ],
      [{ trk: "a\r\nSet-Cookie: x", utmSource: 7 }, { trk: "a Set-Cookie: x" }],
      ["nonsense", undefined],
      [undefined, undefined],
    ] as const) {
      const browser = await signIn(market, { hubId: hub.id });
      await browser.put("/cart", [eggs.line(1)]);
      const { orderTotal } = (await browser.post("/checkout/quote", CHOICE)).body;
      const placed = await browser.post("/checkout", { ...CHOICE, expectedTotal: orderTotal, origin });
      expect(placed.status, JSON.stringify(placed.body)).toBe(201);
      const order = await market.db.order.findUniqueOrThrow({
        where: { id: placed.body.orderId },
        include: { attempt: true },
      });
      expect((order.attempt!.choice as { origin?: unknown }).origin).toEqual(kept);
    }
  },
);
