import {
  EMAIL_REPLY_MAX,
  INBOX_KINDS,
  INBOX_TURNS,
  MODERATED_KINDS,
  TEMPLATE_MAX,
  TEMPLATE_NAME_MAX,
} from "@marketday/domain/inbox-turn";
import { z } from "zod";

import { BodyId, CalendarDate, Id, IdParams, Instant, Money, PageQuery, line, prose } from "../common.ts";
import { StaffAction } from "./actions.ts";
import { adminEndpoint } from "./endpoint.ts";

const Kind = z.enum(INBOX_KINDS);
const Turn = z.enum(INBOX_TURNS);
const reads = { permission: "inbox.reply", or: "moderation.write", where: "any" } as const;
const answers = { permission: "inbox.reply", where: "any" } as const;
const moderates = { permission: "moderation.write", where: "any" } as const;

const Person = z.object({ id: z.number().int(), name: z.string() });
const Hub = z.object({ id: z.number().int(), slug: z.string(), name: z.string(), timeZone: z.string() });

const row = {
  kind: Kind,
  id: z.number().int(),
  /** Who wrote it; empty when the account was deleted. First name and an initial for those who may not read people. */
  from: z.string(),
  vendor: z.object({ slug: z.string(), name: z.string() }).nullable(),
  product: z.object({ slug: z.string(), title: z.string() }).nullable(),
  orderId: z.number().int().nullable(),
  /** Of an application: "vendor", "driver" or "job". */
  form: z.string().nullable(),
  /** Of a review 0 to 5, of an endorsement 1 to 5. */
  rating: z.number().nullable(),
  /** The first of its last words. */
  words: z.string(),
  /** When the last words were written. */
  at: Instant,
  turn: Turn,
  /** Without an answer for more than 24 hours. */
  isOverdue: z.boolean(),
  assignee: Person.nullable(),
  isHidden: z.boolean(),
  /** Null: of no market; those with the permission everywhere see it. */
  hub: Hub.nullable(),
};
const InboxRow = z.object(row).meta({ id: "InboxRow" });
export type InboxRow = z.infer<typeof InboxRow>;

/** The tabs of the inbox. */
const INBOX_VIEWS = ["market", "vendor", "all", "done"] as const;
export type InboxView = (typeof INBOX_VIEWS)[number];

/**
 * Messages, questions, reviews, endorsements, problem reports, contact forms and applications of the markets in which the person may answer;
 * with `moderation.write` alone, questions, reviews and endorsements. Whose turn it is, the oldest first; else the newest first.
 */
export const listInbox = adminEndpoint({
  method: "GET",
  url: "/inbox",
  access: reads,
  schema: {
    querystring: z.object({
      ...PageQuery.shape,
      view: z.enum(INBOX_VIEWS).default("market"),
      kind: Kind.optional(),
      /** "me", "none", or a person's id. */
      assigned: z
        .string()
        .regex(/^(?:me|none|[1-9]\d{0,8})$/)
        .optional(),
      q: z.string().max(200).default(""),
      hub: z.string().max(200).optional(),
    }),
    response: {
      200: z.object({
        items: z.array(InboxRow),
        /** Of the view. */
        total: z.number().int(),
        /** By view, of what is filtered otherwise. */
        counts: z.object({
          market: z.number().int(),
          vendor: z.number().int(),
          all: z.number().int(),
          done: z.number().int(),
          overdue: z.number().int(),
        }),
      }),
    },
  },
});

const Hidden = z.object({ at: Instant, by: z.string(), reason: z.string() });

export const InboxItem = z
  .object({
    ...row,
    /** Of what can be answered, closed and hidden: `expectedVersion`. */
    version: z.string(),
    /** Email and phone masked for those who may not read people. `customerId` null: no account. */
    sender: z.object({
      customerId: z.number().int().nullable(),
      name: z.string(),
      email: z.string(),
      phone: z.string(),
    }),
    /** Oldest first. `by`: of the staff. */
    conversation: z.array(
      z.object({
        from: z.enum(["sender", "vendor", "market"]),
        by: z.string().nullable(),
        at: Instant,
        text: z.string(),
      }),
    ),
    /** What was filled in, of a contact form or an application. */
    fields: z.array(z.object({ name: z.string(), value: z.string() })),
    photos: z.array(z.object({ id: z.string(), url: z.string() })),
    order: z.object({ id: z.number().int(), day: CalendarDate, status: z.string(), total: Money }).nullable(),
    /** Null: it is shown. */
    hidden: Hidden.nullable(),
    /** Of the answer to a question. */
    answerHidden: Hidden.nullable(),
    /** Written by one of the staff, and not sent yet. */
    pending: z.object({ action: StaffAction, text: z.string() }).nullable(),
    /** Other items of the same person, newest first, at most 10. */
    earlier: z.array(z.object({ kind: Kind, id: z.number().int(), words: z.string(), at: Instant, turn: Turn })),
    /** Who sees an answer. Null: it cannot be answered. */
    audience: z.enum(["product", "inbox", "email"]).nullable(),
    /** Most characters of an answer. */
    replyMax: z.number().int(),
    can: z.object({
      reply: z.boolean(),
      close: z.boolean(),
      reopen: z.boolean(),
      hide: z.boolean(),
      /** The answer of a question. */
      hideAnswer: z.boolean(),
      assign: z.boolean(),
    }),
  })
  .meta({ id: "InboxItem" });
