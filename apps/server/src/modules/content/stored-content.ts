import type { Tx } from "@marketday/db";
import { isSameName } from "@marketday/domain/names";

import { type FieldChanges, FieldComparison } from "../../lib/field-changes.ts";
import type { FaqWords } from "./files.ts";
import type { PostWords } from "./post-file.ts";
import { findAllPages, findAllPosts, findFaq } from "./store.ts";

/** The content of the market by slug, the FAQ by question in its order. */
export interface StoredContent {
  pages: ReadonlyMap<string, { title: string; body: string }>;
  faq: ReadonlyMap<string, FaqWords>;
  posts: ReadonlyMap<string, PostWords>;
}

export async function findStoredContent(tx: Tx): Promise<StoredContent> {
  const faq = await findFaq(tx);
  return {
    pages: new Map((await findAllPages(tx)).map((page) => [page.slug, page])),
    faq: new Map(
      faq.map(({ question, answer, trigger_phrases: triggerPhrases }) => [
        question,
        { question, answer, triggerPhrases },
      ]),
    ),
    posts: new Map((await findAllPosts(tx)).map((post) => [post.slug, post])),
  };
}

/** The entry of a question, however it is written. */
export const findQuestion = (faq: StoredContent["faq"], question: string): FaqWords | undefined =>
  faq.get(question) ?? [...faq.values()].find((entry) => isSameName(entry.question, question));

/** The values of existing pages, questions and posts that differ, and the questions that are gone. */
export function compareContent(before: StoredContent, after: StoredContent): FieldChanges {
  const comparison = new FieldComparison();
  const differ = <T extends object>(subject: string, names: readonly (keyof T & string)[], from: T, to: T): void => {
    for (const name of names) {
      const text = (value: unknown): string => (Array.isArray(value) ? value.join(", ") : ((value ?? "") as string));
      comparison.add(subject, name === "triggerPhrases" ? "also" : name, text(from[name]), text(to[name]));
    }
  };
  for (const [slug, page] of before.pages) differ(`${slug}.md`, ["title", "body"], page, after.pages.get(slug) ?? page);
  const kept: string[] = [];
  for (const [question, entry] of before.faq) {
    const same = findQuestion(after.faq, question);
    if (same) {
      differ(`faq.md, ${question}`, ["question", "answer", "triggerPhrases"], entry, same);
      kept.push(same.question);
    } else comparison.add("faq.md", "question", question, null);
  }
  const order = [...after.faq.keys()].filter((question) => kept.includes(question));
  comparison.add("faq.md", "order", kept.join(" | "), order.join(" | "));
  for (const [slug, post] of before.posts)
    differ(
      `blog/${slug}.md`,
      ["title", "author", "date", "category", "vendor", "image", "body"],
      post,
      after.posts.get(slug) ?? post,
    );
  return comparison.finish();
}

/** Whether a text of the market has this line. */
export const hasText = ({ pages, faq, posts }: StoredContent, line: string): boolean =>
  [...pages.values(), ...faq.values(), ...posts.values()].some((entry) =>
    Object.values(entry).some((value) => typeof value === "string" && value.includes(line)),
  );
