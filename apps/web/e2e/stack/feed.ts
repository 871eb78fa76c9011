import { Hour } from "@marketday/domain/time";

import type { Db } from "../../../../prisma/src/client.ts";
import { createHubNow, createProduct, createVendor } from "../../../server/test/factories.ts";
import { newZip } from "./market.ts";

const LONG_AGO = 100 * 24;
const staffTypes = ["staff-trending", "staff-pick", "staff-flash-sale", "staff-insane-weekly-deal"] as const;
let markets = 0;

/** A separate market whose feed has all nine cards, with enough that is new, back and on sale for a rail of each. */
export async function fillFeed(db: Db) {
  markets += 1;
  const now = Date.now();
  const ago = (hours: number) => new Date(now - hours * Hour.ms);
  const hub = await createHubNow(db, { name: `Feeding market ${markets}`, zips: [newZip()] });
  const product = async (
    vendorId: number,
    title: string,
    { published = LONG_AGO, restocked, sale }: { published?: number; restocked?: number; sale?: number } = {},
  ) => {
    const made = await createProduct(db, hub.id, {
      title,
      vendorId,
      ...(sale !== undefined && { salePriceCents: 500 }),
    });
    await db.offer.updateMany({
      where: { variant: { product_id: made.id } },
      data: {
        published_at: ago(published),
        restocked_at: restocked === undefined ? null : ago(restocked),
        on_sale_since: sale === undefined ? null : ago(sale),
      },
    });
    return made;
  };
  const vendors = [];
  for (const name of ["Feed Farm", "Second Feed", "Third Feed", "Fourth Feed", "Fifth Feed"])
    vendors.push(await createVendor(db, { name: `${name} ${markets}` }));
  const [first] = vendors;
  if (!first) throw new Error("There is no vendor.");
  // In turn, so that none of them fills the grid alone; two of a kind from each vendor are all that the feed takes.
  let hours = 30;
  for (const round of [1, 2])
    for (const [place, { id }] of vendors.entries()) {
      const number = round * 10 + place;
      await product(id, `Brand-new ${number}`, { published: hours });
      await product(id, `Long-missed ${number}`, { restocked: hours + 1 });
      await product(id, `Cheaper ${number}`, { sale: hours + 2 });
      hours += 3;
    }
  const newcomer = await createVendor(db, { name: `Newcomer ${markets}` });
  await product(newcomer.id, "Newcomer's first", { published: hours });

  const titles = {
    "new-item": "Brand-new",
    "returning-item": "Long-missed",
    "on-sale": "Cheaper",
    "new-vendor": newcomer.name,
  } as Record<(typeof staffTypes)[number] | "new-item" | "returning-item" | "on-sale" | "new-vendor", string>;
  for (const [place, type] of staffTypes.entries()) {
    titles[type] = `Picked by staff ${place}`;
    const { id } = await product(first.id, titles[type]);
    await db.post.create({
      data: { type, hub_id: hub.id, product_id: id, text: `Words of a ${type}`, created_at: ago(place + 1) },
    });
  }
  await db.post.create({
    data: {
      type: "vendor-post",
      hub_id: hub.id,
      vendor_id: first.id,
      title: "From the field",
      text: "Words of a vendor-post",
      // A client whose clock is a little behind sees it as well.
      created_at: ago(1 / 60),
    },
  });
  return {
    hub: { id: hub.id, name: hub.name },
    vendor: { slug: first.slug, name: first.name },
    titles,
  };
}
