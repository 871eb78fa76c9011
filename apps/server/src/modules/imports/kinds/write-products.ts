import type { SqlTx } from "@marketday/db";

import {
  always,
  type Count,
  countWritten,
  type Counts,
  field,
  noteChanged,
  trackWritten,
  upsert,
  type Writing,
} from "../kind.ts";
import { skipUncounted } from "./stock-count-sql.ts";

async function writeVariants(tx: SqlTx, { has }: Writing): Promise<Count> {
  await tx.client.query(`
    create temp table wanted on commit drop as
    select min(s.line) as line, p.id as product_id, s.variant as title, ${[
      "unit",
      "measure",
      "measure_amount",
      "pre_order_date",
    ]
      .map((name) => `(array_agg(s.${name} order by s.line))[1] as ${name}`)
      .join(", ")}
    from incoming s join product p on p.slug = s.slug group by p.id, s.variant`);
  const targets = ["unit", "measure", "measure_amount", "pre_order_date"].filter(has);
  const changed =
    targets.length === 0
      ? 0
      : ((
          await tx.client.query(`
      update variant x set ${targets.map((name) => `${name} = w.${name}`).join(", ")}
      from wanted w where x.product_id = w.product_id and x.title = w.title
        and (${targets.map((name) => `x.${name}`).join(", ")}) is distinct from (${targets.map((name) => `w.${name}`).join(", ")})`)
        ).rowCount ?? 0);
  const { rowCount } = await tx.client.query(`
    insert into variant (product_id, title, position, unit, measure, measure_amount, pre_order_date)
    select w.product_id, w.title,
      coalesce((select max(x.position) + 1 from variant x where x.product_id = w.product_id), 0) + (row_number() over (partition by w.product_id order by w.line))::int - 1,
      w.unit, w.measure, w.measure_amount, w.pre_order_date
    from wanted w where not exists (select 1 from variant x where x.product_id = w.product_id and x.title = w.title) order by w.line`);
  return { created: rowCount ?? 0, changed };
}

/** Locks the offers and reads their stock, so that concurrent sales wait and stock adjustments match. */
const asTheyWere = `
  create temp table former on commit drop as
  select s.line, x.id as variant_id, h.id as hub_id, o.id as offer_id, o.inventory as had
  from incoming s join product p on p.slug = s.slug join hub h on h.slug = s.hub
  join lateral (select min(x.id) as id from variant x where x.product_id = p.id and x.title = s.variant) x on true
  left join offer o on o.variant_id = x.id and o.hub_id = h.id`;

