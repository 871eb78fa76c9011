/** The Markdown files in which content is written and imported. Their texts are clean (`cleanMarkdown`). */

import { isNone, unescapeNone } from "../../lib/none.ts";

/** A page: the first heading is its title, the rest its body. Without a heading the title is empty. */
export function parsePage(text: string): { title: string; body: string } {
  const [, title = "", body = text] = /^\s*# +(.+)\n?([\s\S]*)$/.exec(text) ?? [];
  return { title: title.trim(), body: body.trim() };
}

export interface FaqWords {
  question: string;
  answer: string;
  triggerPhrases: string[];
}

/** An entry of a file; null: it has no line of trigger phrases. */
export type GivenFaqWords = Omit<FaqWords, "triggerPhrases"> & { triggerPhrases: string[] | null };

const phrasesOf = (also: string): string[] =>
  isNone(also)
    ? []
    : unescapeNone(also)
        .split(",")
        .map((phrase) => phrase.trim())
        .filter((phrase) => phrase !== "");

/** A FAQ: each `## question` with its answer below; a last line "Also: one, two" lists its trigger phrases, "Also: none" none. */
export function parseFaq(text: string): GivenFaqWords[] {
  return text
    .split(/^## +/m)
    .slice(1)
    .map((block) => {
      const [question = "", ...rest] = block.split("\n");
      const lines = rest.join("\n").trim().split("\n");
      const also = /^Also: *(.+)$/i.exec(lines.at(-1) ?? "")?.[1];
      return {
        question: question.trim(),
        answer: (also === undefined ? lines : lines.slice(0, -1)).join("\n").trim(),
        triggerPhrases: also === undefined ? null : phrasesOf(also.trim()),
      };
    });
}
