import { execute, query, sql, type SqlTx } from "@marketday/db";
import { z } from "zod";

import type { Context } from "../../lib/context.ts";
import { withDryRun } from "../../lib/dry-run.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import { ImportRefused, type Problem, type Rejected } from "../imports/problem.ts";
import { type FaqWords, parseFaq, parsePage } from "./files.ts";
import { parsePost, type PostWords } from "./post-file.ts";

/** A Markdown file: `terms.md`, `faq.md`, or `blog/first-frost.md`. */
export interface ContentFile {
  name: string;
  text: string;
}

interface ContentCounts {
  pages: number;
  questions: number;
  posts: number;
}

export type ContentOutcome = ContentCounts & Rejected;

const LONGEST = 200_000;
const SLUG = /^[a-z0-9]+(-[a-z0-9]+)*$/;

const wrong = (name: string, right: string): Problem => ({
  file: name,
  line: 0,
  position: null,
  column: null,
  value: null,
  right: `right would be ${right}`,
});

interface Words {
  pages: { slug: string; title: string; body: string }[];
  faq: FaqWords[] | null;
  posts: PostWords[];
}

function readWords(files: readonly ContentFile[]): Words & { problems: Problem[] } {
  const words: Words = { pages: [], faq: null, posts: [] };
  const problems: Problem[] = [];
  for (const { name, text } of files) {
    const [, folder = "", slug = ""] = /^(blog\/)?([^/]+)\.md$/.exec(name) ?? [];
    // oxlint-disable-next-line no-control-regex -- Postgres takes none
    if (/[\u0000\uFFFD]/.test(text)) problems.push(wrong(name, "a text in UTF-8"));
    else if (text.length > LONGEST) problems.push(wrong(name, `at most ${LONGEST.toLocaleString("en-US")} characters`));
    else if (text.trim() === "") problems.push(wrong(name, "words; the file is empty"));
    else if (!SLUG.test(slug))
      problems.push(wrong(name, "a name of small letters, digits and dashes, such as delivery-days.md"));
    else if (folder !== "") {
      const post = parsePost(slug, text);
      if (typeof post === "string") problems.push(wrong(name, post));
      else words.posts.push(post);
    } else if (slug === "faq") {
      words.faq = parseFaq(text);
      const twice = words.faq.find(
        ({ question }, place) => words.faq!.findIndex((each) => each.question === question) < place,
      );
      if (words.faq.length === 0) problems.push(wrong(name, "questions, each a line that begins with ##"));
      if (twice) problems.push(wrong(name, `each question once; "${twice.question}" is listed twice`));
    } else {
      const page = parsePage(text);
      if (page.title === "") problems.push(wrong(name, "a first line that begins with # and holds the page's title"));
      else words.pages.push({ slug, ...page });
    }
  }
  return { ...words, problems };
}

async function writeFaq(tx: SqlTx, faq: readonly FaqWords[]): Promise<number> {
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

/** @returns how many rows are new or different, or what is wrong with the file */
async function writePost(tx: SqlTx, post: PostWords): Promise<number | Problem> {
  const refs = await query(
    tx,
    sql`select (select id from vendor where slug = ${post.vendor}) as vendor_id,
          (select id from picture where id = ${post.image} or substr(file, 18) = ${post.image} order by created_at desc limit 1) as image_id`,
    z.object({ vendor_id: z.number().nullable(), image_id: z.string().nullable() }),
  );
  const { vendor_id: vendorId = null, image_id: imageId = null } = refs[0] ?? {};
  const name = `blog/${post.slug}.md`;
  if (post.vendor !== null && vendorId === null) return wrong(name, `the slug of a vendor; there is no ${post.vendor}`);
  if (post.image !== null && imageId === null) return wrong(name, `the name of a picture; there is no ${post.image}`);
  return execute(
    tx,
    sql`insert into blog_post as b (slug, title, author, publish_date, category, body, vendor_id, image_id)
        values (${post.slug}, ${post.title}, ${post.author}, ${post.date}::date, ${post.category}, ${post.body}, ${vendorId}::int, ${imageId})
        on conflict (slug) do update set title = excluded.title, author = excluded.author, publish_date = excluded.publish_date, category = excluded.category,
          body = excluded.body, vendor_id = excluded.vendor_id, image_id = excluded.image_id
        where (b.title, b.author, b.publish_date, b.category, b.body, b.vendor_id, b.image_id) is distinct from
          (excluded.title, excluded.author, excluded.publish_date, excluded.category, excluded.body, excluded.vendor_id, excluded.image_id)`,
  );
}

/**
 * Imports Markdown files, all or none, or with `keepGoing` all that are right (docs/product.md §11): pages by name, the FAQ, which is
 * replaced, and the blog. Pages and posts that no file names stay.
 * @returns how many of each are new or different
 */
export async function importContent(
  ctx: Context,
  files: readonly ContentFile[],
  how: { dryRun: boolean; keepGoing: boolean; signal: AbortSignal },
): Promise<ContentOutcome> {
  const { problems, ...words } = readWords(files);
  if (problems.length > 0 && !how.keepGoing) throw new ImportRefused(problems);
  const outcome: ContentCounts = { pages: 0, questions: 0, posts: 0 };
  await withDryRun(
    ctx.deps.db,
    how.dryRun,
    async (tx) => {
      for (const { slug, title, body } of words.pages)
        outcome.pages += await execute(
          tx,
          sql`insert into content_page as p (slug, title, body, updated_at) values (${slug}, ${title}, ${body}, ${ctx.now})
              on conflict (slug) do update set title = excluded.title, body = excluded.body, updated_at = excluded.updated_at
              where (p.title, p.body) is distinct from (excluded.title, excluded.body)`,
        );
      if (words.faq) outcome.questions = await writeFaq(tx, words.faq);
      for (const post of words.posts) {
        const written = await writePost(tx, post);
        if (typeof written === "number") outcome.posts += written;
        else problems.push(written);
      }
      if (problems.length > 0 && !how.keepGoing) throw new ImportRefused(problems);
      const data = { ...outcome, rejected: problems.length };
      await writeAuditEntry(tx, ctx, { action: "content import", subject: "content", reason: "", data });
      how.signal.throwIfAborted();
    },
    { retries: 0 },
  );
  return { ...outcome, rejected: problems };
}
