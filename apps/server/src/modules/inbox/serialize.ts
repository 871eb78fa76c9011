import type { Message, Thread, ThreadSummary } from "@marketday/contracts/inbox";
import { isUnread } from "@marketday/domain/inbox";

import { serializePictureOrNull } from "../pictures/picture-row.ts";
import type { MessageRow, ThreadRow } from "./store.ts";

const serializeMessage = (row: MessageRow): Message => ({
  sender: row.sender as Message["sender"],
  created: row.created_at.toISOString(),
  message: row.message,
});

/** A thread of the list. */
export function serializeThreadSummary(row: ThreadRow): ThreadSummary {
  const last = row.messages[0] ? serializeMessage(row.messages[0]) : null;
  return {
    id: row.id,
    vendor: { ...row.vendor, avatar: serializePictureOrNull(row.vendor.avatar) },
    isRead: !isUnread({
      lastMessage: last && { sender: last.sender, created: new Date(last.created) },
      readAt: row.read_at,
    }),
    lastMessage: last,
  };
}

/** A thread with all its messages. */
export const serializeThread = (row: ThreadRow, messages: MessageRow[]): Thread => ({
  ...serializeThreadSummary(row),
  messages: messages.map(serializeMessage),
});
