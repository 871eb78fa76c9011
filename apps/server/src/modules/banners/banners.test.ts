import { Banner } from "@marketday/contracts/cart";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createHub } from "../../../test/factories.ts";
import { counted, guestOf } from "../../../test/sign-in.ts";

const market = await buildTestApp();
const { db, clock } = market;
const hub = await createHub(db);
const elsewhere = await createHub(db, { zips: ["60601"] });
const at = (hours: number) => new Date(clock.now().getTime() + hours * 3_600_000);
const titles = (answer: { body: Banner[] }) => answer.body.map(({ title }) => title);

test(
  "banners: the hub's own and those of every hub are listed within their dates, warnings first",
  { tags: ["spec:7.8-06", "spec:3-16"] },
  async () => {
    await db.banner.createMany({
      data: [
        { hub_id: hub.id, type: "information", title: "Here", position: 1, action: "/vendors", body: "Come in" },
        { hub_id: null, type: "other", title: "Everywhere", position: 0 },
        { hub_id: elsewhere.id, type: "warning", title: "Elsewhere" },
        { hub_id: hub.id, type: "warning", title: "Snow", position: 9 },
        { hub_id: hub.id, type: "information", title: "Over", ends_at: at(0) },
        { hub_id: hub.id, type: "information", title: "Soon", starts_at: at(1), position: 0 },
        { hub_id: hub.id, type: "information", title: "Now", starts_at: at(0), ends_at: at(1), position: 3 },
      ],
    });
    const guest = await guestOf(market, hub.id);
    const answer = await guest.get("/banners/");
    expect(Banner.array().parse(answer.body)).toEqual(answer.body);
    expect(titles(answer)).toEqual(["Snow", "Here", "Now", "Everywhere"]);
    expect(answer.body[1]).toEqual({
      id: expect.stringMatching(/^banner-\d+$/),
      type: "information",
      title: "Here",
      body: "Come in",
      action: "/vendors",
    });
    expect((await guest.get("/banners")).body).toEqual(answer.body);
    expect((await guest.get("/cart")).body.banners).toEqual(answer.body);
    expect(titles(await (await guestOf(market, elsewhere.id)).get("/banners/"))).toEqual(["Elsewhere", "Everywhere"]);
    expect((await market.shopper().get("/banners/")).body).toEqual([]);
    const cached = await guest.get("/banners/", { "if-none-match": String(answer.headers["etag"]) });
    expect(cached.status).toBe(304);
    clock.advance(3_600_000);
    expect(titles(await guest.get("/banners/"))).toEqual(["Snow", "Soon", "Here", "Everywhere"]);
    expect((await counted(market, () => guest.get("/banners/"))).statements).toHaveLength(2);
  },
);
