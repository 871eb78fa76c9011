import type { Db } from "../../../../prisma/src/client.ts";
import { createHubNow } from "../../../server/test/factories.ts";
import { addPosts, type HubPlace, type MarketFacts, newZip, publishedAt } from "./market.ts";
import { stock } from "./stock.ts";

/** Another hub with the market's products: its offers, stock, prices, feed and deliveries are separate. */
export async function openShop(db: Db, { products }: MarketFacts, zip = newZip()): Promise<HubPlace> {
  const { id, name } = await createHubNow(db, { name: `Corner market ${zip}`, zips: [zip], pickupPoints: 2 });
  const offers = await db.offer.createManyAndReturn({
    data: products.map(({ variantId }, place) => {
      const [, , priceCents, { sale = null, inventory = 200 } = {}] = stock[place]!;
      return {
        variant_id: variantId,
        hub_id: id,
        price_cents: priceCents,
        sale_price_cents: sale,
        inventory,
        published_at: publishedAt,
      };
    }),
    select: { id: true, inventory: true },
  });
  await db.stock_adjustment.createMany({
    data: offers.map((offer) => ({ offer_id: offer.id, amount: offer.inventory, reason: "received" })),
  });
  const [first] = products;
  if (!first) throw new Error("The market has no products.");
  await addPosts(db, id, first.id);
  return { hub: { id, name }, zip };
}