async function writeOffers(tx: SqlTx, { now, has, stockReason }: Writing): Promise<Count> {
  await tx.client.query(
    "select id from offer where id in (select o.id from incoming s join product p on p.slug = s.slug join variant x on x.product_id = p.id join offer o on o.variant_id = x.id) order by id for update",
  );
  await tx.client.query(asTheyWere);
  await tx.client.query("analyze former");
  const sets = [
    has("price") && "price_cents = n.price",
    has("sale_price") && "sale_price_cents = n.sale_price",
    has("inventory") && "inventory = coalesce(n.inventory, o.inventory)",
    has("weekly_inventory") && "weekly_inventory = n.weekly_inventory",
    has("offered") && "is_published = coalesce(n.offered, true)",
    has("inventory") &&
      "sold_out_at = case when coalesce(n.inventory, o.inventory) > 0 then null else coalesce(o.sold_out_at, $1::timestamptz) end",
    has("inventory") &&
      "restocked_at = case when o.inventory = 0 and n.inventory > 0 then $1::timestamptz else o.restocked_at end",
    has("sale_price") &&
      "on_sale_since = case when n.sale_price is null then null else coalesce(o.on_sale_since, $1::timestamptz) end",
    has("offered") &&
      "published_at = case when not o.is_published and coalesce(n.offered, true) then $1::timestamptz else o.published_at end",
  ].filter((set) => set !== false);
  const changed =
    sets.length === 0
      ? 0
      : ((
          await tx.client.query(
            `with n as (select f.offer_id, s.* from former f join incoming s on s.line = f.line where f.offer_id is not null)
       update offer o set ${sets.join(", ")} from n where o.id = n.offer_id and $1::timestamptz is not null
         and (o.price_cents, o.sale_price_cents, o.inventory, o.weekly_inventory, o.is_published) is distinct from
             (${has("price") ? "n.price" : "o.price_cents"}, ${has("sale_price") ? "n.sale_price" : "o.sale_price_cents"}, ${has("inventory") ? "coalesce(n.inventory, o.inventory)" : "o.inventory"},
              ${has("weekly_inventory") ? "n.weekly_inventory" : "o.weekly_inventory"}, ${has("offered") ? "coalesce(n.offered, true)" : "o.is_published"})`,
            [now],
          )
        ).rowCount ?? 0);
  const { rowCount } = await tx.client.query(
    `insert into offer (variant_id, hub_id, price_cents, sale_price_cents, inventory, weekly_inventory, is_published, published_at, sold_out_at, on_sale_since)
     select f.variant_id, f.hub_id, s.price, s.sale_price, coalesce(s.inventory, s.weekly_inventory, 0), s.weekly_inventory, coalesce(s.offered, true), $1,
       case when coalesce(s.inventory, s.weekly_inventory, 0) = 0 then $1::timestamptz end, case when s.sale_price is not null then $1::timestamptz end
     from former f join incoming s on s.line = f.line where f.offer_id is null order by s.line`,
    [now],
  );
  await tx.client.query(
    `insert into stock_adjustment (offer_id, amount, reason, created_at)
     select o.id, o.inventory - coalesce(f.had, 0), $2, $1 from former f join offer o on o.variant_id = f.variant_id and o.hub_id = f.hub_id
     where o.inventory <> coalesce(f.had, 0) order by f.line`,
    [now, stockReason],
  );
  return { created: rowCount ?? 0, changed };
}

async function writePictures(tx: SqlTx): Promise<void> {
  await tx.client.query(`
    create temp table pictured on commit drop as
    select p.id as product_id, (i.place - 1)::int as position, n.id as picture_id
    from heads h join product p on p.slug = h.slug cross join lateral unnest(h.images) with ordinality as i (name, place)
    join picture_name n on n.name = i.name`);
  await noteChanged(
    tx,
    `delete from product_picture pp using heads h join product p on p.slug = h.slug
    where pp.product_id = p.id and not exists (
      select 1 from pictured w where w.product_id = pp.product_id and w.position = pp.position and w.picture_id = pp.picture_id)
    returning p.slug`,
  );
  await noteChanged(
    tx,
    `insert into product_picture as t (product_id, position, picture_id) select product_id, position, picture_id from pictured
    on conflict do nothing returning (select p.slug from product p where p.id = t.product_id)`,
  );
}

/** Writes products, then their variants, offers and pictures, set by set. */
export async function writeProducts(tx: SqlTx, writing: Writing): Promise<Counts> {
  const { has } = writing;
  const plain = [
    "new_description",
    "badge",
    "ribbon_type",
    "ribbon_text",
    "discount_notes",
    "origin_country",
    "origin_state",
    "origin_county",
    "processor",
    "ingredients",
  ];
  // A product's fields are the same on all its rows.
  await tx.client.query(
    "create temp table heads on commit drop as select distinct on (slug) * from incoming order by slug, line",
  );
  await tx.client.query("create unique index on heads (slug)");
  await tx.client.query("analyze heads");
  await skipUncounted(tx);
  await trackWritten(tx);
  await upsert(tx, has, {
    into: "product",
    isTracked: true,
    source: "(select h.*, (select v.id from vendor v where v.slug = h.vendor) as vendor_id from heads h)",
    key: ["slug"],
    fields: [
      always("slug"),
      always("title"),
      always("vendor_id"),
      field("description", "description", "''"),
      field("tags", "tags", "'{}'"),
      ...plain.map((name) => ({ from: name, to: name, value: `s.${name}` })),
      field("storage", "storage", "'dry'"),
      field("published", "is_published", "true"),
    ],
    onlyNew: has("tags") ? [] : [{ from: null, to: "tags", value: "'{}'" }],
  });
  const variants = await writeVariants(tx, writing);
  const offers = await writeOffers(tx, writing);
  if (has("images")) await writePictures(tx);
  return { products: await countWritten(tx), variants, offers };
}
