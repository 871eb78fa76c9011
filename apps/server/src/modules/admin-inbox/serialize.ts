import type { InboxItem, InboxRow as Listed } from "@marketday/contracts/admin/inbox";
import { excerpt } from "@marketday/domain/inbox";
import { EMAIL_REPLY_MAX, type InboxKind, isAnswerable, isModerated } from "@marketday/domain/inbox-turn";
import { cents, toDollars } from "@marketday/domain/money";
import { raterName } from "@marketday/domain/review";
import { ANSWER_LATE_MS } from "@marketday/domain/today";

import { answerMax } from "../answers/answer-subject.ts";
import type { StaffActor } from "../identity/context.ts";
import { toStaffAction } from "../staff-actions/serialize.ts";
import type { ActionRow } from "../staff-actions/store.ts";
import type { DetailRow, EarlierRow } from "./item-sql.ts";
import type { InboxRow } from "./items-sql.ts";
import { HeldReply } from "./reply-input.ts";
import { mayIn } from "./scopes.ts";

const WORDS = 160;

/** "a•••@example.com" */
const maskEmail = (email: string): string => email.replace(/^(.)[^@]*/u, "$1•••");
/** "••••0142" */
const maskPhone = (phone: string): string => (phone === "" ? "" : `••••${phone.replaceAll(/\D/g, "").slice(-4)}`);

const nameOf = ({ first_name: first, last_name: last }: InboxRow, readsPeople: boolean): string =>
  readsPeople ? `${first} ${last}`.trim() : raterName(first, last);

/**
 * The name in what the staff did with an item. It is listed for who may do that there: moderating needs no `people.read`, and an action
 * of no market names no one.
 */
export function nameInAction(item: InboxRow): string {
  if (item.hub_id === null) return "";
  return nameOf(item, !isModerated(item.kind));
}

/** A row of the inbox as a person may read it. */
export const toInboxRow = (row: InboxRow, actor: StaffActor, now: Date): Listed => ({
  kind: row.kind,
  id: row.id,
  from: nameOf(row, mayIn(actor, "people.read", row.hub_id)),
  vendor: row.vendor,
  product: row.product,
  orderId: row.order_id,
  form: row.form,
  rating: row.rating,
  words: excerpt(row.words, WORDS),
  at: row.at.toISOString(),
  turn: row.turn,
  isOverdue: (row.turn === "market" || row.turn === "vendor") && now.getTime() - row.at.getTime() >= ANSWER_LATE_MS,
  assignee: row.assignee,
  isHidden: row.hidden_at !== null,
  hub: row.hub,
});

/** Who sees an answer to an item of a kind; null: it cannot be answered. */
function audienceOf(kind: InboxKind): InboxItem["audience"] {
  switch (kind) {
    case "question":
      return "product";
    case "message":
    case "review":
      return "inbox";
    case "endorsement":
      return null;
    default:
      return "email";
  }
}

/** Most characters of an answer to an item of a kind. */
export function replyMax(kind: InboxKind): number {
  if (kind === "message") return answerMax("thread");
  return kind === "question" || kind === "review" ? answerMax(kind) : EMAIL_REPLY_MAX;
}

/** Whether there is an address, or an account, that an answer reaches; a question is answered once. */
function canAnswer({ kind, customer_id: customerId, email, is_answered: isAnswered, hidden_at }: DetailRow): boolean {
  if (!isAnswerable(kind) || hidden_at !== null) return false;
  if (kind === "question") return !isAnswered;
  return customerId === null ? email !== "" : kind === "message" || email !== "";
}

const fieldsOf = ({ data, zip_code: zip }: DetailRow): InboxItem["fields"] => {
  const shown = Object.entries(data ?? {}).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.join(", ") : typeof value === "string" ? value : "";
    return text === "" ? [] : [{ name, value: text }];
  });
  return zip ? [...shown, { name: "zipCode", value: zip }] : shown;
};

const hiddenOf = (hidden: DetailRow["hidden"]): InboxItem["hidden"] =>
  hidden && { ...hidden, at: hidden.at.toISOString() };

/** An item as a person may read it. */
export function toInboxItem(
  row: DetailRow,
  { earlier, pending }: { earlier: readonly EarlierRow[]; pending: ActionRow | null },
  actor: StaffActor,
  now: Date,
): InboxItem {
  const { kind, id, hub_id: hubId } = row;
  const readsPeople = mayIn(actor, "people.read", hubId);
  const answers = mayIn(actor, "inbox.reply", hubId);
  const moderates = isModerated(kind) && mayIn(actor, "moderation.write", hubId);
  const isOpen = row.turn !== "done";
  const closes = answers && kind !== "endorsement";
  const isClosed = row.closed_at !== null && row.closed_at >= row.at;
  const canReply = answers && pending === null && canAnswer(row);
  return {
    ...toInboxRow(row, actor, now),
    words: row.words,
    version: row.version,
    sender: {
      customerId: row.customer_id,
      name: nameOf(row, readsPeople),
      email: readsPeople ? row.email : maskEmail(row.email),
      phone: readsPeople ? row.phone : maskPhone(row.phone),
    },
    conversation: row.conversation.map((each) => ({ ...each, at: each.at.toISOString() })),
    fields: fieldsOf(row),
    photos: row.photos.map((photo) => ({ id: photo, url: `/api/admin/inbox/problem/${id}/photos/${photo}` })),
    order: row.order && {
      id: row.order.id,
      day: row.order.day,
      status: row.order.status,
      total: toDollars(cents(row.order.cents)),
    },
    hidden: hiddenOf(row.hidden),
    answerHidden: hiddenOf(row.answer_hidden),
    pending: pending && {
      action: toStaffAction(pending, actor),
      text: answers ? HeldReply.parse(pending.input).text : "",
    },
    earlier: earlier.map(({ words, at, ...each }) => ({
      ...each,
      words: excerpt(words, WORDS),
      at: at.toISOString(),
    })),
    audience: audienceOf(kind),
    replyMax: replyMax(kind),
    can: {
      reply: canReply,
      close: closes && isOpen && pending === null,
      reopen: closes && isClosed,
      hide: moderates,
      hideAnswer: moderates && kind === "question" && row.is_answered,
      assign: answers,
    },
  };
}
