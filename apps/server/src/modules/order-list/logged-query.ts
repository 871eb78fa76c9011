import { printQuery } from "@marketday/domain/list-query";
import type { OrderQuery } from "@marketday/domain/order-query";

/**
 * A filter as the audit log has it: its tokens, and how many words were searched. The words are often an email, a phone number or a name,
 * and the log outlives the account.
 */
export const loggedQuery = ({ tokens, words }: OrderQuery): { text: string; words: number } => ({
  text: printQuery({ tokens, words: [] }),
  words: words.length,
});
