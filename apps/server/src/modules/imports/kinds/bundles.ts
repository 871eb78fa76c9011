import { html, imageName, label, list, percentOff, reference, slug, yesNo } from "../cell.ts";
import {
  always,
  countWritten,
  eachMustBeThere,
  field,
  type ImportType,
  namesBySlug,
  noteChanged,
  onlyOnce,
  pictureName,
  pictureNames,
  pictureOf,
  pictureThere,
  slugsThere,
  storedBy,
  trackWritten,
  upsert,
} from "../kind.ts";

/** A slug with capitals, or a title in its place, is named by the check with the product that was probably meant. */
const ITEM = /^([1-9]\d{0,2}) *[xX\u00D7] *([^/\s](?:[^/]*[^/\s])?) *\/ *(.+)$/;
const item = {
  type: "text",
  right: "a quantity, a product and its variant, such as 2 x wildflower-honey / 12 oz jar",
  read: (given: string) => {
    const [, quantity, slug, variant] = ITEM.exec(given) ?? [];
    return quantity === undefined ? undefined : `${quantity} x ${slug} / ${variant}`;
  },
  isText: true,
} as const;
const parts = (one: string) => `regexp_match(${one}, '^([0-9]+) x ([^/]+) / (.+)$')`;
const variantOf = (one: string) =>
  `select min(x.id) as id from variant x join product p on p.id = x.product_id where p.slug = (${parts(one)})[2] and x.title = (${parts(one)})[3]`;

const title = label(100);
const items = list(item, 100);

const exported = `select b.slug, b.title, b.description, ${pictureName("i")} as image, trim_scale(b.discount_ppm / 10000.0)::text as percent,
      case when b.is_published then 'yes' else 'no' end as published,
      (select string_agg(h.slug, '|' order by h.id) from bundle_hub bh join hub h on h.id = bh.hub_id where bh.bundle_id = b.id) as hubs,
      (select string_agg(format('%s x %s / %s', bi.quantity, p.slug, x.title), '|' order by bi.position, x.id)
       from bundle_item bi join variant x on x.id = bi.variant_id join product p on p.id = x.product_id where bi.bundle_id = b.id) as items
    from bundle b left join picture i on i.id = b.image_id order by b.id`;

/** Bundles, by slug, with their hubs and items. */
export const bundles: ImportType = {
  noun: "bundles",
  group: "slug",
  key: ["slug"],
  columns: [
    { name: "slug", cell: slug, required: true },
    { name: "title", cell: title, needed: title.right },
    { name: "description", cell: html(20_000) },
    { name: "image", cell: imageName, about: "the name of a picture" },
    { name: "percent", cell: percentOff },
    { name: "published", cell: yesNo },
    { name: "hubs", cell: list(reference, 1_000), about: "slugs of the hubs that sell it" },
    { name: "items", cell: items, needed: items.right },
  ],
  prepare: pictureNames,
  // A bundle of each hub may have the same title.
  names: namesBySlug("bundle", "title", true),
  checks: [
    onlyOnce(["slug"]),
    pictureThere("image"),
    slugsThere("hub", "hubs"),
    eachMustBeThere("items", `select 1 from (${variantOf("one")}) as v where v.id is not null`, {
      noun: "product and variant",
      all: "select format('%s / %s', p.slug, x.title) as key, format('%s / %s', p.title, x.title) as name from variant x join product p on p.id = x.product_id order by x.id",
      partOf: (value) => value.replace(/^\d+ x /, ""),
      hint: "`market products export` lists the products with their variants",
    }),
  ],
  write: async (tx, { has }) => {
    await trackWritten(tx);
    await upsert(tx, has, {
      into: "bundle",
      isTracked: true,
      source: "incoming",
      key: ["slug"],
      fields: [
        always("slug"),
        always("title"),
        field("description", "description", "''"),
        { from: "image", to: "image_id", value: pictureOf("s.image") },
        field("percent", "discount_ppm", "0"),
        field("published", "is_published", "true"),
      ],
    });
    if (has("hubs")) {
      await noteChanged(
        tx,
        `delete from bundle_hub bh using incoming s join bundle b on b.slug = s.slug join hub h on true
        where bh.bundle_id = b.id and bh.hub_id = h.id and not h.slug = any(coalesce(s.hubs, '{}')) returning b.slug`,
      );
      await noteChanged(
        tx,
        `insert into bundle_hub as t (bundle_id, hub_id) select b.id, h.id from incoming s join bundle b on b.slug = s.slug join hub h on h.slug = any(s.hubs) order by h.id
        on conflict do nothing returning (select b.slug from bundle b where b.id = t.bundle_id)`,
      );
    }
    await tx.client.query(`
      create temp table packed on commit drop as
      select distinct on (b.id, v.id) b.id as bundle_id, v.id as variant_id, (${parts("i.one")})[1]::int as quantity, (i.place - 1)::int as position
      from incoming s join bundle b on b.slug = s.slug cross join lateral unnest(s.items) with ordinality as i (one, place) cross join lateral (${variantOf("i.one")}) as v
      order by b.id, v.id, i.place`);
    await noteChanged(
      tx,
      `delete from bundle_item bi using incoming s join bundle b on b.slug = s.slug
      where bi.bundle_id = b.id and not exists (select 1 from packed w where w.bundle_id = bi.bundle_id and w.variant_id = bi.variant_id)
      returning b.slug`,
    );
    await noteChanged(
      tx,
      `insert into bundle_item as t (bundle_id, variant_id, quantity, position) select * from packed
      on conflict (bundle_id, variant_id) do update set quantity = excluded.quantity, position = excluded.position
      where (t.quantity, t.position) is distinct from (excluded.quantity, excluded.position)
      returning (select b.slug from bundle b where b.id = t.bundle_id)`,
    );
    return { bundles: await countWritten(tx) };
  },
  amounts: {
    fields: [{ name: "percent", unit: "ppm" }],
    sql: "select s.line, s.slug as subject, b.discount_ppm as percent from incoming s join bundle b on b.slug = s.slug",
  },
  exported,
  stored: storedBy("slug", exported),
};
