import { html, imageName, label, list, reference, slug, whole, yesNo } from "../cell.ts";
import {
  always,
  countWritten,
  field,
  type ImportType,
  mustBeThere,
  noteChanged,
  onlyOnce,
  pictureName,
  pictureNames,
  pictureOf,
  pictureThere,
  slugNames,
  slugsThere,
  storedBy,
  trackWritten,
  upsert,
} from "../kind.ts";

const title = label(100);

const exported = `select c.slug, c.title, c.description, ${pictureName("i")} as image, p.slug as parent, c.position::text,
      case when c.show_in_collections then 'yes' else 'no' end as in_collections, case when c.show_in_main_menu then 'yes' else 'no' end as in_main_menu,
      case when c.is_published then 'yes' else 'no' end as published,
      (select string_agg(x.slug, '|' order by cp.position, cp.product_id) from collection_product cp join product x on x.id = cp.product_id where cp.collection_id = c.id) as products
    from collection c left join collection p on p.id = c.parent_id left join picture i on i.id = c.image_id order by c.id`;

/** Collections, by slug, with the products in them in order. */
export const collections: ImportType = {
  noun: "collections",
  group: "slug",
  key: ["slug"],
  columns: [
    { name: "slug", cell: slug, required: true },
    { name: "title", cell: title, needed: title.right },
    { name: "description", cell: html(20_000) },
    { name: "image", cell: imageName, about: "the name of a picture" },
    { name: "parent", cell: reference, about: "the slug of the collection above it" },
    { name: "position", cell: whole(0, 1_000_000), neverEmpty: "Write a number, such as 0" },
    { name: "in_collections", cell: yesNo },
    { name: "in_main_menu", cell: yesNo },
    { name: "published", cell: yesNo },
    { name: "products", cell: list(reference, 20_000), about: "slugs of products, in order" },
  ],
  prepare: pictureNames,
  names: [
    slugNames("collection"),
    // Collections below different ones may have the same title.
    {
      noun: "a collection",
      column: "title",
      market:
        "select coalesce(p.slug, '') as scope, c.slug as key, c.title as name from collection c left join collection p on p.id = c.parent_id",
      incoming:
        "select s.line, coalesce(s.parent, '') as scope, s.slug as key, s.title as name from incoming s where s.slug is not null and s.title is not null",
    },
  ],
  checks: [
    onlyOnce(["slug"]),
    pictureThere("image"),
    mustBeThere(
      "parent",
      "select 1 from collection c where c.slug = s.parent union all select 1 from incoming i where i.slug = s.parent",
      {
        noun: "collection",
        all: "select slug as key, title as name from collection union select slug, title from incoming where slug is not null",
        hint: "`market collections export` lists the collections",
      },
    ),
    {
      sql: `select line, 'parent' as column, parent as value, 'another collection, not one below itself' as "right" from (
       with recursive up as (
         select s.line, s.slug, s.parent, 1 as steps from incoming s where s.parent is not null
         union all select up.line, up.slug, i.parent, steps + 1 from up join incoming i on i.slug = up.parent where i.parent is not null and steps < 50)
       select distinct line, parent from up where slug = parent) as circles`,
    },
    slugsThere("product", "products"),
  ],
  write: async (tx, { has }) => {
    await trackWritten(tx);
    await upsert(tx, has, {
      into: "collection",
      isTracked: true,
      source: "incoming",
      key: ["slug"],
      fields: [
        always("slug"),
        always("title"),
        field("description", "description", "''"),
        { from: "image", to: "image_id", value: pictureOf("s.image") },
        field("position", "position", "0"),
        field("in_collections", "show_in_collections", "false"),
        field("in_main_menu", "show_in_main_menu", "false"),
        field("published", "is_published", "true"),
      ],
    });
    // A second step: a parent may come after its child.
    if (has("parent"))
      await noteChanged(
        tx,
        `update collection c set parent_id = p.id from incoming s left join collection p on p.slug = s.parent where c.slug = s.slug and c.parent_id is distinct from p.id returning c.slug`,
      );
    if (has("products")) {
      await tx.client.query(`
        create temp table shelved on commit drop as
        select distinct on (c.id, p.id) c.id as collection_id, p.id as product_id, (i.place - 1)::int as position
        from incoming s join collection c on c.slug = s.slug cross join lateral unnest(s.products) with ordinality as i (name, place) join product p on p.slug = i.name
        order by c.id, p.id, i.place`);
      await noteChanged(
        tx,
        `delete from collection_product cp using incoming s join collection c on c.slug = s.slug
        where cp.collection_id = c.id and not exists (select 1 from shelved w where w.collection_id = cp.collection_id and w.product_id = cp.product_id)
        returning c.slug`,
      );
      await noteChanged(
        tx,
        `insert into collection_product as t (collection_id, product_id, position) select * from shelved
        on conflict (collection_id, product_id) do update set position = excluded.position where t.position <> excluded.position
        returning (select c.slug from collection c where c.id = t.collection_id)`,
      );
    }
    return { collections: await countWritten(tx) };
  },
  exported,
  stored: storedBy("slug", exported),
};
