import { email, html, imageName, label, slug, yesNo } from "../cell.ts";
import {
  always,
  field,
  type ImportType,
  namesBySlug,
  onlyOnce,
  pictureName,
  pictureNames,
  pictureOf,
  pictureThere,
  storedBy,
  upsert,
} from "../kind.ts";
import { keepAddresses, noteRevokedLinks, revokeLinksOfOldAddresses } from "./vendor-links-sql.ts";

const name = label(100);
const state = label(50);

const exported = `select v.slug, v.name, v.city, v.state, v.description, v.email, ${pictureName("a")} as avatar, ${pictureName("h")} as hero,
      case when v.is_published then 'yes' else 'no' end as published, v.hash
    from vendor v left join picture a on a.id = v.avatar_id left join picture h on h.id = v.hero_id order by v.id`;

/** Vendors, by slug. `hash` is part of printed links; a new vendor without one gets one. */
export const vendors: ImportType = {
  noun: "vendors",
  group: "slug",
  key: ["slug"],
  columns: [
    { name: "slug", cell: slug, required: true },
    { name: "name", cell: name, needed: name.right },
    { name: "city", cell: name, needed: name.right },
    { name: "state", cell: state, needed: state.right },
    { name: "description", cell: html(20_000) },
    { name: "email", cell: email },
    { name: "avatar", cell: imageName, about: "the name of a picture" },
    { name: "hero", cell: imageName, about: "the name of a picture" },
    { name: "published", cell: yesNo, about: "whether the shop shows the vendor" },
    {
      name: "hash",
      neverEmpty: "Leave it empty: it stays as it is, and a new vendor gets one",
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
  write: async (tx, { has, now }) => {
    const newHash = "substr(replace(gen_random_uuid()::text, '-', ''), 1, 16)";
    await keepAddresses(tx);
    const counts = {
      vendors: await upsert(tx, has, {
        into: "vendor",
        source: "incoming",
        key: ["slug"],
        fields: [
          always("slug"),
          always("name"),
          always("city"),
          always("state"),
          field("description", "description", "''"),
          field("email"),
          { from: "avatar", to: "avatar_id", value: pictureOf("s.avatar") },
          { from: "hero", to: "hero_id", value: pictureOf("s.hero") },
          field("published", "is_published", "true"),
          { from: null, to: "hash", value: `coalesce(s.hash, ${newHash})` },
        ],
      }),
    };
    await revokeLinksOfOldAddresses(tx, now);
    return counts;
  },
  notes: noteRevokedLinks,
  exported,
  stored: storedBy("slug", exported),
};
