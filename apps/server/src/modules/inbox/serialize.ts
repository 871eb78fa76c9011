import type { Message, Thread, ThreadSummary } from "@marketday/contracts/inbox";
import { isUnread } from "@marketday/domain/inbox";

import { serializePictureOrNull } from "../pictures/store.ts";
import type { MessageRow, ThreadRow } from "./store.ts";

const serializeMessage = (row: MessageRow): Message => ({
  sender: row.sender,
  created: row.created_at.toISOString(),
  message: row.message,
});

/** A thread of the list. */
export function serializeThreadSummary(row: ThreadRow): ThreadSummary {
  const last = row.last_message && { ...row.last_message, created_at: new Date(row.last_message.created_at) };
  return {
    id: row.id,
    vendor: {
      id: row.vendor_id,
      slug: row.vendor_slug,
      name: row.vendor_name,
      city: row.vendor_city,
      state: row.vendor_state,
      avatar: serializePictureOrNull(row.avatar),
    },
    isRead: !isUnread({
      lastMessage: last && { sender: last.sender, created: last.created_at },
      readAt: row.read_at,
    }),
    lastMessage: last && serializeMessage(last),
  };
}

/** A thread with all its messages. */
export const serializeThread = (row: ThreadRow, messages: MessageRow[]): Thread => ({
  ...serializeThreadSummary(row),
  messages: messages.map(serializeMessage),
});
