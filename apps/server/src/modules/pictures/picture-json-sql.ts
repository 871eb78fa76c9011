import { type Sql, sql } from "@marketday/db";

/** The `PictureRow` with this id as JSON, or null; `id` is an SQL expression. */
export const pictureOf = (id: Sql): Sql =>
  sql`(select json_build_object('id', i.id, 'alt', i.alt, 'thumbhash', i.thumbhash) from picture i where i.id = ${id})`;

/** The `PictureRow` of a joined picture as JSON: a product's first one as `pic`, its vendor's as `avatar`. */
export const joinedPicture = {
  pic: sql`case when pic.id is null then null else jsonb_build_object('id', pic.id, 'alt', pic.alt, 'thumbhash', pic.thumbhash) end`,
  avatar: sql`case when avatar.id is null then null else jsonb_build_object('id', avatar.id, 'alt', avatar.alt, 'thumbhash', avatar.thumbhash) end`,
};
