import type { InboxItem } from "@marketday/contracts/admin/inbox";

type Written = Pick<InboxItem["conversation"][number], "from" | "at" | "text">;

/** An answer that this tab has sent, and when the market had last written before it. */
export interface SentAnswer {
  text: string;
  after: string | null;
}

/** When the market last wrote; null: it has not. */
export const lastAnswerAt = (conversation: readonly Written[]): string | null =>
  conversation.findLast(({ from }) => from === "market")?.at ?? null;

/**
 * Whether the text in the box is the answer that was sent and is in the conversation since. Not one that only begins like an older
 * answer, or repeats it.
 */
export const isDelivered = (conversation: readonly Written[], sent: SentAnswer | null, text: string): boolean =>
  sent !== null &&
  sent.text === text.trim() &&
  conversation.some(
    (each) =>
      each.from === "market" &&
      each.text === sent.text &&
      (sent.after === null || Date.parse(each.at) > Date.parse(sent.after)),
  );
