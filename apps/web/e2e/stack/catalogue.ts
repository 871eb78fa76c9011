import type { Db } from "../../../../prisma/src/client.ts";
import { createHubNow, createProduct, createVendor } from "../../../server/test/factories.ts";
import { newZip } from "./market.ts";

/** A new market with vendors and products, each product at $7.00 with 20 in stock. */
export async function createCatalogue(db: Db, { vendors }: { vendors: { name: string; products: string[] }[] }) {
  const hub = await createHubNow(db, { zips: [newZip()] });
  const { slug } = await db.hub.findUniqueOrThrow({ where: { id: hub.id }, select: { slug: true } });
  const offers: number[] = [];
  for (const { name, products } of vendors) {
    // One after the other: their ids are in this order.
    // oxlint-disable-next-line no-await-in-loop
    const vendor = await createVendor(db, { name });
    for (const title of products) {
      // oxlint-disable-next-line no-await-in-loop
      const { variant } = await createProduct(db, hub.id, {
        vendorId: vendor.id,
        title,
        priceCents: 700,
        inventory: 20,
      });
      offers.push(variant.offers[0]!.id);
    }
  }
  return { hub: slug, hubId: hub.id, offers };
}
