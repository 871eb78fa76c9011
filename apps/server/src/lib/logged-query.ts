import { type ListQuery, printQuery } from "@marketday/domain/list-query";

/**
 * A filter of a list as the audit log has it: its tokens, and how many words were searched. The words are often an email, a phone number
 * or a name, and the log outlives the account.
 */
export const loggedQuery = ({ tokens, words }: ListQuery): { text: string; words: number } => ({
  text: printQuery({ tokens, words: [] }),
  words: words.length,
});