export type InboxItem = z.infer<typeof InboxItem>;

const params = z.object({ kind: Kind, id: Id });

/** 404 for an item of another market, the same as for none. */
export const getInboxItem = adminEndpoint({
  method: "GET",
  url: "/inbox/:kind/:id",
  access: reads,
  schema: { params, response: { 200: InboxItem } },
});

/** A photo of a problem report, as JPEG. */
export const getProblemPhoto = adminEndpoint({
  method: "GET",
  url: "/inbox/problem/:id/photos/:photo",
  access: answers,
  schema: { params: z.object({ id: Id, photo: z.string().max(64) }), response: { 200: z.unknown() } },
});

/** `action` null: it was so already. */
const Written = z.object({ item: InboxItem, action: StaffAction.nullable() });
const Version = line(200);

/**
 * Answers, held for 10 s: a message or a review in the shopper's inbox, in the vendor's name; a question publicly; all with an email. A
 * problem, a contact form or an application by email. 409 `conflict` with `current` when another person or the vendor has answered, or
 * more was written.
 */
export const replyInbox = adminEndpoint({
  method: "POST",
  url: "/inbox/:kind/:id/reply",
  access: answers,
  idempotent: true,
  schema: {
    params,
    body: z.object({ text: prose(EMAIL_REPLY_MAX, "Write an answer"), expectedVersion: Version }),
    response: { 200: Written },
  },
});

/** Closes: no answer is needed, or of a problem the outcome; or opens again. 409 `conflict` with `current`. */
export const closeInbox = adminEndpoint({
  method: "POST",
  url: "/inbox/:kind/:id/close",
  access: answers,
  schema: {
    params,
    body: z.object({ isClosed: z.boolean(), reason: line(500).default(""), expectedVersion: Version }),
    response: { 200: Written },
  },
});

/** Assigns to a person who may answer there, or to no one. The last one counts. */
export const assignInbox = adminEndpoint({
  method: "PUT",
  url: "/inbox/:kind/:id/assignee",
  access: answers,
  schema: { params, body: z.object({ staffId: BodyId.nullable() }), response: { 200: InboxItem } },
});

/** Hides a text from all but its writer and the staff, or shows it again. 409 `conflict` with `current`. */
export const hideInbox = adminEndpoint({
  method: "POST",
  url: "/inbox/:kind/:id/hide",
  access: moderates,
  schema: {
    params: z.object({ kind: z.enum(MODERATED_KINDS), id: Id }),
    body: z.object({
      part: z.enum(["text", "answer"]).default("text"),
      isHidden: z.boolean(),
      reason: line(500).default(""),
      expectedVersion: Version,
    }),
    response: { 200: Written },
  },
});

/** People who may answer, by name: all of them, with the markets of each (null: all markets). */
export const listInboxPeople = adminEndpoint({
  method: "GET",
  url: "/inbox/people",
  access: answers,
  schema: {
    response: { 200: z.array(Person.extend({ hubIds: z.array(z.number().int()).nullable() })) },
  },
});

const Template = z.object({
  id: z.number().int(),
  name: z.string(),
  text: z.string(),
  /** Raised by every change: `expectedVersion`. */
  version: z.number().int(),
});
export type ReplyTemplate = z.infer<typeof Template>;
const template = z.object({
  name: line(TEMPLATE_NAME_MAX, "Name it"),
  text: prose(TEMPLATE_MAX, "Write the text"),
});

/** Texts to answer with, by name. `{name}` and `{order}` are filled in by the app. */
export const listTemplates = adminEndpoint({
  method: "GET",
  url: "/reply-templates",
  access: answers,
  schema: { response: { 200: z.array(Template) } },
});
/** 409 `taken` for a name that another one has. */
export const createTemplate = adminEndpoint({
  method: "POST",
  url: "/reply-templates",
  access: answers,
  schema: { body: template, response: { 200: Template } },
});
const templateVersion = z.object({ expectedVersion: z.number().int() });
/** 409 `conflict` with the template as `current` when another person has changed it; 409 `taken`. */
export const putTemplate = adminEndpoint({
  method: "PUT",
  url: "/reply-templates/:id",
  access: answers,
  schema: { params: IdParams, body: template.extend(templateVersion.shape), response: { 200: Template } },
});
/** Twice is once. 409 `conflict` with the template as `current` when another person has changed it. `createTemplate` undoes it. */
export const deleteTemplate = adminEndpoint({
  method: "POST",
  url: "/reply-templates/:id/remove",
  access: answers,
  schema: { params: IdParams, body: templateVersion, response: { 200: z.object({ success: z.literal(true) }) } },
});
