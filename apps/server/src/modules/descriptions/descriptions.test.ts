import { execute, sql } from "@marketday/db";
import { expect, test } from "vitest";

import { buildTestApp } from "../../../test/app.ts";
import { createBundle, createHub, createProduct } from "../../../test/factories.ts";
import { guestOf } from "../../../test/sign-in.ts";
import { SANITIZER_VERSION } from "../../lib/sanitize.ts";
import { resanitizeDescriptions } from "./resanitize.ts";
import { findSanitizer, setSanitizer } from "./sanitizer-store.ts";

const market = await buildTestApp();
const { db, deps, clock } = market;

test(
  "descriptions: HTML that older rules allowed is cleaned once, and the rest stays as it is",
  { tags: ["fail:H3"] },
  async () => {
    const hub = await createHub(db);
    const bad = await createProduct(db, hub.id);
    const good = await createProduct(db, hub.id);
    const bundle = await createBundle(db, [hub.id], { items: [{ product: good }] });
    const shelf = await db.collection.create({
      data: { slug: "shelf", title: "Shelf", description: "<p>ok</p><svg onload=alert(1)>" },
    });
    const evil = "<p onclick=alert(1)>Good</p><script>alert(1)</script>";
    await db.product.update({
      where: { id: bad.id },
      data: { description: evil, new_description: `<a href="//evil">New</a>` },
    });
    await db.vendor.update({ where: { id: bad.vendor_id }, data: { description: evil } });
    await db.bundle.update({ where: { id: bundle.id }, data: { description: evil } });
    // More than one batch.
    await execute(
      db,
      sql`insert into product (slug, vendor_id, title, description) select 'more-' || n, ${bad.vendor_id}::int, 'More', '<b onclick=x>More</b>' from generate_series(1, 1100) n`,
    );
    const before = await db.product.findUniqueOrThrow({ where: { id: good.id } });

    expect(await resanitizeDescriptions(deps, clock.now())).toBe(1105);
    expect(await db.product.findUniqueOrThrow({ where: { id: bad.id } })).toMatchObject({
      description: "<p>Good</p>",
      new_description: "New",
    });
    expect((await db.vendor.findUniqueOrThrow({ where: { id: bad.vendor_id } })).description).toBe("<p>Good</p>");
    expect((await db.bundle.findUniqueOrThrow({ where: { id: bundle.id } })).description).toBe("<p>Good</p>");
    expect((await db.collection.findUniqueOrThrow({ where: { id: shelf.id } })).description).toBe("<p>ok</p>");
    expect(await db.product.count({ where: { description: "<b>More</b>" } })).toBe(1100);
    expect(await db.product.findUniqueOrThrow({ where: { id: good.id } })).toEqual(before);
    expect((await (await guestOf(market, hub.id)).get(`/products/${bad.id}`)).body.description).toBe("<p>Good</p>");
    expect(await findSanitizer(db)).toBe(SANITIZER_VERSION);

    // With the same rules nothing is read; with older ones it is.
    await db.product.update({ where: { id: bad.id }, data: { description: evil } });
    expect((await market.statements(() => resanitizeDescriptions(deps, clock.now()))).length).toBe(1);
    await setSanitizer(db, SANITIZER_VERSION - 1, clock.now());
    expect(await resanitizeDescriptions(deps, clock.now())).toBe(1);
  },
);
