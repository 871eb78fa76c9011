import { execute, queryOne, sql, type AnyTx } from "@marketday/db";
import { z } from "zod";

import type { FaqWords } from "./files.ts";
import type { PostWords } from "./post-file.ts";

/** Writes a page by its slug. @returns whether it is new or different, as 1 or 0 */
export const upsertPage = (
  tx: AnyTx,
  { slug, title, body }: { slug: string; title: string; body: string },
  now: Date,
): Promise<number> =>
  execute(
    tx,
    sql`insert into content_page as p (slug, title, body, updated_at) values (${slug}, ${title}, ${body}, ${now})
        on conflict (slug) do update set title = excluded.title, body = excluded.body, updated_at = excluded.updated_at
        where (p.title, p.body) is distinct from (excluded.title, excluded.body)`,
  );

/** Replaces the FAQ. @returns the number of changed rows */
export async function writeFaq(tx: AnyTx, faq: readonly FaqWords[]): Promise<number> {
  const gone = await execute(
    tx,
    sql`delete from faq_entry where not question = any(${faq.map(({ question }) => question)}::text[])`,
  );
  let changed = gone;
  for (const [position, { question, answer, triggerPhrases }] of faq.entries()) {
    changed += await execute(
      tx,
      sql`update faq_entry set answer = ${answer}, trigger_phrases = ${triggerPhrases}::text[], position = ${position}::int where question = ${question}
            and (answer, trigger_phrases, position) is distinct from (${answer}, ${triggerPhrases}::text[], ${position}::int)`,
    );
    changed += await execute(
      tx,
      sql`insert into faq_entry (question, answer, trigger_phrases, position)
          select ${question}, ${answer}, ${triggerPhrases}::text[], ${position}::int where not exists (select 1 from faq_entry where question = ${question})`,
    );
  }
  return changed;
}

const PostReferences = z.object({ vendor_id: z.number().nullable(), image_id: z.string().nullable() });

/** The vendor and the picture that a post names; null: not named, or unknown. */
export const findPostReferences = async (tx: AnyTx, post: PostWords): Promise<z.infer<typeof PostReferences>> =>
  (await queryOne(
    tx,
    sql`select (select id from vendor where slug = ${post.vendor}) as vendor_id,
          (select id from picture where id = ${post.image} or substr(file, 18) = ${post.image} order by created_at desc limit 1) as image_id`,
    PostReferences,
  ))!;

/** Writes a post by its slug. @returns whether it is new or different, as 1 or 0 */
export const upsertPost = (
  tx: AnyTx,
  post: PostWords,
  { vendorId, imageId }: { vendorId: number | null; imageId: string | null },
): Promise<number> =>
  execute(
    tx,
    sql`insert into blog_post as b (slug, title, author, publish_date, category, body, vendor_id, image_id)
        values (${post.slug}, ${post.title}, ${post.author}, ${post.date}::date, ${post.category}, ${post.body}, ${vendorId}::int, ${imageId})
        on conflict (slug) do update set title = excluded.title, author = excluded.author, publish_date = excluded.publish_date, category = excluded.category,
          body = excluded.body, vendor_id = excluded.vendor_id, image_id = excluded.image_id
        where (b.title, b.author, b.publish_date, b.category, b.body, b.vendor_id, b.image_id) is distinct from
          (excluded.title, excluded.author, excluded.publish_date, excluded.category, excluded.body, excluded.vendor_id, excluded.image_id)`,
  );
