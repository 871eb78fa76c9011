import type { InboxRow } from "@marketday/contracts/admin/inbox";
import type { InboxKind } from "@marketday/domain/inbox-turn";
import type { MarkShape } from "@marketday/ui/admin/mark.tsx";
import type { IconName } from "@marketday/ui/icon/icon.tsx";

import * as t from "#messages/inbox";

import { formatOrderNumber } from "../../lib/order-number.ts";

const kindIcons = new Map<InboxKind, IconName>([
  ["message", "mail"],
  ["question", "help"],
  ["review", "star"],
  ["endorsement", "heart"],
  ["problem", "warn"],
  ["contact", "memo"],
  ["application", "person"],
]);
export const kindIcon = (kind: InboxKind): IconName => kindIcons.get(kind) ?? "mail";

/** "Driver application" */
export const kindName = ({ kind, form }: Pick<InboxRow, "kind" | "form">): string =>
  (form === null ? undefined : t.forms[form]) ?? t.kinds[kind];

export const nameOf = ({ from }: Pick<InboxRow, "from">): string => from || t.noName;

/** What it is about: "Duck eggs, Duck Farm"; "Order 123 456 789". */
export const aboutOf = ({ product, vendor, orderId }: Pick<InboxRow, "product" | "vendor" | "orderId">): string =>
  t.about([
    ...(product ? [product.title] : []),
    ...(vendor ? [vendor.name] : []),
    ...(orderId === null ? [] : [t.order(formatOrderNumber(orderId))]),
  ]);

/** Whose turn it is, as a status. */
export function turnStatus({ turn, isOverdue, isHidden }: Pick<InboxRow, "turn" | "isOverdue" | "isHidden">): {
  shape: MarkShape;
  word: string;
} {
  if (isHidden && turn === "done") return { shape: "off", word: t.hidden };
  if (turn === "market")
    return { shape: isOverdue ? "late" : "due", word: isOverdue ? t.lateTurns.market : t.turns.market };
  if (turn === "vendor") return { shape: "ahead", word: isOverdue ? t.lateTurns.vendor : t.turns.vendor };
  return { shape: "ok", word: t.turns[turn] };
}

export const keyOf = ({ kind, id }: Pick<InboxRow, "kind" | "id">): string => `${kind}/${id}`;
export const rowId = ({ kind, id }: Pick<InboxRow, "kind" | "id">): string => `inbox-${kind}-${id}`;
export const panelTitleId = (key: string): string => `inbox-title-${key.replace("/", "-")}`;

/** The first name, for "Hi {name}". */
export const firstName = (name: string): string => name.split(" ")[0] ?? "";
