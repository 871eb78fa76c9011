import { type Db, execute, sql } from "@marketday/db";
import { ensureAllDeliveries } from "@marketday/server/modules/hubs/deliveries";

/** The size of a hub's catalogue. */
export interface Size {
  vendors: number;
  products: number;
}

/** Words of product names: enough that each matches some products, and misspelled ones have near matches. */
const FIRST =
  "Heirloom Smoked Whole Raw Aged Sweet Wild Golden Rustic Spiced Pickled Toasted Frozen Crisp Dried Baby Creamy Sharp Tart Mixed".split(
    " ",
  );
const THING = (
  "Tomatoes Strawberries Cheddar Honey Sourdough Mushrooms Carrots Kale Butter Yogurt Bacon Sausage Apples Pears Pumpkins Garlic Onions Potatoes " +
  "Spinach Lettuce Basil Cilantro Salsa Granola Muffins Cookies Kombucha Cider Coffee Tea Beef Turkey Chicken Trout Tofu Beans Lentils Flour Eggs Milk"
).split(" ");
const LAST =
  "Jam Soup Box Bunch Pie Chutney Bread Mix Butter Salad Sauce Chips Crackers Bites Bowl Kit Spread Cake Syrup Pack".split(
    " ",
  );

/** A word that one product in 50 has in its title: 2,000 of 100,000. */
export const RARE_WORD = "Zucchini";

/**
 * Fills a market of one hub by SQL, the same each time: products in two variants, tags, pictures, collections, posts. Of every fifth
 * product there are one to three of the small variant. Its next cutoff is soon enough for a card that is not saved.
 */
export async function fillCatalogue(db: Db, { vendors, products }: Size, now: Date): Promise<void> {
  const statements = [
    sql`insert into picture (id, alt, thumbhash, file)
        select lpad(to_hex(n), 16, '0'), 'Picture ' || n, 'YTkGJwaRhWUIt4lbgnhZl3ath2BUBGYA', n || '.jpg' from generate_series(1, 200) n`,
    sql`insert into hub (slug, name, description, delivery_day, time_zone, tax_rate_ppm, processing_ppm, processing_fixed_cents, zip_code, city, state, lat, lng)
        values ('hub', 'Market', 'A market for measuring', to_char(${now}::timestamptz + interval '5 days', 'FMDay'), 'America/Chicago', 22500, 29000, 30, '60614', 'Chicago', 'IL', 41.92, -87.65)`,
    sql`insert into hub_zip (hub_id, zip_code) select id, '60614' from hub`,
    sql`insert into vendor (slug, hash, name, city, state, description, avatar_id, created_at)
        select 'vendor-' || n, lpad(to_hex(n), 16, '0'), (${THING}::text[])[1 + n % 40] || ' ' || (${LAST}::text[])[1 + n / 40 % 20] || ' Farm ' || n, 'Woodstock', 'IL',
          '<p>We grow what the season gives.</p>', lpad(to_hex(1 + n % 200), 16, '0'), ${now}::timestamptz - interval '300 days'
        from generate_series(1, ${vendors}::int) n`,
    sql`insert into product (slug, vendor_id, title, description, tags, badge, created_at, updated_at)
        select 'product-' || n, 1 + n % ${vendors}::int,
          (${FIRST}::text[])[1 + n % 20] || ' ' || (${THING}::text[])[1 + n / 20 % 40] || ' ' || (${LAST}::text[])[1 + n / 800 % 20]
            || case when n % 50 = 0 then ' ' || ${RARE_WORD} else '' end || ' ' || n,
          '<p>' || repeat('Picked the day before it comes to you, washed in cold water and packed by hand. ', 4) || '</p>',
          array['Local', 'Tag ' || n % 200], 2 + n % 6, ${now}::timestamptz - n * interval '3 minutes', ${now}
        from generate_series(1, ${products}::int) n`,
    sql`insert into product_picture (product_id, position, picture_id)
        select p.id, 0, lpad(to_hex(1 + p.id % 200), 16, '0') from product p`,
    sql`insert into variant (product_id, title, position, unit)
        select p.id, case k when 0 then 'Small' else 'Large' end, k, 'pint' from product p, generate_series(0, 1) k`,
    sql`insert into offer (variant_id, hub_id, price_cents, sale_price_cents, inventory, published_at, on_sale_since)
        select v.id, h.id, 300 + v.id % 900, case when v.product_id % 11 = 0 then 250 end,
          case when v.position = 0 and p.id % 5 = 3 then 1 + p.id % 3 else 1000 end, p.created_at,
          case when v.product_id % 11 = 0 then ${now}::timestamptz - v.product_id * interval '10 minutes' end
        from variant v join product p on p.id = v.product_id, hub h`,
    sql`insert into stock_adjustment (offer_id, amount, reason) select id, inventory, 'delivered' from offer`,
    sql`insert into collection (slug, title, position, show_in_collections, show_in_main_menu)
        select 'collection-' || n, (${THING}::text[])[n], n, true, n <= 3 from generate_series(1, 40) n`,
    sql`insert into collection_product (collection_id, product_id, position, added_at)
        select 1 + p.id % 40, p.id, p.id, p.created_at from product p`,
    sql`insert into post (type, vendor_id, title, text, created_at)
        select 'vendor-post', n, 'From the field, number ' || n, 'The first rows are ready and the weather holds.', ${now}::timestamptz - n * interval '5 hours'
        from generate_series(1, 30) n`,
    sql`vacuum analyze`,
  ];
  for (const statement of statements) await execute(db, statement);
  await ensureAllDeliveries(db, now);
}
