import { choice, imageName, instant, label, path, reference, text, whole } from "../cell.ts";
import {
  exportedInstant,
  type ImportType,
  type Names,
  notBefore,
  onlyOnce,
  pictureName,
  pictureNames,
  pictureOf,
  pictureThere,
  slugThere,
} from "../kind.ts";

/**
 * SQL of a stored title as files have it, which are cleaned (`cleanText`): older versions stored special spaces and invisible
 * characters, without which it is the same notice. Joiners stay: emoji have them.
 */
const cleanTitle = (title: string): string =>
  `btrim(regexp_replace(regexp_replace(${title}, '[\\u00A0\\u1680\\u2000-\\u200A\\u202F\\u205F\\u2800\\u3000[:space:]]', ' ', 'g'), '[\\u00AD\\u200B\\u200E\\u200F\\u202A-\\u202E\\u2060-\\u206F\\uFEFF]', '', 'g'))`;

/**
 * Matches rows of a file with existing ones, by their cleaned title (`t.cleaned`) and the other columns that identify them; `id` is
 * null for a new one. Titles are cleaned once, and the conditions are equalities, so that Postgres can hash them.
 */
const matched = (table: "banner" | "post", names: string, same: string): string =>
  `create temp table matched on commit drop as
   with stored as materialized (select t.*, ${cleanTitle("t.title")} as cleaned from ${table} t)
   select s.line, min(t.id) as id from incoming s ${names}
   left join stored t on t.cleaned = ${cleanTitle("coalesce(s.title, '')")} and t.type = s.type and coalesce(t.hub_id, 0) = coalesce(h.id, 0) and ${same}
   group by s.line`;

/** The titles of notices: one beside the same in other letters is the same notice again. */
const titles = (table: "banner" | "post", market: string, incoming: string, where = "true"): Names => ({
  noun: `a ${table}`,
  column: "title",
  market: `select concat_ws('|', ${market}) as scope, ${cleanTitle("t.title")} as key, ${cleanTitle("t.title")} as name from ${table} t
    left join hub h on h.id = t.hub_id${table === "post" ? " left join vendor v on v.id = t.vendor_id left join product p on p.id = t.product_id" : ""}`,
  incoming: `select s.line, concat_ws('|', ${incoming}) as scope, s.title as key, s.title as name from incoming s where s.title is not null and ${where}`,
});
const second = (column: string) => `coalesce(date_trunc('second', ${column})::text, '')`;

const postNames =
  "left join hub h on h.slug = s.hub left join vendor v on v.slug = s.vendor left join product p on p.slug = s.product";
const postColumns = `t.type, h.slug as hub, v.slug as vendor, p.slug as product, t.title, t.subtitle, t.text, t.avatar_label, ${pictureName("i")} as image,
      ${exportedInstant("t.created_at")} as posted_at, ${exportedInstant("t.expires_at")} as expires_at`;
const postTables = `left join hub h on h.id = t.hub_id left join vendor v on v.id = t.vendor_id left join product p on p.id = t.product_id
    left join picture i on i.id = t.text_image_id`;

/**
 * Cards of the feed written by staff or a vendor. A card has no name: type, hub, vendor, product, title and `posted_at`
 * identify it; without `posted_at` it is the oldest such card, or a new one.
 */
