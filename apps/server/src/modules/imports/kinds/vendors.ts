import { email, html, label, slug, text, yesNo } from "../cell.ts";
import {
  field,
  type ImportType,
  namesBySlug,
  onlyOnce,
  pictureName,
  pictureNames,
  pictureOf,
  pictureThere,
  upsert,
} from "../kind.ts";

const picture = text(200);

/** Vendors, by slug. `hash` is part of printed links; a new vendor without one gets one. */
export const vendors: ImportType = {
  noun: "vendors",
  group: "slug",
  columns: [
    { name: "slug", cell: slug, required: true },
    { name: "name", cell: label(100), required: true },
    { name: "city", cell: label(100), required: true },
    { name: "state", cell: label(50), required: true },
    { name: "description", cell: html(20_000) },
    { name: "email", cell: email },
    { name: "avatar", cell: picture, about: "the name of a picture" },
    { name: "hero", cell: picture, about: "the name of a picture" },
    { name: "published", cell: yesNo, about: "whether the shop shows the vendor" },
    {
      name: "hash",
      cell: {
        type: "text",
        right: "16 of the digits 0-9 and a-f",
        read: (given) => (/^[0-9a-f]{16}$/.test(given) ? given : undefined),
        isText: false,
      },
    },
  ],
  prepare: pictureNames,
  names: namesBySlug("vendor", "name"),
  checks: [
    onlyOnce(["slug"]),
    pictureThere("avatar"),
    pictureThere("hero"),
    {
      sql: `select line, 'hash' as column, hash as value, 'a hash no other vendor has' as "right" from incoming s where exists (select 1 from vendor v where v.hash = s.hash and v.slug <> s.slug)`,
    },
  ],
  write: async (tx, { has }) => {
    const newHash = "substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)";
    return {
      vendors: await upsert(tx, has, {
        into: "vendor",
        source: "incoming",
        key: ["slug"],
        fields: [
          field("slug"),
          field("name"),
          field("city"),
          field("state"),
          field("description", "description", "''"),
          field("email"),
          { from: "avatar", to: "avatar_id", value: pictureOf("s.avatar") },
          { from: "hero", to: "hero_id", value: pictureOf("s.hero") },
          field("published", "is_published", "true"),
          ...(has("hash")
            ? [
                {
                  from: "hash",
                  to: "hash",
                  value: `coalesce(s.hash, (select v.hash from vendor v where v.slug = s.slug), ${newHash})`,
                },
              ]
            : []),
        ],
        onlyNew: has("hash") ? [] : [{ from: null, to: "hash", value: newHash }],
      }),
    };
  },
  exported: `select v.slug, v.name, v.city, v.state, v.description, v.email, ${pictureName("a")} as avatar, ${pictureName("h")} as hero,
      case when v.is_published then 'yes' else 'no' end as published, v.hash
    from vendor v left join picture a on a.id = v.avatar_id left join picture h on h.id = v.hero_id order by v.id`,
};
