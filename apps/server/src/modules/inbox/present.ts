import type { Message, Thread, ThreadSummary } from "@marketday/contracts/inbox";
import { isUnread } from "@marketday/domain/inbox";

import { presentPictureOrNull } from "../../lib/picture.ts";
import type { MessageRow, ThreadRow } from "./store.ts";

const presentMessage = (row: MessageRow): Message => ({
  sender: row.sender,
  created: row.created_at.toISOString(),
  message: row.message,
});

/** Row → contract, for the list. */
export function presentThreadSummary(row: ThreadRow): ThreadSummary {
  const last = row.last_message && { ...row.last_message, created_at: new Date(row.last_message.created_at) };
  return {
    id: row.id,
    vendor: {
      id: row.vendor_id,
      slug: row.vendor_slug,
      name: row.vendor_name,
      city: row.vendor_city,
      state: row.vendor_state,
      avatar: presentPictureOrNull(row.avatar),
    },
    isRead: !isUnread({
      lastMessage: last && { sender: last.sender, created: last.created_at },
      readAt: row.read_at,
    }),
    lastMessage: last && presentMessage(last),
  };
}

/** The same with all its messages. */
export const presentThread = (row: ThreadRow, messages: MessageRow[]): Thread => ({
  ...presentThreadSummary(row),
  messages: messages.map(presentMessage),
});