export const posts: ImportType = {
  noun: "posts",
  group: "title",
  key: ["type", "hub", "vendor", "product", "title", "posted_at"],
  columns: [
    {
      name: "type",
      cell: choice("vendor-post", "staff-trending", "staff-insane-weekly-deal", "staff-pick", "staff-flash-sale"),
      required: true,
    },
    { name: "hub", cell: reference },
    { name: "vendor", cell: reference },
    { name: "product", cell: reference },
    { name: "title", cell: label(200) },
    { name: "subtitle", cell: label(200) },
    { name: "text", cell: text(5_000) },
    { name: "avatar_label", cell: label(60) },
    { name: "image", cell: imageName },
    { name: "posted_at", cell: instant },
    { name: "expires_at", cell: instant },
  ],
  prepare: [
    ...pictureNames,
    matched(
      "post",
      postNames,
      `coalesce(t.vendor_id, 0) = coalesce(v.id, 0) and coalesce(t.product_id, 0) = coalesce(p.id, 0)
       and (s.posted_at is null or date_trunc('second', t.created_at) = date_trunc('second', s.posted_at))`,
    ),
  ],
  names: [
    titles(
      "post",
      `t.type, coalesce(h.slug, ''), coalesce(v.slug, ''), coalesce(p.slug, ''), ${second("t.created_at")}`,
      `s.type, coalesce(s.hub, ''), coalesce(s.vendor, ''), coalesce(s.product, ''), ${second("s.posted_at")}`,
      "s.posted_at is not null",
    ),
    titles(
      "post",
      "t.type, coalesce(h.slug, ''), coalesce(v.slug, ''), coalesce(p.slug, '')",
      "s.type, coalesce(s.hub, ''), coalesce(s.vendor, ''), coalesce(s.product, '')",
      "s.posted_at is null",
    ),
  ],
  checks: [
    onlyOnce(["type", "hub", "vendor", "product", "title", "posted_at"], "title"),
    slugThere("hub"),
    slugThere("vendor"),
    slugThere("product"),
    pictureThere("image"),
    {
      sql: `select line, 'vendor' as column, null as value, 'the vendor who posts, such as oak-farm' as "right" from incoming s where type = 'vendor-post' and vendor is null`,
    },
  ],
  write: async (tx, { now }) => {
    const { rowCount: changed } = await tx.client.query(`
      update post t set subtitle = s.subtitle, text = s.text, avatar_label = s.avatar_label, text_image_id = s.image_id, expires_at = s.expires_at
      from (select m.id, coalesce(s.subtitle, '') as subtitle, coalesce(s.text, '') as text, coalesce(s.avatar_label, '') as avatar_label,
              ${pictureOf("s.image")} as image_id, s.expires_at
            from incoming s join matched m on m.line = s.line) s
      where t.id = s.id and (t.subtitle, t.text, t.avatar_label, t.text_image_id, date_trunc('second', t.expires_at)) is distinct from
            (s.subtitle, s.text, s.avatar_label, s.image_id, s.expires_at)`);
    const { rowCount: created } = await tx.client.query(
      `insert into post (type, hub_id, vendor_id, product_id, title, subtitle, text, avatar_label, text_image_id, created_at, expires_at)
       select s.type, h.id, v.id, p.id, coalesce(s.title, ''), coalesce(s.subtitle, ''), coalesce(s.text, ''), coalesce(s.avatar_label, ''), ${pictureOf("s.image")},
         coalesce(s.posted_at, $1), s.expires_at from incoming s ${postNames} join matched m on m.line = s.line where m.id is null order by s.line`,
      [now],
    );
    return { posts: { created: created ?? 0, changed: changed ?? 0 } };
  },
  exported: `select ${postColumns} from post t ${postTables} order by t.id`,
  stored: `select m.line, ${postColumns} from matched m join post t on t.id = m.id ${postTables}`,
};

const bannerColumns = `h.slug as hub, t.type, t.title, t.body, t.action, t.position::text,
  ${exportedInstant("t.starts_at")} as starts_at, ${exportedInstant("t.ends_at")} as ends_at`;

/** Banners. Hub, type, title and `starts_at` identify one. */
export const banners: ImportType = {
  noun: "banners",
  group: "title",
  key: ["hub", "type", "title", "starts_at"],
  columns: [
    { name: "hub", cell: reference },
    { name: "type", cell: choice("information", "warning", "other"), required: true },
    { name: "title", cell: label(200), required: true },
    { name: "body", cell: text(2_000) },
    { name: "action", cell: path },
    { name: "position", cell: whole(0, 1_000_000), neverEmpty: "Write a number, such as 0" },
    { name: "starts_at", cell: instant },
    { name: "ends_at", cell: instant },
  ],
  prepare: [
    matched(
      "banner",
      "left join hub h on h.slug = s.hub",
      "coalesce(date_trunc('second', t.starts_at), '-infinity') = coalesce(date_trunc('second', s.starts_at), '-infinity')",
    ),
  ],
  names: [
    titles(
      "banner",
      `coalesce(h.slug, ''), t.type, ${second("t.starts_at")}`,
      `coalesce(s.hub, ''), s.type, ${second("s.starts_at")}`,
    ),
  ],
  checks: [onlyOnce(["hub", "type", "title", "starts_at"], "title"), slugThere("hub"), notBefore],
  write: async (tx) => {
    const { rowCount: changed } = await tx.client.query(`
      update banner t set body = s.body, action = s.action, position = s.position, ends_at = s.ends_at
      from (select m.id, coalesce(s.body, '') as body, s.action, coalesce(s.position, 0) as position, s.ends_at
            from incoming s join matched m on m.line = s.line) s
      where t.id = s.id and (t.body, t.action, t.position, date_trunc('second', t.ends_at)) is distinct from (s.body, s.action, s.position, s.ends_at)`);
    const { rowCount: created } = await tx.client.query(
      `insert into banner (hub_id, type, title, body, action, position, starts_at, ends_at)
       select h.id, s.type, s.title, coalesce(s.body, ''), s.action, coalesce(s.position, 0), s.starts_at, s.ends_at
       from incoming s left join hub h on h.slug = s.hub join matched m on m.line = s.line where m.id is null order by s.line`,
    );
    return { banners: { created: created ?? 0, changed: changed ?? 0 } };
  },
  exported: `select ${bannerColumns} from banner t left join hub h on h.id = t.hub_id order by t.id`,
  stored: `select m.line, ${bannerColumns} from matched m join banner t on t.id = m.id left join hub h on h.id = t.hub_id`,
};
