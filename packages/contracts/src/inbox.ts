import { VENDOR_MESSAGE_MAX } from "@marketday/domain/limits";
import { z } from "zod";

import { IdOrSlugParams, IdParams, Instant, PageQuery, Picture, prose } from "./common.ts";
import { endpoint } from "./endpoint.ts";

/** spec §3 Message thread: `sender` "C" is the customer, "U" the vendor. */
export const Message = z
  .object({ sender: z.enum(["C", "U"]), created: Instant, message: z.string() })
  .meta({ id: "Message" });
export type Message = z.infer<typeof Message>;

const about = {
  id: z.number().int(),
  vendor: z.object({
    id: z.number().int(),
    slug: z.string(),
    name: z.string(),
    city: z.string(),
    state: z.string(),
    avatar: Picture.nullable(),
  }),
  /** False: the vendor wrote last, and the customer has not opened it since (spec §4 Inbox). */
  isRead: z.boolean(),
  lastMessage: Message.nullable(),
};

/** A thread as the list shows it, without its messages (docs/product.md §10). */
export const ThreadSummary = z.object(about).meta({ id: "ThreadSummary" });
export type ThreadSummary = z.infer<typeof ThreadSummary>;

/** spec §3 Message thread, oldest message first. */
export const Thread = z.object({ ...about, messages: z.array(Message) }).meta({ id: "Thread" });
export type Thread = z.infer<typeof Thread>;

/** spec §7.10: the customer's threads, last written first, 5 a page. */
export const listThreads = endpoint({
  method: "GET",
  url: "/inbox",
  schema: { querystring: PageQuery, response: { 200: z.array(ThreadSummary) } },
});

export const getThread = endpoint({
  method: "GET",
  url: "/inbox/:id",
  schema: { params: IdParams, response: { 200: Thread } },
});

const words = prose(VENDOR_MESSAGE_MAX, "Write a message");

/** spec §7.10: at most 250 characters. The vendor is notified by mail. */
export const replyToThread = endpoint({
  method: "POST",
  url: "/inbox/:id/reply",
  schema: { params: IdParams, body: z.object({ reply: words }), response: { 200: Thread } },
});

export const readThread = endpoint({
  method: "POST",
  url: "/inbox/:id/read",
  schema: { params: IdParams, response: { 200: Thread } },
});

/** docs/product.md §10: starts or continues the one thread of a customer with a vendor. */
export const messageVendor = endpoint({
  method: "POST",
  url: "/vendors/:id/messages",
  schema: { params: IdOrSlugParams, body: z.object({ message: words }), response: { 200: Thread } },
});
