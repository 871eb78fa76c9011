import { isSameName } from "@marketday/domain/names";
import { cleanMarkdown } from "@marketday/domain/text";

import { withClientDryRun } from "../../lib/dry-run.ts";
import type { FieldChanges } from "../../lib/field-changes.ts";
import { ImportRefused, type Problem, type Rejected, shown } from "../../lib/file-problem.ts";
import { takeImportLock } from "../../lib/import-lock-sql.ts";
import { repairMojibake } from "../../lib/mojibake.ts";
import { isNone, unescapeNone } from "../../lib/none.ts";
import { writeAuditEntry } from "../audit/write-audit-entry.ts";
import type { Context } from "../identity/context.ts";
import { type FaqWords, parseFaq, parsePage } from "./files.ts";
import { findPostReferences, type PostReferences, writeFaq, writePages, writePosts } from "./import-store.ts";
import { defaultTexts } from "./load-content.ts";
import { NO_WORDS, parsePost, type PostWords } from "./post-file.ts";
import { compareContent, findQuestion, findStoredContent, hasText, type StoredContent } from "./stored-content.ts";

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

export type ContentOutcome = ContentCounts &
  Rejected & {
    /** The values that change, old and new. */
    fields: FieldChanges;
  };

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

/** A text of a file: the stored one if it is empty, and empty for the word `none`. */
const textOf = (given: string, stored: string | undefined): string =>
  given === "" ? (stored ?? "") : isNone(given) ? "" : unescapeNone(given);

/** The FAQ of a file, completed by what the market has, or what would be right. */
function readFaq(text: string, stored: StoredContent["faq"]): FaqWords[] | string {
  const given = parseFaq(text);
  if (given.length === 0) return "questions, each a line that begins with ##";
  const twice = given.find(
    ({ question }, place) => given.findIndex((each) => isSameName(each.question, question)) < place,
  );
  if (twice) return `each question once; "${twice.question}" is listed twice`;
  const faq = given.map(({ question, answer, triggerPhrases }) => {
    const before = findQuestion(stored, question);
    return {
      question,
      answer: textOf(answer, before?.answer),
      triggerPhrases: triggerPhrases ?? before?.triggerPhrases ?? [],
    };
  });
  const unanswered = faq.find(({ answer }) => answer === "");
  return unanswered ? `an answer below each question; "${unanswered.question}" has none` : faq;
}

/** A line whose letters another program broke, as the message about it; null: there is none, or the market has it. */
function brokenLine(text: string, stored: StoredContent): string | null {
  for (const line of text.split("\n")) {
    const repaired = repairMojibake(line);
    if (repaired === null || hasText(stored, line.trim())) continue;
    return `"${shown(repaired.trim())}" where it has "${shown(line.trim())}", which another program broke: save the file as UTF-8`;
  }
  return null;
}

function readWords(files: readonly ContentFile[], stored: StoredContent): Words & { problems: Problem[] } {
  const words: Words = { pages: [], faq: null, posts: [] };
  const problems: Problem[] = [];
  for (const { name, text: typed } of files) {
    const [, folder = "", slug = ""] = /^(blog\/)?([^/]+)\.md$/i.exec(name) ?? [];
    const text = cleanMarkdown(typed);
    const broken = brokenLine(typed, stored);
    // oxlint-disable-next-line no-control-regex -- Postgres takes none
    if (/[\u0000\uFFFD]/.test(typed)) problems.push(wrong(name, "a text in UTF-8"));
    else if (broken !== null) problems.push(wrong(name, broken));
    else if (text.length > LONGEST) problems.push(wrong(name, `at most ${LONGEST.toLocaleString("en-US")} characters`));
    else if (text.trim() === "") problems.push(wrong(name, "words; the file is empty"));
    else if (!SLUG.test(slug))
      problems.push(wrong(name, "a name of small letters, digits and dashes, such as delivery-days.md"));
    else if (folder !== "") {
      const post = parsePost(slug, text, stored.posts.get(slug) ?? null);
      if (typeof post === "string") problems.push(wrong(name, post));
      else words.posts.push(post);
    } else if (slug === "faq") {
      const faq = readFaq(text, stored.faq);
      if (typeof faq === "string") problems.push(wrong(name, faq));
      else words.faq = faq;
    } else {
      const page = parsePage(text);
      if (page.title === "") problems.push(wrong(name, "a first line that begins with # and holds the page's title"));
      else {
        // A page that the market has not written itself has the default text.
        const before = stored.pages.get(slug) ?? defaultTexts().pages.get(slug);
        if (page.body === "" && !before) problems.push(wrong(name, NO_WORDS));
        else words.pages.push({ slug, title: page.title, body: textOf(page.body, before?.body) });
      }
    }
  }
  return { ...words, problems };
}

/** What is wrong with a post that names an unknown vendor or picture. */
function unknownReference({ slug, vendor, image }: PostWords, { vendors, pictures }: PostReferences): Problem | null {
  const name = `blog/${slug}.md`;
  if (vendor !== null && !vendors.has(vendor)) return wrong(name, `the slug of a vendor; there is no ${vendor}`);
  if (image !== null && !pictures.has(image)) return wrong(name, `the name of a picture; there is no ${image}`);
  return null;
}

/**
 * Imports Markdown files, all or none, or with `keepGoing` all that are right (docs/product.md §11): pages by name, the FAQ, which is
 * replaced, and the blog. Pages and posts that no file names stay, and so does what a file leaves out; the word `none` empties it.
 * @returns how many of each are new or different, and the values that change
 */
export async function importContent(
  ctx: Context,
  files: readonly ContentFile[],
  how: { dryRun: boolean; keepGoing: boolean; signal: AbortSignal },
): Promise<ContentOutcome> {
  return withClientDryRun(
    ctx.deps.db,
    how.dryRun,
    async (tx) => {
      await takeImportLock(tx);
      const stored = await findStoredContent(tx);
      const { problems, ...words } = readWords(files, stored);
      const references = await findPostReferences(tx, words.posts);
      const posts = words.posts.filter((post) => {
        const problem = unknownReference(post, references);
        if (problem) problems.push(problem);
        return problem === null;
      });
      const outcome: ContentCounts = {
        pages: words.pages.length === 0 ? 0 : await writePages(tx, words.pages, ctx.now),
        questions: words.faq ? await writeFaq(tx, words.faq) : 0,
        posts: posts.length === 0 ? 0 : await writePosts(tx, posts, references),
      };
      if (problems.length > 0 && !how.keepGoing) throw new ImportRefused(problems);
      const fields = compareContent(stored, await findStoredContent(tx));
      const data = { ...outcome, fields: fields.count, rejected: problems.length };
      await writeAuditEntry(tx, ctx, { action: "content import", subject: "content", reason: "", data });
      how.signal.throwIfAborted();
      return { ...outcome, fields, rejected: problems };
    },
    { retries: 0 },
  );
}
