import type { AuditEntry } from "@marketday/contracts/admin/audit";
import { calendarDate } from "@marketday/domain/calendar-date";
import { cents, formatUsd } from "@marketday/domain/money";

import * as t from "#messages/audit";

import { formatOrderNumber } from "../../lib/order-number.ts";
import { paths } from "../../lib/paths.ts";

type Data = AuditEntry["data"];

/** A stored value by its path: "after.came". */
const valueAt = (data: Data, path: string): unknown =>
  path.split(".").reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), data);
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** "$4.20" of a stored number of cents; null: it is none. */
export const amountOf = (value: unknown): string | null =>
  typeof value === "number" && Number.isSafeInteger(value) ? formatUsd(cents(value)) : null;

const textsOf = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((item: unknown) =>
        typeof item === "string" ? item : isRecord(item) && typeof item["slug"] === "string" ? item["slug"] : [],
      )
    : [];

/** What an entry is about, in a phrase: "order 397 120 862". */
export function subjectOf({
  subject: { kind, id, name },
  hub,
  day,
}: Pick<AuditEntry, "subject" | "hub" | "day">): string {
  switch (kind) {
    case "order":
      return t.orderNamed(/^\d+$/.test(id) ? formatOrderNumber(Number(id)) : id);
    case "customer":
      return t.customerNamed(name, id);
    case "delivery":
      return t.dayOf(day === null ? null : t.shortDate(calendarDate(day)), hub?.name ?? null, id);
    case "staff":
    case "vendor":
    case "product":
      return name === "" ? id : name;
    case "gift-card":
      return t.giftCard(id);
    case "payout":
      return t.payout(id);
    case "file":
      return t.file(id);
    case "backup":
      return t.backup(id);
    case "payment":
      return t.payment(id);
    default:
      return t.thingNamed(kind, id);
  }
}

function factsOf(entry: AuditEntry): t.Facts {
  const { data } = entry;
  const orderIds = Array.isArray(data["orderIds"]) ? data["orderIds"].length : 0;
  return {
    subject: subjectOf(entry),
    text: (key) => {
      const value = valueAt(data, key);
      return typeof value === "string" || typeof value === "number" ? String(value) : "";
    },
    count: (key) => {
      const value = valueAt(data, key);
      return typeof value === "number" ? value : 0;
    },
    money: (key) => amountOf(valueAt(data, key)) ?? "",
    is: (key) => valueAt(data, key) === true,
    isOwn: entry.by.kind === "staff" && entry.by.ref === `staff:${entry.subject.id}`,
    isByVendor: entry.by.kind === "vendor",
    orders: t.orders(orderIds),
    vendors: t.vendors(textsOf(data["vendors"])),
    missing: t.units(textsOf(data["missing"])),
  };
}

/** "cancel_order held" → cancel_order; null: it is none of this kind. */
const kindOf = (action: string, end: " held" | " undo"): string | null =>
  action.endsWith(end) ? action.slice(0, -end.length) : null;
const changeName = (kind: string): string => t.changeKinds[kind] ?? kind.replaceAll("_", " ");

/** Whether an action has words. */
export const isKnown = (action: string): boolean =>
  action in t.actions || kindOf(action, " held") !== null || kindOf(action, " undo") !== null;

/** The name of an action, for a filter. */
export function actionName(action: string): string {
  const known = t.actions[action];
  if (known) return known.name;
  const [held, undo] = [kindOf(action, " held"), kindOf(action, " undo")];
  if (held !== null) return t.heldName(changeName(held));
  return undo === null ? action : t.undoName(changeName(undo));
}

/** What was done, as a phrase after the person; what is not known by action and subject, and never blank. */
export function phraseOf(entry: AuditEntry): string {
  const { action } = entry;
  const known = t.actions[action];
  if (known) return known.did(factsOf(entry)).trim();
  const [held, undo] = [kindOf(action, " held"), kindOf(action, " undo")];
  if (held !== null) return t.held(changeName(held), subjectOf(entry));
  if (undo !== null) return t.undid(changeName(undo), subjectOf(entry));
  return t.unknown(action, subjectOf(entry));
}

/** Who did it: "You", "Ada Kowalski", "root, at the command line", "Automatic". */
export function personOf({ by: { kind, ref, name } }: Pick<AuditEntry, "by">, myEmail: string): string {
  switch (kind) {
    case "staff":
      return ref === `staff:${myEmail}` ? t.you : name;
    case "operator":
      return t.atCommandLine(name);
    case "customer":
      return t.byCustomer(name);
    case "vendor":
      return name;
    case "system":
      return t.byJob;
    case "other":
      return ref === "anonymous" ? t.byAnyone : t.byProvider(name);
  }
}

/** The same phrase as a title: its first letter is a capital. */
export const titleOf = (entry: AuditEntry): string => {
  const phrase = phraseOf(entry);
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
};

/** The screen of what an entry is about; null: it has none yet. */
export function pathOf({
  subject: { kind, id },
  hub,
  day,
}: Pick<AuditEntry, "subject" | "hub" | "day">): string | null {
  switch (kind) {
    case "order":
      return paths.order(id);
    case "customer":
      return paths.customer(id);
    case "delivery":
      return hub && day !== null ? paths.day(hub.slug, day) : null;
    case "staff":
      return paths.staff;
    default:
      return null;
  }
}
